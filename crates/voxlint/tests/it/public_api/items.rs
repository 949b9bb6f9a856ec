//! Reads the public items of a crate from its formatted sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use voxlint_testing::{files_below, repository};

/// The public items of a crate: their paths, each with its lines.
pub(super) type Listing = BTreeMap<String, BTreeSet<String>>;

/// The modules that are not listed: the ids of the rules have a list of their own.
const UNLISTED: [&str; 1] = ["rules::ids"];

/// The public items of a crate in a folder below `crates`. An item is listed under the path that its users write.
pub(super) fn listing(krate: &str) -> Listing {
    let mut files = sources(krate);
    files.retain(|module, _| !UNLISTED.contains(&&**module));

    // The public modules, the names that they export from elsewhere, and where from.
    let mut modules = vec![String::new()];
    let (mut exports, mut origins) = (BTreeMap::<_, Vec<_>>::new(), BTreeMap::new());
    let mut parts = BTreeSet::from([None]);
    let mut index = 0;
    while let Some(module) = modules.get(index).cloned() {
        index += 1;
        for statement in statements(&files[&module]) {
            if let Some(inner) = statement.strip_prefix("pub mod ") {
                let inner = path_in(&module, inner);
                modules.extend(files.contains_key(&inner).then_some(inner));
            } else if let Some(path) = statement.strip_prefix("pub use ") {
                let (origin, names) =
                    path.split_once("::{").or(path.rsplit_once("::")).unwrap_or((path, path));
                for name in names.trim_end_matches('}').split(',').map(str::trim) {
                    let (name, alias) = name.split_once(" as ").unwrap_or((name, name));
                    if !name.is_empty() {
                        let shown = path_in(&module, alias);
                        let part = PARTS.into_iter().find(|part| {
                            origin.split("::").next() == Some(&format!("voxlint_{part}"))
                        });
                        parts.insert(part);
                        origins.insert(shown.clone(), origin.to_owned());
                        exports.entry((part, name.to_owned())).or_default().push(shown);
                    }
                }
            }
        }
    }
    // Methods of a type may be in any file.
    let mut types = BTreeMap::new();
    for module in &modules {
        for Item { owner, line } in items(&files[module]) {
            if is_type(&line) {
                types.insert(owner.clone(), vec![path_in(module, &owner)]);
            }
        }
    }

    let mut list = Listing::new();
    let of_parts = parts.into_iter().flat_map(|part| {
        let files = part.map_or_else(|| files.clone(), sources);
        files.into_iter().map(move |(module, text)| (part, module, text))
    });
    for (part, module, text) in of_parts {
        let items = items(&text);
        let is_declared = |owner: &str| {
            part.is_none()
                && modules.contains(&module)
                && items.iter().any(|item| item.owner == owner && item.line.starts_with("pub "))
        };
        for Item { owner, line } in &items {
            let here = is_declared(owner).then(|| vec![path_in(&module, owner)]);
            let types = types.get(owner).filter(|_| part.is_none());
            let paths = exports.get(&(part, owner.clone())).or(here.as_ref()).or(types);
            for path in paths.into_iter().flatten() {
                list.entry(path.clone()).or_default().insert(line.clone());
            }
        }
    }
    for (path, origin) in origins {
        if !list.contains_key(&path) {
            let first = origin.split("::").next().unwrap();
            let is_here = ["self", "crate", "super"].contains(&first) || files.contains_key(first);
            assert!(!is_here, "{krate}: {path} is exported, but no file declares it");
            list.entry(path).or_default().insert(format!("from {origin}"));
        }
    }
    list
}

/// The crates that `voxlint` is made of. Callers see only what it exports from them.
const PARTS: [&str; 3] = ["model", "rules", "engine"];

/// The files of a crate by their modules.
fn sources(krate: &str) -> BTreeMap<String, String> {
    let folder = format!("crates/{krate}/src");
    let root = repository().join(&folder);
    let files = files_below(&folder, "rs").into_iter().map(|file| {
        let module = module_of(file.strip_prefix(&root).unwrap());
        (module, fs::read_to_string(&file).unwrap())
    });
    files.collect()
}

/// The line for all fields of a struct that are not public.
pub(super) const PRIVATE_FIELDS: &str = "private fields";

/// Whether a line declares a struct or an enum.
pub(super) fn is_type(line: &str) -> bool {
    line.starts_with("pub struct ") || line.starts_with("pub enum ")
}

