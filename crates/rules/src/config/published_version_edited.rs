use crate::prelude::*;

rule! {
    /// The version is published, and a published version cannot be edited.
    ///
    /// An update changes a draft. Any change to a published version is rejected. Two things are not described: what
    /// publishing a published version again does, and what `update_deployment: true` permits.
    ///
    /// `check` accepts a document whose settings all equal the stored ones, as after publishing: nothing needs to be sent.
    ///
    /// ```json,stored
    /// { "version_number": 2, "is_published": true }
    /// ```
    ///
    /// ```json,reject
    /// { "version_number": 2, "title": "Front desk" }
    /// ```
    ///
    /// ```json,stored
    /// { "version_number": 2, "is_published": true }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 2, "title": "Front desk", "update_deployment": true }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 2, "title": "Front desk" }
    /// ```
    ///
    /// ```json,stored
    /// { "version_number": 2, "is_published": true, "title": "Front desk" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 2, "is_published": true, "title": "Front desk" }
    /// ```
    ///
    /// ```json,stored
    /// { "version_number": 2, "is_published": false }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 2, "title": "Front desk" }
    /// ```
    "published-version-edited": Config {
        group: Correctness,
        basis: Read("It does not say what `update_deployment` permits."),
        section: "3 rule 1",
        status: 400,
        reads: [version_number, is_published, update_deployment],
        reads_agent: [agent::versions],
        readings: [PUBLISHING_AGAIN, UPDATE_DEPLOYMENT],
    }
}

fn check(config: &Effective<'_>) -> Checked<Verdict> {
    let (number, at) = config.written(&version_number).or_holds()?;
    if !config.is_update() {
        return Err(NoFinding::Holds);
    }
    if super::shared::is_unlisted(config, number) == Some(true)
        && config.unlisted_version().is_none()
    {
        // `version-not-found` reports that there is no such version.
        return Err(NoFinding::Holds);
    }
    let stored = match config.stored(&is_published) {
        Value::Known(true, stored) => stored,
        Value::Known(false, _) => return Err(NoFinding::Holds),
        Value::Absent(_) | Value::Unknown(_) => return Err(NoFinding::Undecided),
    };
    let publishing = config.written(&is_published);
    let permitted = config.written(&update_deployment);
    if matches!(publishing, Value::Unknown(UnknownReason::Lost))
        || matches!(permitted, Value::Unknown(UnknownReason::Lost))
    {
        return Err(NoFinding::Undecided);
    }
    let changes = has_settings(config);

    let help = super::shared::name_a_draft(config, number);
    let number = excerpt(number.literal());
    let finding = |message: String| {
        Finding::new(at.clone(), message)
            .about(&version_number)
            .also(stored.clone(), "published")
            .help(help.as_str())
    };
    let edited = || finding(format!("version {number} is published and cannot be edited"));
    Ok(match (publishing, permitted) {
        (Value::Known(true, _), _) if !changes => {
            finding(format!("version {number} is already published"))
                .possible(Condition::first(&readings::PUBLISHING_AGAIN))
        }
        (Value::Unknown(_), _) if !changes => {
            edited().possible(Condition::Faulty(is_published.row))
        }
        (_, Value::Known(true, permission)) => edited()
            .also(permission.name(), "may permit it")
            .possible(Condition::first(&readings::UPDATE_DEPLOYMENT)),
        (_, Value::Unknown(_)) => edited().possible(Condition::Faulty(update_deployment.row)),
        _ => edited().reject(),
    })
}

/// Whether an update has anything but its version number and the flags of publishing.
pub fn has_settings(config: &Effective<'_>) -> bool {
    let flags = [version_number.row, is_published.row, update_deployment.row];
    config.settings_in_document().any(|row| flags.iter().all(|flag| !std::ptr::eq(*flag, row)))
}
