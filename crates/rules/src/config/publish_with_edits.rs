use voxlint_model::quote::counted;
use voxlint_schema::settings::{inbound_phone_number_id, outbound_phone_number_id, version_number};

use crate::prelude::*;

rule! {
    /// An update publishes the changes that it makes.
    ///
    /// An update with `is_published: true` and other fields puts its changes into live calls at once, before anybody could try the
    /// draft. The description permits it, and many teams work like that, so the rule is off by default. Phone numbers are not
    /// reported, because they only work in the update that publishes.
    ///
    /// ```json,advice
    /// { "version_number": 3, "is_published": true, "title": "Night desk" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "is_published": true, "inbound_phone_number_id": "pn_front_desk" }
    /// ```
    "publish-with-edits": Config {
        group: Suspicious,
        default: Off,
        basis: Inferred("The description permits both in one request, and calls publishing alone the minimal request."),
        section: "4.1 rule 4",
        advice: Info,
        reads: [is_published],
    }
}

fn check(config: &Effective<'_>) -> Checked<Verdict> {
    let (_, place) = config.written(&is_published).filter(|is_on| *is_on).or_holds()?;
    let belongs = [
        version_number.row,
        is_published.row,
        inbound_phone_number_id.row,
        outbound_phone_number_id.row,
    ];
    let edits = config.settings_in_document();
    let mut edits = edits.filter(|row| !belongs.iter().any(|other| std::ptr::eq(*other, *row)));
    let first = edits.next().ok_or(NoFinding::Holds)?;
    if !config.is_update() {
        return Err(NoFinding::Holds);
    }
    let edited = match edits.count() {
        0 => format!("change to `{}`", first.name),
        more => {
            format!("changes to `{}` and {}", first.name, counted(more as u64, "more field"))
        }
    };
    Ok(Finding::new(place.name(), format!("this update publishes its {edited}"))
        .help("change the draft first, and publish it with an update of its own")
        .advice())
}