/// The path of an item of a module. The root of a crate has no name, and neither has the table of a module.
fn path_in(module: &str, item: &str) -> String {
    let steps: Vec<&str> = [module, item].into_iter().filter(|it| !it.is_empty()).collect();
    steps.join("::")
}

/// A public item: the item at the top of its file that it belongs to, and its line in the list.
struct Item {
    owner: String,
    line: String,
}

/// The path of the module in a file.
fn module_of(file: &Path) -> String {
    let steps = file.with_extension("");
    let steps: Vec<_> = steps.iter().map(|step| step.to_string_lossy()).collect();
    let path = steps.join("::");
    if path == "lib" { String::new() } else { path.trim_end_matches("::mod").to_owned() }
}

/// The public modules and exports of a formatted file, each on one line.
fn statements(text: &str) -> Vec<String> {
    let mut statements = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("pub use ") || (line.starts_with("pub mod ") && line.ends_with(';')) {
            let mut statement = line.to_owned();
            while !statement.ends_with(';') {
                statement += lines.next().unwrap().trim();
            }
            statements.push(statement.trim_end_matches(';').to_owned());
        }
    }
    statements
}

/// The public items of a formatted file.
fn items(text: &str) -> Vec<Item> {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
    let lines: Vec<&str> =
        code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let mut items = Vec::new();
    // The item at the top of the file that the line is inside, and what its lines are.
    let (mut owner, mut inside) = (String::new(), Inside::Other);
    let mut attributes = String::new();
    // The enums that macros declare, by the names of the macros.
    let mut declared = BTreeMap::new();
    for (index, line) in lines.iter().enumerate() {
        let rest = &lines[index..];
        let mut push = |owner: &str, line: String| {
            items.push(Item { owner: owner.to_owned(), line });
        };
        if line.starts_with("#[cfg(doctest)]") {
            break;
        } else if let Some(name) = line.strip_prefix("macro_rules! ") {
            let end = rest.iter().position(|line| *line == "}").unwrap();
            if let Some((owner, lines)) = declared_by_macro(&rest[..end]) {
                declared.insert(format!("{}! {{", name.trim_end_matches(" {")), owner.clone());
                for line in lines {
                    push(&owner, line);
                }
            }
            inside = Inside::Other;
        } else if let Some(name) = declared.get(*line) {
            owner.clone_from(name);
            inside = Inside::Variants;
        } else if line.trim() == "table! {" {
            if !line.starts_with(' ') {
                owner.clear();
            }
            inside = Inside::Table;
        } else if let Some(attribute) = line.strip_prefix("#[") {
            if attribute.starts_with("derive") || attribute.starts_with("non_exhaustive") {
                attributes.extend([format!(" #[{attribute}")]);
            }
        } else if let Some(header) = line.strip_prefix("impl").filter(|_| line.ends_with('{')) {
            let header = header.trim_end_matches(" {");
            let header = header.strip_prefix(' ').unwrap_or(header);
            let is_trait = header.contains(" for ");
            let name = header.rsplit(" for ").next().unwrap();
            let name = name.rsplit("> ").next().unwrap();
            name.split('<').next().unwrap().clone_into(&mut owner);
            inside = if is_trait { Inside::Other } else { Inside::Methods };
            if is_trait {
                push(&owner, format!("impl {header}"));
            }
            attributes.clear();
        } else if line.starts_with("pub ") && !line.starts_with("pub use ") {
            let item = head(rest);
            let mut words = item.split([' ', '(', '<', ':', ';']).filter(|word| {
                !["pub", "const", "struct", "enum", "trait", "fn", "static", "type", "mod", "use"]
                    .contains(word)
            });
            words.next().unwrap_or_default().clone_into(&mut owner);
            inside = match item.split(' ').nth(1) {
                Some("struct") => Inside::Fields,
                Some("enum") => Inside::Variants,
                Some("trait") => Inside::Trait,
                // A module in the same file.
                Some("mod") => Inside::Methods,
                _ => Inside::Other,
            };
            if !item.starts_with("pub mod") {
                push(&owner, format!("{item}{attributes}"));
            }
            attributes.clear();
        } else if line.starts_with("named! {") {
            let name = rest.get(1).and_then(|line| line.split(',').next()).unwrap().trim();
            push(name, "impl Display, FromStr; ALL, name()".to_owned());
        } else if let (Inside::Table, Some(row)) = (inside, row(line)) {
            push(&owner, row);
        } else if let Some(line) = line.strip_prefix("    ").filter(|line| !line.starts_with(' ')) {
            let is_hidden = index > 0 && lines[index - 1].trim() == "#[doc(hidden)]";
            let member = match inside {
                // Public for the other crates of voxlint alone.
                Inside::Fields if is_hidden => Some(PRIVATE_FIELDS.to_owned()),
                _ if is_hidden => None,
                Inside::Methods => line.starts_with("pub ").then(|| head(rest)),
                Inside::Fields if line.starts_with("pub ") => {
                    Some(line.trim_end_matches(',').to_owned())
                }
                // Callers cannot build such a struct from its fields.
                Inside::Fields => line.contains(": ").then(|| PRIVATE_FIELDS.to_owned()),
                Inside::Variants => line
                    .starts_with(|it: char| it.is_uppercase() || it == '[')
                    .then(|| variant(rest)),
                Inside::Trait => line.starts_with("fn ").then(|| head(rest)),
                Inside::Table | Inside::Other => None,
            };
            if let Some(member) = member {
                push(&owner, member);
            }
        } else if line.starts_with(['}', ')']) {
            inside = Inside::Other;
        } else if !line.is_empty() {
            attributes.clear();
        }
    }
    items
}

