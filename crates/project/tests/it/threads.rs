//! Sessions and results can be kept, and passed between threads.

// The compiler checks each type. `types_can_be_shared_between_threads` in crate voxlint checks that none is missing here.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}

    is_shared::<voxlint_project::AtomicFile>();
    is_shared::<voxlint_project::BaseSource>();
    is_shared::<voxlint_project::BaselineFile>();
    is_shared::<voxlint_project::BaselineSource>();
    is_shared::<voxlint_project::Commit>();
    is_shared::<voxlint_project::ConfigurationSource>();
    is_shared::<voxlint_project::Configurations>();
    is_shared::<voxlint_project::Confinement>();
    is_shared::<voxlint_project::DocumentCounts>();
    is_shared::<voxlint_project::DocumentGroup>();
    is_shared::<voxlint_project::DocumentRelated>();
    is_shared::<voxlint_project::ExplicitPathPolicy>();
    is_shared::<voxlint_project::Failure>();
    is_shared::<voxlint_project::FaultyFile>();
    is_shared::<voxlint_project::FileChange<'static>>();
    is_shared::<voxlint_project::FileEntry>();
    is_shared::<voxlint_project::FileRole>();
    is_shared::<voxlint_project::FileSet>();
    is_shared::<voxlint_project::FileStats>();
    is_shared::<voxlint_project::FileStatus>();
    is_shared::<voxlint_project::FileStatuses>();
    is_shared::<voxlint_project::FileSystem>();
    is_shared::<voxlint_project::FixOptions>();
    is_shared::<voxlint_project::FixResult>();
    is_shared::<voxlint_project::GitError>();
    is_shared::<voxlint_project::BodyChange>();
    is_shared::<voxlint_project::BodyChangeKind>();
    is_shared::<voxlint_project::InputFile>();
    is_shared::<voxlint_project::KindCounts>();
    is_shared::<voxlint_project::LintOptions>();
    is_shared::<voxlint_project::LintedDocument>();
    is_shared::<voxlint_project::LintedPath>();
    is_shared::<voxlint_project::LoadedDocument>();
    is_shared::<voxlint_project::NamingConvention>();
    is_shared::<voxlint_project::Notice>();
    is_shared::<voxlint_project::Overlay>();
    is_shared::<voxlint_project::PlanFolder>();
    is_shared::<voxlint_project::PlanFolderError>();
    is_shared::<voxlint_project::PlanOptions>();
    is_shared::<voxlint_project::Reference>();
    is_shared::<voxlint_project::PlanRun>();
    is_shared::<voxlint_project::ReadOptions>();
    is_shared::<voxlint_project::RecordedFindings>();
    is_shared::<voxlint_project::RelatedDocument>();
    is_shared::<voxlint_project::RelatedOptions>();
    is_shared::<voxlint_project::RelatedPart>();
    is_shared::<voxlint_project::RunResult>();
    is_shared::<voxlint_project::SavedBody>();
    is_shared::<voxlint_project::Session>();
    is_shared::<voxlint_project::SessionError>();
    is_shared::<voxlint_project::SkipReason>();
    is_shared::<voxlint_project::StdinFormat>();
    is_shared::<voxlint_project::TextFileConvention>();
    is_shared::<voxlint_project::TextFileConventionError>();
    is_shared::<voxlint_project::UncheckedLine<'static>>();
    is_shared::<voxlint_project::WriteObjection>();
};
