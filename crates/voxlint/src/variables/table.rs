//! The template variables of a document, for people who review prompts.

use std::collections::BTreeMap;

use voxlint_engine::resolve::Resolver;
use voxlint_model::masking;
use voxlint_model::masking::Mask;
use voxlint_model::place::Place;
use voxlint_model::variables::flow::{FlowUse, Gap, GapCause, VariableFlow};
use voxlint_model::variables::known::{KnownVariables, VariableSource};
use voxlint_model::variables::mentions::{each_name, other_settings};
use voxlint_model::variables::scope::VariableRole;
use voxlint_model::{Inputs, Origin};
use voxlint_schema::settings::default_dynamic_variables::agent_transfer_destinations;
use voxlint_schema::{DocumentKind, settings, template};
use voxlint_syntax::{Node, Span};

/// The template variables of a document: those that its templates use, and those that have a default.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VariableTable {
    /// The kind of the document.
    pub kind: DocumentKind,
    /// The variables, sorted by name.
    pub variables: Vec<TemplateVariable>,
    /// Where templates may use more variables: in the order of the templates. Without any, all uses are known.
    pub gaps: Vec<VariableGap>,
}

/// A template variable.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TemplateVariable {
    /// The name, with secrets masked.
    pub name: String,
    /// What provides it; `None` if that is not known.
    pub source: Option<VariableSource>,
    /// The key in `default_dynamic_variables`, in the document or else stored.
    pub default: Option<VariablePlace>,
    /// The uses: those in the document in the order of its templates, then those in stored templates that it leaves unchanged.
    pub uses: Vec<VariableReference>,
    /// The other settings that mention a default that no template uses, such as `agent_functions`.
    pub mentions: Vec<String>,
}

/// A place where a template may use variables that are not known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VariableGap {
    /// The error, or what reads all variables.
    pub place: VariablePlace,
    /// Why.
    pub cause: GapCause,
}

/// A place where a variable is defined or used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VariablePlace {
    /// The input that `span` points into.
    pub origin: Origin,
    /// A JSON Pointer into the effective configuration.
    pub field: String,
    /// The name, as bytes of the file.
    pub span: Span,
}

/// A use of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VariableReference {
    /// Where it is.
    pub place: VariablePlace,
    /// What the template does with the value.
    pub role: VariableRole,
    /// Whether the use is inside a block that is only rendered if the variable has a value.
    pub is_guarded: bool,
    /// Whether the name is certainly read from the variables of the call. Inside `{{#each}}` it is a name of each item.
    pub is_certain: bool,
}

impl TemplateVariable {
    /// Whether the templates render the variable only if it has a value; `None` if they do not use it.
    pub fn is_guarded(&self) -> Option<bool> {
        let allows_for_absence = |it: &VariableReference| it.is_guarded || it.role.is_test();
        (!self.uses.is_empty()).then(|| self.uses.iter().all(allows_for_absence))
    }
}

/// Lists the template variables of a document; `None` if documents of its kind have no templates.
///
/// ```
/// use voxlint::{Document, Inputs, VariableSource, template_variables};
///
/// let text = r#"{ "version_number": 3, "welcome_message": "Hello {{customer_name}}, it is {{agent_name}}." }"#;
/// let table = template_variables(&Inputs::new(Document::parse(text))).expect("an update");
/// let names: Vec<_> = table.variables.iter().map(|variable| variable.name.as_str()).collect();
/// assert_eq!(names, ["agent_name", "customer_name"]);
/// assert_eq!(table.variables[0].source, Some(VariableSource::Service));
/// assert_eq!(table.variables[1].source, None);
/// ```
pub fn template_variables(inputs: &Inputs) -> Option<VariableTable> {
    let kind = inputs.checked_as();
    if kind == DocumentKind::Template {
        let root = inputs.document.tree().root()?;
        let mut flow = VariableFlow::default();
        flow.parse(template::template.row, root, &Place::of(Origin::Document, root));
        return Some(table(inputs, &flow, &inputs.defaults(), BTreeMap::new(), &[]));
    }
    if !kind.has_settings() {
        return None;
    }
    let config = inputs.effective(kind);
    let row = &settings::default_dynamic_variables;
    let mut defaults = BTreeMap::new();
    for value in [config.stored(row), config.get(row)] {
        let Some((object, place)) = value.known() else { continue };
        let members = object.members().map(|member| (member.name().into_owned(), member.value));
        defaults.extend(members.map(|(name, node)| (name, (place.origin, node))));
    }
    let roots: Vec<Node<'_>> = config.roots().collect();
    Some(table(inputs, config.variable_flow(), config.known_variables(), defaults, &roots))
}

