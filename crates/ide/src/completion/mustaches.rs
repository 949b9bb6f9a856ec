//! Variables, helpers and blocks inside mustaches.

use voxlint::template_variables;

use super::{Completion, CompletionKind, List, Request};
use crate::describe;
use crate::knowledge;
use crate::mustache::Mustache;

/// The helpers that open a block.
const BLOCKS: [&str; 4] = ["if", "unless", "each", "with"];

impl Request<'_> {
    pub(super) fn in_mustache(&self, tag: &Mustache, list: &mut List) {
        match tag.sign {
            Some('/') if tag.is_head => closers(tag, "", list),
            Some('#' | '^') if tag.is_head => self.blocks(tag, "", list),
            None | Some('#' | '^' | '&') => {
                self.variables(tag, list);
                if tag.sign.is_none() && tag.is_head {
                    closers(tag, "/", list);
                    if tag.open.last().is_some_and(|block| BLOCKS.contains(&block.as_str())) {
                        write("else", "else", CompletionKind::Helper, tag, list);
                    }
                    self.blocks(tag, "#", list);
                    write("lookup", "lookup", CompletionKind::Helper, tag, list);
                }
            }
            Some(_) => {}
        }
    }

    fn variables(&self, tag: &Mustache, list: &mut List) {
        let Some(inputs) = self.inputs else { return };
        let typed = tag.word.slice(self.text);
        let table = template_variables(inputs);
        let uses = |name: &str| {
            let table = table.as_ref()?;
            let variable = table.variables.iter().find(|variable| variable.name == name)?;
            Some(variable.uses.len())
        };
        if tag.open.iter().any(|block| block == "each") {
            for name in ["this", "@index", "@key", "@first", "@last"] {
                write(name, name, CompletionKind::Variable, tag, list);
            }
        }
        for (name, source) in knowledge::variables(inputs) {
            // The word that is being typed is not a variable yet.
            let is_typed = name == typed && source.is_none() && uses(&name) == Some(1);
            if is_typed || !is_name(&name) || describe::helper(&name).is_some() {
                continue;
            }
            write(&name, &name, CompletionKind::Variable, tag, list);
            if let Some(completion) = list.0.last_mut() {
                completion.detail = Some(describe::provided(source).to_owned());
            }
        }
    }

    /// Blocks that can be opened. `sign` is the sign that is not written yet.
    fn blocks(&self, tag: &Mustache, sign: &str, list: &mut List) {
        for name in BLOCKS {
            let label = format!("{sign}{name}");
            let is_whole =
                self.options.snippets && !tag.missing.is_empty() && tag.missing.len() == 2;
            if is_whole && tag.sign != Some('^') {
                let text = format!("{label} ${{1:name}}\\}}\\}}$0{{{{/{name}\\}}\\}}");
                list.push(Completion {
                    documentation: describe::helper(name).map(str::to_owned),
                    is_snippet: true,
                    ..Completion::plain(&label, CompletionKind::Helper, tag.word, &text)
                });
            } else {
                list.push(Completion {
                    documentation: describe::helper(name).map(str::to_owned),
                    ..Completion::plain(&label, CompletionKind::Helper, tag.word, &label)
                });
            }
        }
    }
}

/// The blocks that are open, the innermost first. `sign` is the sign that is not written yet.
fn closers(tag: &Mustache, sign: &str, list: &mut List) {
    let mut seen = Vec::new();
    for name in tag.open.iter().rev().filter(|name| is_name(name)) {
        if seen.contains(&name) || seen.len() == 8 {
            continue;
        }
        seen.push(name);
        let label = format!("{sign}{name}");
        write(&label, &label, CompletionKind::Helper, tag, list);
        if let Some(completion) = list.0.last_mut() {
            completion.detail = Some("closes the block".to_owned());
        }
    }
}

/// A word with the braces that are missing after it.
fn write(label: &str, text: &str, kind: CompletionKind, tag: &Mustache, list: &mut List) {
    let text = format!("{text}{}", tag.missing);
    list.push(Completion {
        documentation: describe::helper(label).map(str::to_owned),
        ..Completion::plain(label, kind, tag.word, &text)
    });
}

/// Whether a variable can be written without brackets.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || byte >= 0x80)
}
