//! The list of API keys that the service answers with (sections 2.4, 2.5 and 4.2).

use crate::table::table;
use crate::{Items, List, Map, Spec, UnknownFields};
use crate::{list, map};

table! {
    /// A page of the list of API keys.
    pub static TABLE: "a list of API keys", UnknownFields::Warn;

    "4.2" {
        /// The keys of this page.
        data: List = list(Items::Maps(&entry::TABLE)).required();
        /// Which page this is, and of how many keys.
        meta: Map = map().required().with(&meta::TABLE);
    }
}

/// One API key.
pub mod entry {
    use super::{Spec, UnknownFields, table};
    use crate::{Catalogue, Flag, Role, Text, TextFormat, boolean, string};

    table! {
        /// An API key without its secret.
        pub static TABLE: "an API key", UnknownFields::Warn;

        "2.4" {
            /// What names the key: the first half of what a client sends.
            id: Text = string().id_from(Catalogue::ApiKeys);
            /// The key's name.
            name: Text = string().role(Role::Label);
            /// When the key was made.
            created_at: Text = string().written_as(TextFormat::DateTime);
            /// When a request last carried the key.
            last_used_at: Text = string().nullability_unspecified().written_as(TextFormat::DateTime);
            /// Whether the key has expired; some responses have it.
            is_expired: Flag = boolean();
        }
    }
}

/// The numbers of a page of a list.
pub mod meta {
    use super::{Spec, UnknownFields, table};
    use crate::{Number, number};

    table! {
        /// Which page of a list this is.
        pub static TABLE: "the list's numbers", UnknownFields::Warn;

        "2.5" {
            /// The page, counted from 1.
            page: Number = number().whole().at_least(1);
            /// How many entries a page may have.
            limit: Number = number().whole().at_most(100);
            /// How many entries there are in all.
            total: Number = number().whole();
        }
    }
}