/// What the lines of an item are.
#[derive(Clone, Copy)]
enum Inside {
    Fields,
    Variants,
    Methods,
    Trait,
    /// The rows of a table of fields.
    Table,
    Other,
}

/// The enum that a macro declares, and the lines of its declaration and methods. Its variants are where the macro is called.
fn declared_by_macro(lines: &[&str]) -> Option<(String, Vec<String>)> {
    let at = lines.iter().position(|line| line.trim().starts_with("pub enum "))?;
    let head = lines[at].trim().trim_end_matches(" {").to_owned();
    let owner = head.trim_start_matches("pub enum ").to_owned();
    let attributes = lines[..at].iter().rev().map(|line| line.trim());
    let attributes = attributes.take_while(|line| line.starts_with("#["));
    let attributes: Vec<String> = attributes.map(|line| format!(" {line}")).collect();
    let declaration = head + &attributes.into_iter().rev().collect::<String>();
    let methods = lines.iter().enumerate().skip(at + 1);
    let methods = methods.filter(|(_, line)| line.trim().starts_with("pub "));
    let methods = methods.map(|(at, _)| {
        self::head(&lines[at..])
            .replace(": [Self; [$($(#[cfg(feature = $feature)])? $name),+].len()]", "")
    });
    Some((owner, [declaration].into_iter().chain(methods).collect()))
}

/// A field in a table, or the table.
fn row(line: &str) -> Option<String> {
    let line = line.trim();
    if line.starts_with("pub static TABLE: ") {
        return Some("pub static TABLE: Table".to_owned());
    }
    let (name, kind) = line.split_once(" = ")?.0.split_once(": ")?;
    let (name, _) = name.split_once(' ').unwrap_or((name, ""));
    let is_field = ["Text", "Number", "Flag", "Map", "List"].contains(&kind);
    is_field.then(|| format!("pub static {name}: Field<{kind}>"))
}

/// An item up to its body, on one line.
fn head(lines: &[&str]) -> String {
    let mut head = String::new();
    for line in lines {
        let line = line.trim();
        let glue =
            if head.is_empty() || head.ends_with('(') || line.starts_with(')') { "" } else { " " };
        head += glue;
        head += line.trim_end_matches('{').trim_end_matches(';').trim_end();
        if line.ends_with(['{', ';', '}']) {
            break;
        }
    }
    let head = head.replace(",)", ")");
    // The value of a constant is not a part of its type.
    match head.split_once(" = ") {
        Some((declaration, _)) if !head.contains("fn ") => declaration.to_owned(),
        _ => head,
    }
}

/// A variant with its fields, on one line.
fn variant(lines: &[&str]) -> String {
    let mut variant = String::new();
    for line in lines {
        let line = line.trim();
        variant += line;
        if line.ends_with("},") || (!variant.contains('{') && line.ends_with(',')) {
            break;
        }
        variant.push(' ');
    }
    // Macros give variants a name, and `["html"]` is the feature that a variant needs.
    let variant = variant.split_once(" = ").map_or(&*variant, |(variant, _)| variant);
    variant.trim().trim_end_matches(',').to_owned()
}
