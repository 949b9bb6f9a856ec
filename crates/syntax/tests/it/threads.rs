//! Trees, nodes and errors can be kept, and passed between threads.

// The compiler checks each type. `types_can_be_shared_between_threads` in crate voxlint checks that none is missing here.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}

    is_shared::<voxlint_syntax::Decimal<'static>>();
    is_shared::<voxlint_syntax::Decoded<'static>>();
    is_shared::<voxlint_syntax::DecodedText<'static>>();
    is_shared::<voxlint_syntax::Elements<'static>>();
    is_shared::<voxlint_syntax::Format>();
    is_shared::<voxlint_syntax::Kind>();
    is_shared::<voxlint_syntax::Leaves<'static>>();
    is_shared::<voxlint_syntax::LineIndex>();
    is_shared::<voxlint_syntax::Member<'static>>();
    is_shared::<voxlint_syntax::Members<'static>>();
    is_shared::<voxlint_syntax::Node<'static>>();
    is_shared::<voxlint_syntax::RepeatedMerge>();
    is_shared::<voxlint_syntax::NodeId>();
    is_shared::<voxlint_syntax::Parsed>();
    is_shared::<voxlint_syntax::Position>();
    is_shared::<voxlint_syntax::PositionEncoding>();
    is_shared::<voxlint_syntax::SharedText>();
    is_shared::<voxlint_syntax::Span>();
    is_shared::<voxlint_syntax::SyntaxError>();
    is_shared::<voxlint_syntax::SyntaxErrorKind>();
    is_shared::<voxlint_syntax::SyntaxFix>();
    is_shared::<voxlint_syntax::TextEdit>();
    is_shared::<voxlint_syntax::Tree>();
    is_shared::<voxlint_syntax::UnknownFormat>();
    is_shared::<voxlint_syntax::Unread>();
    is_shared::<voxlint_syntax::UnreadReason>();
    is_shared::<voxlint_syntax::edit::NewValue<'static>>();
};
