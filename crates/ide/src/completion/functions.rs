//! Names of functions in prompts.

use voxlint::schema::settings::agent_function;
use voxlint::secrets::Mask;
use voxlint::syntax::Span;
use voxlint_model::heard::{is_function_expected, is_in_accepted_name, is_like_function};

use super::{Completion, CompletionKind, List, Request};
use crate::cursor::Value;
use crate::describe::{self, Values};
use crate::names::Functions;

impl Request<'_> {
    /// The functions that can be named at a place of a prompt: in code marks, behind a verb such as "call", or where the word so
    /// far is like a name. Nothing is offered in other prose.
    pub(super) fn functions(&self, value: &Value, list: &mut List) {
        let Some(inputs) = self.inputs else { return };
        let Some(functions) = Functions::of(inputs) else { return };
        let before = Span::new(value.inner.start.min(self.offset), self.offset).slice(self.text);
        let start = before.trim_end_matches(is_in_accepted_name).len();
        let (before, typed) = before.split_at_checked(start).unwrap_or_default();
        if !(is_function_expected(before) || is_like_function(typed)) {
            return;
        }
        let after = self.text.get(self.offset as usize..).unwrap_or_default();
        let rest = after.len() - after.trim_start_matches(is_in_accepted_name).len();
        let word = Span::new(self.offset - typed.len() as u32, self.offset + rest as u32);
        let mask = Mask::of(inputs);
        let values = Values::new(inputs, &mask);
        for (name, entry) in functions.named() {
            // Others would need quotes or escapes in some formats.
            let is_plain =
                name.chars().all(|c| is_in_accepted_name(c) || c.is_alphanumeric() || c == ' ');
            if !is_plain
                || !name.get(..typed.len()).is_some_and(|it| it.eq_ignore_ascii_case(typed))
            {
                continue;
            }
            let about = describe::function(&values, &name, entry, functions.origin);
            let detail = entry.get(agent_function::function_type.row.name);
            list.push(Completion {
                detail: detail.and_then(|it| Some(it.as_str()?.into_owned())),
                documentation: Some(mask.sentence(&about)),
                ..Completion::plain(&name, CompletionKind::Function, word, &name)
            });
        }
    }
}
