use crate::prelude::*;

rule! {
    /// A text is both in the document and in a text file.
    ///
    /// A long prompt may be kept beside its document, in a template file. Then the document must not contain it as well,
    /// because it would be unclear which of the two is sent.
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "Greet {{name}}." }
    /// ```
    "text-given-twice": Config {
        group: Correctness,
        basis: Inferred("Text files are a feature of voxlint, not of the service."),
        section: "2.3",
        unshown: [Error],
        properties: [TextGivenTwice],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    config
        .texts_given_twice()
        .map(|(written, file, origin)| {
            let name = written.name().and_then(Node::as_str).unwrap_or_default();
            Finding::new(
                Place::of(Origin::Document, written).name(),
                format!("`{name}` is set here and in a text file"),
            )
            .label("set here")
            .also(Place::of(origin, file).first_line(), "also set here")
            .help("keep only one of them")
            .reject()
        })
        .collect()
}
