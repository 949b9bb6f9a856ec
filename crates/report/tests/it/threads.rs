//! Documents, options and pages can be kept, and passed between threads.

// The compiler checks each type. `types_can_be_shared_between_threads` in crate voxlint checks that none is missing here.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    const fn is_sent<T: Send>() {}

    is_shared::<voxlint_report::CheckedDocument<'static>>();
    is_shared::<voxlint_report::FailedFile>();
    is_shared::<voxlint_report::LocatedVariables>();
    is_shared::<voxlint_report::Masked>();
    is_shared::<voxlint_report::OutputFormat>();
    is_shared::<voxlint_report::Patch>();
    is_shared::<voxlint_report::PatchInput<'static>>();
    is_shared::<voxlint_report::PlanFormat>();
    is_shared::<voxlint_report::PlanReport<'static>>();
    is_shared::<voxlint_report::PlannedDocument<'static>>();
    is_shared::<voxlint_report::RelatedFile<'static>>();
    is_shared::<voxlint_report::RenderOptions>();
    is_shared::<voxlint_report::Repository>();
    is_shared::<voxlint_report::RunInfo<'static>>();
    is_shared::<voxlint_report::RunOutcome<'static>>();
    is_shared::<voxlint_report::RunSummary>();
    is_shared::<voxlint_report::SavedBody<'static>>();
    is_shared::<voxlint_report::SavedPlan<'static>>();
    is_shared::<voxlint_report::SkippedFile>();
    is_shared::<voxlint_report::UnappliedCounts>();
    is_shared::<voxlint_report::UnappliedFixes<'static>>();
    is_sent::<voxlint_report::RenderedDocument>();
};
