//! Parsed templates and errors can be kept, and passed between threads.

// The compiler checks each type. `types_can_be_shared_between_threads` in crate voxlint checks that none is missing here.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}

    is_shared::<voxlint_template::Branch<'static>>();
    is_shared::<voxlint_template::Correction>();
    is_shared::<voxlint_template::Description>();
    is_shared::<voxlint_template::FurtherError>();
    is_shared::<voxlint_template::Missing>();
    is_shared::<voxlint_template::NodeKind>();
    is_shared::<voxlint_template::ParsedTemplate>();
    is_shared::<voxlint_template::RenderError>();
    is_shared::<voxlint_template::RenderLimits>();
    is_shared::<voxlint_template::Rendering>();
    is_shared::<voxlint_template::SegmentKind>();
    is_shared::<voxlint_template::Stage>();
    is_shared::<voxlint_template::TemplateError>();
    is_shared::<voxlint_template::TemplateErrorKind>();
    is_shared::<voxlint_template::TemplateNode<'static>>();
    is_shared::<voxlint_template::TemplateSpan>();
    is_shared::<voxlint_template::TemplateTree>();
    is_shared::<voxlint_template::UnintendedCall>();
};