fn table(
    inputs: &Inputs,
    flow: &VariableFlow,
    known: &KnownVariables<'_>,
    mut defaults: BTreeMap<String, (Origin, Node<'_>)>,
    roots: &[Node<'_>],
) -> VariableTable {
    let kind = inputs.checked_as();
    let mask = masking::secrets_of(inputs, None);
    let mut places = Places { resolver: Resolver::new(kind, inputs), mask: &mask };
    let shown = |name: &str| mask.name(name);
    let mut variables = Vec::new();
    for used in flow.variables() {
        let default = defaults.remove(&*used.name);
        variables.push(TemplateVariable {
            name: shown(&used.name),
            source: known.source(&used.name),
            default: default.map(|default| places.of_default(default)),
            uses: used.uses.iter().map(|used| places.of_use(used)).collect(),
            mentions: Vec::new(),
        });
    }
    // The service reads the transfer destinations itself.
    defaults.remove(agent_transfer_destinations.row.name);
    let mut mentions = mentions(roots, &defaults, shown);
    variables.extend(defaults.into_iter().map(|(name, default)| TemplateVariable {
        mentions: mentions.remove(&name).unwrap_or_default(),
        name: shown(&name),
        source: Some(VariableSource::Default),
        default: Some(places.of_default(default)),
        uses: Vec::new(),
    }));
    variables.sort_by(|a, b| a.name.cmp(&b.name));
    let gaps = flow.gaps().iter();
    let gaps = gaps.map(|gap| VariableGap { place: places.of_gap(gap), cause: gap.cause });
    VariableTable { kind, variables, gaps: gaps.collect() }
}

/// The settings outside templates that mention each of these names.
fn mentions<T>(
    roots: &[Node<'_>],
    names: &BTreeMap<String, T>,
    shown: impl Fn(&str) -> String,
) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let settings =
        roots.iter().filter(|_| !names.is_empty()).flat_map(|root| other_settings(*root));
    for setting in settings {
        each_name(setting.value, |name| {
            if names.contains_key(name) {
                let of_name = found.entry(name.to_owned()).or_default();
                let setting = shown(&setting.name());
                if !of_name.contains(&setting) {
                    of_name.push(setting);
                }
            }
            true
        });
    }
    found
}

/// Finds the characters of variables in their files.
struct Places<'a> {
    resolver: Resolver<'a>,
    mask: &'a Mask,
}

impl Places<'_> {
    /// The place of a name that belongs to a value.
    fn of(&mut self, name: &Place, value: &Place) -> VariablePlace {
        VariablePlace {
            origin: name.origin,
            field: self.mask.pointer(&self.resolver.effective_pointer(value)),
            span: self.resolver.span(name),
        }
    }

    fn of_gap(&mut self, gap: &Gap) -> VariablePlace {
        let part = gap.template.clone().decoded(gap.span.start as usize..gap.span.end as usize);
        self.of(&part, &gap.template)
    }

    fn of_default(&mut self, (origin, value): (Origin, Node<'_>)) -> VariablePlace {
        let value = Place::of(origin, value);
        self.of(&value.clone().name(), &value)
    }

    fn of_use(&mut self, used: &FlowUse) -> VariableReference {
        VariableReference {
            place: self.of(&used.place(), &used.template),
            role: used.role,
            is_guarded: used.is_guarded,
            is_certain: used.is_certain,
        }
    }
}
