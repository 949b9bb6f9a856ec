//! The template variables that are known: those with a default, those that the configuration lists, and those that the service
//! provides.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeSet, HashSet};

use voxlint_schema::named;
use voxlint_schema::settings::default_dynamic_variables::agent_transfer_destinations;
use voxlint_syntax::{Member, Node};

use crate::suggest;
use crate::wildcard::{Wildcard, WildcardSet};

/// The variables that services of this kind provide for every call. Public documentation names them; the service's own
/// description does not.
pub const SERVICE_VARIABLES: [&str; 4] = ["caller_number", "call_id", "agent_id", "agent_name"];

/// How many names are compared at most to find those that misspelled ones mean. A document with a thousand unknown variables and
/// a thousand known ones gets all its suggestions. One with many more is not written by people, and must not take minutes.
pub const MAX_COMPARED: usize = 1 << 20;

/// What provides a template variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VariableSource {
    /// It has a default in `default_dynamic_variables`, in the document or stored.
    Default,
    /// The configuration lists it.
    Listed,
    /// The service provides it for every call.
    Service,
}

named! {
    VariableSource, "what provides a variable":
    Default = "default",
    Listed = "listed",
    Service = "service",
}

impl VariableSource {
    /// What provides the variable, in Markdown: "has a default in `default_dynamic_variables`".
    pub const fn description(self) -> &'static str {
        match self {
            Self::Default => "has a default in `default_dynamic_variables`",
            Self::Listed => "is listed in `variables` of voxlint.toml",
            Self::Service => "the service provides it for every call",
        }
    }
}

/// The known template variables of a document.
#[derive(Debug)]
pub struct KnownVariables<'a> {
    /// The objects with the defaults: that of the document, and the stored one.
    objects: [Option<Node<'a>>; 2],
    listed: Option<&'a [Wildcard]>,
    /// The names with a default, computed on first use.
    defaults: OnceCell<BTreeSet<String>>,
    /// The listed patterns, computed on first use.
    patterns: OnceCell<WildcardSet>,
    /// The listed patterns, without those that match nearly every name, computed on first use.
    specific: OnceCell<WildcardSet>,
    /// The listed names without `*`, computed on first use.
    literal: OnceCell<HashSet<String>>,
    /// How many names were compared with misspelled ones.
    compared: Cell<usize>,
}

impl<'a> KnownVariables<'a> {
    fn objects(&self) -> impl Iterator<Item = Node<'a>> {
        self.objects.into_iter().flatten()
    }

    /// The members of the objects with the defaults.
    fn members(&self) -> impl Iterator<Item = Member<'a>> {
        self.objects().flat_map(Node::members)
    }

    /// The variables with a default in one of these objects, and those that are listed.
    pub(crate) fn of(objects: [Option<Node<'a>>; 2], listed: Option<&'a [Wildcard]>) -> Self {
        Self {
            objects,
            listed,
            defaults: OnceCell::new(),
            patterns: OnceCell::new(),
            specific: OnceCell::new(),
            literal: OnceCell::new(),
            compared: Cell::new(0),
        }
    }

    fn defaults(&self) -> &BTreeSet<String> {
        self.defaults
            .get_or_init(|| self.members().map(|member| member.name().into_owned()).collect())
    }

    fn has_default(&self, name: &str) -> bool {
        self.defaults().contains(name)
    }

    fn listed(&self) -> &'a [Wildcard] {
        self.listed.unwrap_or_default()
    }

    fn literal(&self) -> &HashSet<String> {
        self.literal.get_or_init(|| {
            let literal = self.listed().iter().filter(|known| known.is_literal());
            literal.map(|known| known.as_str().to_owned()).collect()
        })
    }

    /// Whether the configuration lists the variables of calls.
    pub const fn are_listed(&self) -> bool {
        self.listed.is_some()
    }

    /// Whether a syntax error may hide defaults.
    pub fn are_incomplete(&self) -> bool {
        self.objects().any(Node::is_incomplete)
    }

    /// Whether a variable has a default. Transfer destinations are a setting among the defaults.
    pub fn has_defaults(&self) -> bool {
        let is_variable =
            |member: Member<'_>| member.name() != agent_transfer_destinations.row.name;
        self.members().any(is_variable)
    }

    /// Whether the configuration lists the variable, by its name or a pattern.
    pub fn is_listed(&self, name: &str) -> bool {
        let patterns = || self.patterns.get_or_init(|| self.listed().iter().cloned().collect());
        self.are_listed() && (self.literal().contains(name) || patterns().matches(name))
    }

    /// What provides the variable; `None` if it is not known.
    pub fn source(&self, name: &str) -> Option<VariableSource> {
        if self.has_default(name) {
            Some(VariableSource::Default)
        } else if self.is_listed(name) {
            Some(VariableSource::Listed)
        } else if SERVICE_VARIABLES.contains(&name) {
            Some(VariableSource::Service)
        } else {
            None
        }
    }

    /// Whether a pattern other than `*` matches the variable.
    pub fn matches(&self, name: &str) -> bool {
        let specific = self.specific.get_or_init(|| {
            let is_specific = |known: &&Wildcard| known.as_str().trim_matches('*').len() > 1;
            self.listed().iter().filter(is_specific).cloned().collect()
        });
        specific.matches(name)
    }

    /// Whether the document or the configuration has exactly this name, and not only a pattern.
    pub fn names(&self, name: &str) -> bool {
        self.has_default(name) || self.literal().contains(name)
    }

    /// The known name that a misspelled one most likely means, if no other one is as near.
    pub fn only_nearest(&self, name: &str) -> Option<&str> {
        let near = self.nearest(name)?;
        suggest::is_only_nearest(name, near, self.literal_names()).then_some(near)
    }

    /// The known variable that a misspelled name most likely means; `None` also after very many searches.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        if !self.may_compare() {
            return None;
        }
        suggest::nearest(name, self.literal_names())
    }

    /// The known variable that has this name but for case and separators; `None` also after very many searches.
    pub fn respelled(&self, name: &str) -> Option<&str> {
        if !self.may_compare() {
            return None;
        }
        self.own_names().find(|known| suggest::is_respelling(known, name))
    }

    /// Whether one more name may be compared with all known ones.
    fn may_compare(&self) -> bool {
        let compared = self.compared.get();
        self.compared.set(compared.saturating_add(self.listed().len() + self.defaults().len()));
        compared < MAX_COMPARED
    }

    /// The names of all known variables, those of the service last.
    fn literal_names(&self) -> impl Iterator<Item = &str> {
        self.own_names().chain(SERVICE_VARIABLES)
    }

    /// The names of the known variables, without those of the service.
    pub(crate) fn own_names(&self) -> impl Iterator<Item = &str> {
        let listed = self.listed().iter().filter(|known| known.is_literal()).map(Wildcard::as_str);
        let defaults = self.defaults().iter().map(String::as_str);
        let setting = agent_transfer_destinations.row.name;
        listed.chain(defaults.filter(move |name| *name != setting))
    }
}
