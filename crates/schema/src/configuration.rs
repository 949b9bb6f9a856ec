//! The fields of `voxlint.toml`.
//!
//! Patterns of files have the syntax of ignore files and are relative to the folder of the file that contains them.

use crate::table::table;
use crate::{Flag, Items, List, Map, Number, Spec, Text, UnknownFields};
use crate::{boolean, list, map, number, string, string_or_strings};

/// The severity of a rule's findings.
pub const LEVELS: [&str; 4] = ["off", "info", "warning", "error"];

/// The severity of a house rule's findings.
const HOUSE_LEVELS: [&str; 3] = ["info", "warning", "error"];

/// The kinds of a file.
const KINDS: [&str; 7] =
    ["update", "settings", "agent", "version", "api-keys", "error", "template"];

table! {
    /// A configuration file.
    pub static TABLE: "voxlint.toml", UnknownFields::Reject;

    "configuration" {
        /// Whether this folder is the root of the project: configuration files above it are not looked for, and the paths
        /// that reports name begin here.
        root: Flag = boolean();
        /// Other configuration files, whose values this file overrides; of several the last one counts. The paths are
        /// relative to the folder of this file.
        extends: Text = string_or_strings();
        /// The files to check in folders. Without it, every file with the extension of a document is checked. The list
        /// replaces the extended list.
        include: List = list(Items::texts());
        /// Files and folders to skip, in addition to those of extended files.
        exclude: List = list(Items::texts());
        /// What a run over folders must check at least, or else it fails: a number of documents below the folder of this file, or patterns
        /// that each match one.
        expect: Number = number().between(1, 1_000_000).whole().or_texts();
        /// The baseline of existing findings, from the folder of this file (default: `voxlint-baseline.json`).
        baseline: Text = string();
        /// Where `voxlint plan` finds the stored configurations as the repository last knew them: a folder that mirrors the
        /// folder of this file, or else a git branch, tag or commit.
        base: Text = string();
        /// A file with workspace facts, for all documents.
        facts: Text = string();
        /// Whether suppression comments may name groups of rules. Without it, they name each rule.
        group_comments: Flag = boolean();
        /// The template variables that every call provides, beside those that a document gives defaults for; `*` stands
        /// for any characters. With a list, a template that uses another variable gets a finding.
        variables: List = list(Items::texts());
        /// The level of each rule, or of a group of rules (`correctness`, `ineffective`, `suspicious`, `heard`, `security`, `style`,
        /// `house`, or `recommended` for all that are on by default).
        rules: Map = map().entries_or_first(&rule::TABLE);
        /// What you know about passages of the service's description that can be read in several ways, such as
        /// `unknown-fields = "rejected"`. `voxlint readings` lists them.
        readings: Map = map().entries_or_first(&reading::TABLE);
        /// Kinds and related files of documents. Of several entries for one file the last one counts, value by value.
        documents: List = list(Items::Maps(&documents::TABLE));
        /// Other levels for some of the files.
        overrides: List = list(Items::Maps(&overrides::TABLE));
        /// Suppressed findings.
        suppressions: List = list(Items::Maps(&suppression::TABLE));
        /// The team's own rules.
        house_rules: List = list(Items::Maps(&house_rule::TABLE));
    }
}

/// One of the `rules`: its level alone, or an object with its level and its options.
pub mod rule {
    use super::{Items, LEVELS, List, Spec, Text, UnknownFields, list, string, table};

    table! {
        /// The settings of a rule.
        pub static TABLE: "the settings of a rule", UnknownFields::Reject;

        "configuration" {
            /// Its severity; `off` disables the rule.
            level: Text = string().one_of(&LEVELS);
            /// Field names that the rule ignores, with `*` for any characters. Only `unknown-field` has it. The list replaces
            /// the extended list.
            allow: List = list(Items::texts());
        }
    }
}

/// One of the `readings`: its value alone, or an object with its value and the evidence.
pub mod reading {
    use super::{Spec, Text, UnknownFields, string, string_or_strings, table};

