//! Passes the events of the library to the reader.

use std::cell::RefCell;

use toml_parser::decoder::Encoding;
use toml_parser::parser::{EventKind, EventReceiver};
use toml_parser::{ErrorSink, Span};

use super::reader::Reader;

/// Events and errors never arrive at the same time, so the reader is never borrowed twice.
pub(super) struct Events<'r, 't>(pub(super) &'r RefCell<Reader<'t>>);

impl Events<'_, '_> {
    fn pass(&self, kind: EventKind, span: Span, form: Option<Encoding>) {
        self.0.borrow_mut().event(kind, super::grammar_errors::span_of(span), form);
    }
}

impl EventReceiver for Events<'_, '_> {
    fn std_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.pass(EventKind::StdTableOpen, span, None);
    }

    fn std_table_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.pass(EventKind::StdTableClose, span, None);
    }

    fn array_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.pass(EventKind::ArrayTableOpen, span, None);
    }

    fn array_table_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.pass(EventKind::ArrayTableClose, span, None);
    }

    fn inline_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) -> bool {
        self.pass(EventKind::InlineTableOpen, span, None);
        self.0.borrow().goes_inside()
    }

    fn inline_table_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.pass(EventKind::InlineTableClose, span, None);
    }

    fn array_open(&mut self, span: Span, _: &mut dyn ErrorSink) -> bool {
        self.pass(EventKind::ArrayOpen, span, None);
        self.0.borrow().goes_inside()
    }

    fn array_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.pass(EventKind::ArrayClose, span, None);
    }

    fn simple_key(&mut self, span: Span, form: Option<Encoding>, _: &mut dyn ErrorSink) {
        self.pass(EventKind::SimpleKey, span, form);
    }

    fn key_sep(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.pass(EventKind::KeySep, span, None);
    }

    fn key_val_sep(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.pass(EventKind::KeyValSep, span, None);
    }

    fn scalar(&mut self, span: Span, form: Option<Encoding>, _: &mut dyn ErrorSink) {
        self.pass(EventKind::Scalar, span, form);
    }

    fn value_sep(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.pass(EventKind::ValueSep, span, None);
    }

    fn newline(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.pass(EventKind::Newline, span, None);
    }

    fn error(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.pass(EventKind::Error, span, None);
    }
}
