//! The JSON of reports, in which characters that steer a terminal or a build server are written as escapes.

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::escaping_writer::write_json_fragment;

/// Appends a value on one line.
pub(crate) fn write_compact(out: &mut Vec<u8>, value: &impl Serialize) {
    write(out, value, Layout { depth: None, has_value: false });
}

/// Appends a value over several lines, as a part of a text that is indented by this many levels.
pub(crate) fn write_pretty(out: &mut Vec<u8>, value: &impl Serialize, depth: usize) {
    write(out, value, Layout { depth: Some(depth), has_value: false });
}

/// The same as a text of its own.
pub(crate) fn pretty(value: &impl Serialize, depth: usize) -> Vec<u8> {
    let mut out = Vec::new();
    write_pretty(&mut out, value, depth);
    out
}

fn write(out: &mut Vec<u8>, value: &impl Serialize, layout: Layout) {
    // Memory takes everything, and the names of all fields are strings.
    let _ = value.serialize(&mut Serializer::with_formatter(out, layout));
}

/// Where the parts of a value stand. The escapes are made here as well, because this is the place where the unescaped parts
/// of a string can be told from everything else.
struct Layout {
    /// The levels of indentation; `None` on one line.
    depth: Option<usize>,
    /// Whether the current array or object has a value.
    has_value: bool,
}

impl Layout {
    fn open<W: ?Sized + io::Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth = self.depth.map(|depth| depth + 1);
        self.has_value = false;
        out.write_all(bracket)
    }

    fn close<W: ?Sized + io::Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth = self.depth.map(|depth| depth - 1);
        if self.has_value {
            self.break_line(out)?;
        }
        out.write_all(bracket)
    }

    fn next<W: ?Sized + io::Write>(&self, out: &mut W, is_first: bool) -> io::Result<()> {
        if !is_first {
            out.write_all(b",")?;
        }
        self.break_line(out)
    }

    fn break_line<W: ?Sized + io::Write>(&self, out: &mut W) -> io::Result<()> {
        const INDENTED: &[u8; 33] = b"\n                                ";
        let Some(depth) = self.depth else { return Ok(()) };
        match INDENTED.get(..=2 * depth) {
            Some(indented) => out.write_all(indented),
            None => write!(out, "\n{:1$}", "", 2 * depth),
        }
    }
}

impl Formatter for Layout {
    fn begin_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        is_first: bool,
    ) -> io::Result<()> {
        self.next(out, is_first)
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        is_first: bool,
    ) -> io::Result<()> {
        self.next(out, is_first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(if self.depth.is_some() { b": " } else { b":" })
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }

    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        write_json_fragment(out, fragment)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn compact(value: &impl Serialize) -> Vec<u8> {
        let mut out = Vec::new();
        write_compact(&mut out, value);
        out
    }

    #[test]
    fn the_layout_is_that_of_serde_json() {
        let value = json!({
            "a": [], "b": {}, "c": [1, [2.5, null], {}], "d": { "e": "x\n\"y\"", "f": { "g": [true] } },
            "deep": [[[[[[[[[[[[[[[[[["down"]]]]]]]]]]]]]]]]]],
        });
        assert_eq!(compact(&value), serde_json::to_vec(&value).unwrap());
        assert_eq!(pretty(&value, 0), serde_json::to_vec_pretty(&value).unwrap());
        let indented = serde_json::to_string_pretty(&value).unwrap().replace('\n', "\n    ");
        assert_eq!(String::from_utf8(pretty(&value, 2)).unwrap(), indented);
    }

    #[test]
    fn what_steers_a_terminal_is_escaped() {
        let value = json!({ "a\u{202e}": "b\u{9b}é##[x]\u{e0041}" });
        let written = String::from_utf8(compact(&value)).unwrap();
        assert_eq!(written, r#"{"a\u202e":"b\u009bé#\u0023[x]\udb40\udc41"}"#);
    }
}
