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
        /// Page number, size and total.
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
            /// The key's id: the part of the API key before the colon.
            id: Text = string().id_from(Catalogue::ApiKeys);
            /// The key's name.
            name: Text = string().role(Role::Label);
            /// When the key was created.
            created_at: Text = string().written_as(TextFormat::DateTime);
            /// When the key was last used.
            last_used_at: Text = string().nullability_unspecified().written_as(TextFormat::DateTime);
            /// Whether the key has expired; some responses have it.
            is_expired: Flag = boolean();
        }
    }
}

/// The page information of a list.
pub mod meta {
    use super::{Spec, UnknownFields, table};
    use crate::{Number, number};

    table! {
        /// Page number, size and total.
        pub static TABLE: "the page information", UnknownFields::Warn;

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
