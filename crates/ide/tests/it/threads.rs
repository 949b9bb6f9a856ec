//! Answers can be kept, and passed between threads.

// The compiler checks each type. `types_can_be_shared_between_threads` in crate voxlint checks that none is missing here.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}

    is_shared::<voxlint_ide::Completion>();
    is_shared::<voxlint_ide::CompletionKind>();
    is_shared::<voxlint_ide::CompletionOptions>();
    is_shared::<voxlint_ide::File<'static>>();
    is_shared::<voxlint_ide::FoldingKind>();
    is_shared::<voxlint_ide::FoldingRange>();
    is_shared::<voxlint_ide::Hover>();
    is_shared::<voxlint_ide::NewSuppression<'static>>();
    is_shared::<voxlint_ide::Place>();
    is_shared::<voxlint_ide::PlaceRole>();
    is_shared::<voxlint_ide::RenameError>();
    is_shared::<voxlint_ide::Symbol>();
    is_shared::<voxlint_ide::SymbolKind>();
    is_shared::<voxlint_ide::Token>();
    is_shared::<voxlint_ide::TokenKind>();
};
