//! The public items of the crate, as a list that is reviewed when it changes. The ids of the rules have a list of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use voxlint_testing::{assert_snapshot, files_below, repository};

/// One line of the list for each public item, field, variant, method and trait.
#[test]
fn public_items_are_listed() {
    let root = repository().join("crates/voxlint/src");
    let library = fs::read_to_string(root.join("lib.rs")).unwrap();
    let (mut modules, mut exports) = (BTreeSet::new(), BTreeMap::new());
    for statement in statements(&library) {
        if let Some(module) = statement.strip_prefix("pub mod ") {
            modules.insert(module.to_owned());
        } else if let Some(path) = statement.strip_prefix("pub use ") {
            let (module, names) = path.rsplit_once("::").unwrap_or((path, path));
            for name in names.trim_matches(['{', '}']).split(',').map(str::trim) {
                let name = name.rsplit(" as ").next().unwrap();
                if name.is_empty() {
                    continue;
                }
                exports.insert(name.to_owned(), module.to_owned());
            }
        }
    }

    let mut list: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for file in files_below("crates/voxlint/src", "rs") {
        let module = module_of(file.strip_prefix(&root).unwrap());
        let text = fs::read_to_string(&file).unwrap();
        for Item { owner, line } in items(&text) {
            let is_exported = exports.contains_key(&owner);
            if is_exported {
                list.entry(owner.clone()).or_default().insert(line);
                found.insert(owner);
            } else if modules.contains(&module) {
                list.entry(format!("{module}::{owner}")).or_default().insert(line);
            }
        }
    }
    for (name, module) in &exports {
        if !found.contains(name) {
            list.entry(name.clone()).or_default().insert(format!("from {module}"));
            assert!(module.contains("voxlint_"), "{name} is exported, but no file declares it");
        }
    }
    let mut text = String::new();
    for (item, lines) in list {
        text.extend([&item[..], "\n"]);
        text.extend(lines.iter().map(|line| format!("    {line}\n")));
    }
    assert_snapshot("", "public-api", &text);
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
    steps.join("::").trim_end_matches("::mod").to_owned()
}

/// The statements of a file that end with a semicolon, each on one line.
fn statements(text: &str) -> Vec<String> {
    let code: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with("//") && !line.starts_with("#["))
        .collect();
    code.join(" ").split(';').map(|statement| statement.trim().to_owned()).collect()
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
    for (index, line) in lines.iter().enumerate() {
        let rest = &lines[index..];
        let mut push = |owner: &str, line: String| {
            items.push(Item { owner: owner.to_owned(), line });
        };
        if let Some(attribute) = line.strip_prefix("#[") {
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
        } else if line.starts_with("pub ") {
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
                _ => Inside::Other,
            };
            if !item.starts_with("pub mod") {
                push(&owner, format!("{item}{attributes}"));
            }
            attributes.clear();
        } else if line.starts_with("named! {") {
            let name = rest.get(1).and_then(|line| line.split(',').next()).unwrap().trim();
            push(name, "impl Display, FromStr; ALL, name()".to_owned());
        } else if let Some(line) = line.strip_prefix("    ").filter(|line| !line.starts_with(' ')) {
            let member = match inside {
                Inside::Methods => line.starts_with("pub ").then(|| head(rest)),
                Inside::Fields => {
                    line.starts_with("pub ").then(|| line.trim_end_matches(',').to_owned())
                }
                Inside::Variants => line.starts_with(char::is_uppercase).then(|| variant(rest)),
                Inside::Trait => line.starts_with("fn ").then(|| head(rest)),
                Inside::Other => None,
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
    Other,
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
    variant.trim().trim_end_matches(',').to_owned()
}