    table! {
        /// What you know about one reading.
        pub static TABLE: "a reading", UnknownFields::Reject;

        "configuration" {
            /// The value of the reading, or several if it is not known which of them it has.
            value: Text = string_or_strings();
            /// How you know it, in words, such as the answer of the service.
            evidence: Text = string();
            /// Since when you know it, such as `2026-11-21`.
            since: Text = string();
        }
    }
}

/// One of the `documents`.
pub mod documents {
    use super::{
        Items, KINDS, List, Map, Spec, Text, UnknownFields, list, map, string, string_or_strings,
        table,
    };

    table! {
        /// Settings for some of the files.
        pub static TABLE: "a documents entry", UnknownFields::Reject;

        "configuration" {
            /// The files that the entry is about.
            files: Text = string_or_strings().required();
            /// The kind of the documents. Without it, each is detected from its fields.
            kind: Text = string().one_of(&KINDS);
            /// The type of the agents that the documents are for.
            agent_type: Text = string().one_of(&crate::agent::AGENT_TYPES);
            /// The agent that the documents are for.
            agent_id: Text = string();
            /// The stored configuration of each document, from the document's folder; `{stem}` stands for the name of the document's
            /// file. Without that file, the stored configuration is unknown.
            stored: Text = string();
            /// A file with workspace facts.
            facts: Text = string();
            /// Fields whose text is kept in a file of its own, and that file, from the document's folder; `{stem}` stands
            /// for the name of the document's file: `prompt_text = "{stem}.prompt.hbs"`.
            text_files: Map = map();
            /// The template variables that calls with these documents provide, beside those of the whole project.
            variables: List = list(Items::texts());
        }
    }
}

/// One of the `overrides`.
pub mod overrides {
    use super::{Map, Spec, Text, UnknownFields, map, rule, string_or_strings, table};

    table! {
        /// Other levels for some of the files.
        pub static TABLE: "an override", UnknownFields::Reject;

        "configuration" {
            /// The files that the entry is about.
            files: Text = string_or_strings().required();
            /// The level of each rule, or of a group of rules.
            rules: Map = map().entries_or_first(&rule::TABLE).required();
        }
    }
}

/// One of the `suppressions`.
pub mod suppression {
    use super::{Spec, Text, UnknownFields, string, string_or_strings, table};

    table! {
        /// Suppressed findings.
        pub static TABLE: "a suppression", UnknownFields::Reject;

        "configuration" {
            /// The documents that the entry is about, with the files that their texts are kept in.
            files: Text = string_or_strings().required();
            /// The values that it is about, as a JSON Pointer in which `*` stands for any one name or number and `**` for any
            /// number of them. Without it, the whole document.
            pointer: Text = string();
            /// The rules whose findings are suppressed.
            rules: Text = string_or_strings().required();
            /// The reason for the suppression.
            reason: Text = string().required();
            /// The last day on which the suppression applies, as in `2027-01-31`.
            expires: Text = string();
        }
    }
}

/// One of the `house_rules`.
pub mod house_rule {
    use super::{
        Flag, HOUSE_LEVELS, Items, List, Number, Spec, Text, UnknownFields, boolean, list, number,
        string, string_or_strings, table,
    };

    table! {
        /// A rule of the team's own.
        pub static TABLE: "a house rule", UnknownFields::Reject;

        "configuration" {
            /// The rule's id: lower case, digits and hyphens. It names the mistake, as in `title-without-team`.
            id: Text = string().required();
            /// The values that the rule checks, as a JSON Pointer in which `*` stands for any one name or number and `**`
            /// for any number of them.
            field: Text = string().required();
            /// The files that the rule is about. Default: all files.
            files: Text = string_or_strings();
            /// What is wrong, in one sentence.
            message: Text = string();
            /// How to fix it.
            help: Text = string();
            /// Its severity (default: `warning`).
            level: Text = string().one_of(&HOUSE_LEVELS);
            /// The field has to be there, and not null.
            required: Flag = boolean();
            /// A regular expression that the text has to match somewhere.
            must_match: Text = string();
            /// A regular expression that the text must not match anywhere.
            must_not_match: Text = string();
            /// The only values allowed.
            one_of: List = list(Items::texts());
            /// The greatest length of the text, in characters.
            max_length: Number = number().between(0, 1_000_000).whole();
        }
    }
}
