//! Contexts and results can be kept, and passed between threads.

// The compiler checks each type. `types_can_be_shared_between_threads` in crate voxlint checks that none is missing here.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}

    is_shared::<voxlint_bindings::Batch>();
    is_shared::<voxlint_bindings::Context>();
    is_shared::<voxlint_bindings::ContextOptions<'static>>();
    is_shared::<voxlint_bindings::Difference>();
    is_shared::<voxlint_bindings::DocumentFormat>();
    is_shared::<voxlint_bindings::DocumentOptions>();
    is_shared::<voxlint_bindings::Error>();
    is_shared::<voxlint_bindings::Plan>();
    is_shared::<voxlint_bindings::PlanEntry<'static>>();
    is_shared::<voxlint_bindings::Prediction>();
    is_shared::<voxlint_bindings::Project>();
    is_shared::<voxlint_bindings::ProjectOptions>();
    is_shared::<voxlint_bindings::Report>();
    is_shared::<voxlint_bindings::Texts>();
    is_shared::<voxlint_bindings::Unit>();
};
