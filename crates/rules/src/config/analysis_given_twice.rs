use voxlint_model::equality::is_same;

use crate::prelude::*;

rule! {
    /// An update gives the analysis under both of its names.
    ///
    /// `postcall_analysis` is another name of `post_call_analysis`. Which of the two the service follows when an update has
    /// both is not described, so one of them may never take effect.
    ///
    /// ```json,advice
    /// { "version_number": 3, "post_call_analysis": [], "postcall_analysis": [] }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "postcall_analysis": [] }
    /// ```
    "analysis-given-twice": Config {
        group: Suspicious,
        basis: Read("It does not say which of the two names wins."),
        section: "2.3",
        fix: Unsafe("Removes `postcall_analysis` if it says the same or is empty, or else an empty `post_call_analysis`. \
                     There is none if both have content and differ."),
        reads: [post_call_analysis, postcall_analysis],
    }
}

fn check(config: &Effective<'_>) -> Verdict {
    let names = (config.get(&post_call_analysis), config.get(&postcall_analysis));
    let (Value::Known(_, one), Value::Known(_, other)) = names else {
        return Verdict::Holds;
    };
    if !one.is_in_document() || !other.is_in_document() {
        return Verdict::Holds;
    }
    let lists =
        (config.written_node(post_call_analysis.row), config.written_node(postcall_analysis.row));
    let surplus = match lists {
        (Some((list, _)), Some((again, _))) if is_same(list, again) || is_empty(again) => {
            Some(("remove `postcall_analysis`", other.clone()))
        }
        (Some((list, _)), Some(_)) if is_empty(list) => {
            Some(("remove the empty `post_call_analysis`", one.clone()))
        }
        _ => None,
    };
    let (first, second) = if one.node < other.node { (one, other) } else { (other, one) };
    let finding = Finding::new(second.name(), "the analysis is given under both of its names")
        .label("given again")
        .also(first.name(), "given here")
        .help("keep `post_call_analysis` and remove `postcall_analysis`");
    let fix =
        surplus.map(|(title, place)| ProposedFix::remove(title, Safety::Unsafe, place.name()));
    finding.fix(fix).advice()
}

fn is_empty(list: Node<'_>) -> bool {
    list.kind() == Kind::Array && list.elements().next().is_none()
}
