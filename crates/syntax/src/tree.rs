use std::borrow::Cow;
use std::cell::OnceCell;

use crate::text::unescape;
use crate::{Decimal, DecodedText, SharedText, Span};

/// A document: its values in the order of the text, each with its span.
///
/// The nodes are in one vector, sixteen bytes each, a container before its contents. Strings and numbers are decoded on
/// demand.
///
/// ```
/// use voxlint_syntax::{Format, Kind, parse};
///
/// let parsed = parse(r#"{ "tags": ["de", "en"] }"#, Format::Json);
/// let tree = &parsed.documents[0];
/// let kinds: Vec<_> = tree.nodes().map(|node| node.kind()).collect();
/// assert_eq!(kinds, [Kind::Object, Kind::Key, Kind::Array, Kind::String, Kind::String]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub(crate) text: SharedText,
    pub(crate) nodes: Vec<RawNode>,
    /// The values of scalars whose source is not valid JSON for them, sorted by the number of their node.
    pub(crate) decoded: Vec<(u32, DecodedText<'static>)>,
    /// Whether the members of each object have different names, as far as is known.
    pub(crate) has_distinct_names: bool,
    /// Whether [`Node::is_as_written`] holds for all strings and names, and all nodes are in the order of the text.
    pub(crate) is_as_written: bool,
    pub(crate) repeated_merges: Vec<RepeatedMerge>,
}

/// A second YAML merge key (`<<`) of one mapping. Both are expanded, but many readers reject it as a key that is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RepeatedMerge {
    /// The first `<<`.
    pub first: Span,
    /// Its value.
    pub first_source: Span,
    /// The other `<<`.
    pub again: Span,
    /// Its value.
    pub source: Span,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct RawNode {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The index after the last node inside this one.
    pub(crate) next: u32,
    pub(crate) tag: Tag,
    pub(crate) flags: u8,
    /// The number of a key's name, once [`Tree::number_names`] has run.
    pub(crate) name_id: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    Object,
    Array,
    String,
    Key,
    Number,
    True,
    False,
    Null,
    Invalid,
}

/// The string contains a backslash.
pub(crate) const ESCAPED: u8 = 1;
/// The scalar has no quotes but could have: a bare key, or a plain scalar of YAML.
pub(crate) const BARE: u8 = 2;
/// The string has no closing quote.
pub(crate) const UNCLOSED: u8 = 16;
/// The value of the scalar is in [`Tree::decoded`].
pub(crate) const DECODED: u8 = 32;
/// The container has no brackets.
pub(crate) const BLOCK: u8 = 64;
/// The content of the node cannot be trusted.
pub(crate) const FAULTY: u8 = 4;
/// The container may lack something.
pub(crate) const INCOMPLETE: u8 = 8;

/// The members of the object have different names.
pub(crate) const DISTINCT: u8 = 128;
/// The escapes of the string stand for control characters, quotes, backslashes and characters beyond ASCII. The same bit as
/// [`DISTINCT`], which only objects have.
pub(crate) const PLAIN_ESCAPES: u8 = 128;

/// The number of a node in its tree. The default is that of the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The node's place in the order of the text, counted from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An object.
    Object,
    /// An array.
    Array,
    /// A string.
    String,
    /// The key of a member.
    Key,
    /// A number.
    Number,
    /// true or false.
    Bool,
    /// null.
    Null,
    /// An invalid or missing value.
    Invalid,
}

/// Numbers of names that have been seen.
struct NameSet([u64; Self::WORDS]);

impl NameSet {
    const WORDS: usize = 64;

    /// Adds a number. Returns whether the set surely did not have it: numbers that differ by a multiple of the number of bits
    /// are one to it.
    #[inline]
    fn insert(&mut self, name_id: u16) -> bool {
        let bit = 1 << (name_id % 64);
        let Some(word) = self.0.get_mut(usize::from(name_id / 64) % Self::WORDS) else {
            return false;
        };
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

impl Default for NameSet {
    fn default() -> Self {
        Self([0; Self::WORDS])
    }
}

impl Tree {
    /// An empty document of this text.
    pub(crate) const fn of(text: SharedText) -> Self {
        Self {
            text,
            nodes: Vec::new(),
            decoded: Vec::new(),
            has_distinct_names: false,
            is_as_written: false,
            repeated_merges: Vec::new(),
        }
    }

    /// The YAML merge keys after the first one of their mapping, in the order of the text.
    ///
    /// ```
    /// # #[cfg(feature = "yaml")] {
    /// use voxlint_syntax::{Format, parse};
    ///
    /// let parsed = parse("a: &a {x: 1}\nb: &b {y: 2}\nc: {<<: *a, <<: *b}\n", Format::Yaml);
    /// assert_eq!(parsed.documents[0].repeated_merges().len(), 1);
    /// # }
    /// ```
    pub fn repeated_merges(&self) -> &[RepeatedMerge] {
        &self.repeated_merges
    }

    /// The text that the tree was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text that the tree was read from, shared with the tree.
    pub fn shared_text(&self) -> SharedText {
        self.text.clone()
    }

    /// The value of the document; `None` if there is none.
    pub fn root(&self) -> Option<Node<'_>> {
        self.at(0)
    }

    /// The node with a number.
    #[inline]
    pub fn node(&self, id: NodeId) -> Option<Node<'_>> {
        self.at(id.0)
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes in the order of the text, a container before its contents.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        self.nodes.iter().enumerate().map(|(id, raw)| Node { tree: self, id: id as u32, raw: *raw })
    }

    /// The JSON Pointers of nodes, for reports.
    pub fn pointers(&self) -> Pointers {
        Pointers::default()
    }

    /// The texts that are not written in the file as they are, in the order of their nodes: those of which lines are joined or
    /// indented, for instance.
    ///
    /// ```
    /// # #[cfg(feature = "yaml")] {
    /// use voxlint_syntax::{Format, parse};
    ///
    /// let parsed = parse("- one line\n- two\n  lines\n", Format::Yaml);
    /// let texts: Vec<_> = parsed.documents[0].decoded_texts().map(|(_, text)| text).collect();
    /// assert_eq!(texts, ["two lines"]);
    /// # }
    /// ```
    pub fn decoded_texts(&self) -> impl Iterator<Item = (NodeId, &str)> {
        self.decoded.iter().map(|(id, text)| (NodeId(*id), text.as_str()))
    }

    /// The scalar or name at an offset of the file, in a tree whose nodes are in the order of the text, as those of JSON are.
    ///
    /// ```
    /// use voxlint_syntax::{Format, parse};
    ///
    /// let parsed = parse(r#"{ "tags": ["de", "en"] }"#, Format::Json);
    /// let tree = &parsed.documents[0];
    /// assert_eq!(tree.leaf_at(4).map(|node| node.source()), Some("\"tags\""));
    /// assert_eq!(tree.leaf_at(9), None);
    /// ```
    pub fn leaf_at(&self, offset: u32) -> Option<Node<'_>> {
        let after = self.nodes.partition_point(|node| node.start <= offset);
        let node = self.at((after as u32).checked_sub(1)?)?;
        let is_leaf = !matches!(node.raw.tag, Tag::Object | Tag::Array);
        (is_leaf && offset < node.raw.end).then_some(node)
    }

    /// Marks the strings, names and other scalars that overlap `span` as faulty: their content cannot be trusted.
    pub fn mark_faulty(&mut self, span: Span) {
        // With aliases, and with tables that are defined in several places, the nodes are not in the order of the text.
        for node in &mut self.nodes {
            let is_scalar = !matches!(node.tag, Tag::Object | Tag::Array);
            if is_scalar && node.start < span.end && node.end > span.start {
                node.flags |= FAULTY;
            }
        }
    }

    /// Marks every container that overlaps one of these spans: it may lack something.
    pub(crate) fn mark_incomplete_around(&mut self, spans: &[Span]) {
        let (Some(first), Some(last)) = (spans.first(), spans.last()) else { return };
        for node in &mut self.nodes {
            let is_container = matches!(node.tag, Tag::Object | Tag::Array);
            if is_container && node.start <= last.end && node.end >= first.start {
                node.flags |= INCOMPLETE;
            }
        }
    }

    /// Marks the value of the document: it may lack something.
    #[cfg(feature = "yaml")]
    pub(crate) fn mark_root_incomplete(&mut self) {
        if let Some(root) = self.nodes.first_mut() {
            root.flags |= INCOMPLETE;
        }
    }

    /// Whether the nodes are in the order of the text, and [`Node::is_as_written`] holds for all strings and names. Then a place in the
    /// text is one in the node there. `false` if that is not known.
    ///
    /// ```
    /// use voxlint_syntax::{Format, parse};
    ///
    /// let is_as_written = |text: &str| parse(text, Format::Json).documents[0].is_as_written();
    /// assert!(is_as_written(r#"{ "title": "Front\ndesk" }"#));
    /// assert!(!is_as_written(r#"{ "title": "\u0046ront desk" }"#));
    /// ```
    pub const fn is_as_written(&self) -> bool {
        self.is_as_written
    }

    /// Whether every object has distinct names, as far as [`Tree::number_names`] has found out.
    pub const fn has_distinct_names(&self) -> bool {
        self.has_distinct_names
    }

    /// Gives each key the number of its name, and finds the objects whose members have different names. `id_of` is the number
    /// of a decoded name. Numbers may be shared by names.
    ///
    /// ```
    /// use voxlint_syntax::{Format, parse};
    ///
    /// let mut tree = parse(r#"{ "v\u006fice": 1, "title": 2 }"#, Format::Json).documents.remove(0);
    /// tree.number_names(|name| if name == "voice" { 7 } else { 0 });
    /// let root = tree.root().expect("an object");
    /// assert_eq!(root.get_by_name_id(7), root.get("voice"));
    /// assert!(root.has_distinct_names());
    /// ```
    pub fn number_names(&mut self, id_of: impl Fn(&str) -> u16) {
        self.has_distinct_names = true;
        for object in 0..self.nodes.len() as u32 {
            let Some(RawNode { tag: Tag::Object, next: end, .. }) = self.raw(object) else {
                continue;
            };
            let mut seen = NameSet::default();
            let mut are_distinct = true;
            let mut at = object + 1;
            while at < end
                && let (Some(key), Some(value)) = (self.at(at), self.raw(at + 1))
            {
                let name_id = id_of(&key.as_str().unwrap_or_default());
                are_distinct &= seen.insert(name_id);
                if let Some(key) = self.nodes.get_mut(at as usize) {
                    key.name_id = name_id;
                }
                at = value.next;
            }
            self.has_distinct_names &= are_distinct;
            if are_distinct && let Some(object) = self.nodes.get_mut(object as usize) {
                object.flags |= DISTINCT;
            }
        }
    }

    #[inline]
    fn raw(&self, id: u32) -> Option<RawNode> {
        self.nodes.get(id as usize).copied()
    }

    /// The value of a scalar whose source is not valid JSON for it.
    pub(crate) fn decoded(&self, id: u32) -> Option<&DecodedText<'static>> {
        let at = self.decoded.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        self.decoded.get(at).map(|(_, text)| text)
    }

    #[inline]
    pub(crate) fn at(&self, id: u32) -> Option<Node<'_>> {
        self.nodes.get(id as usize).map(|raw| Node { tree: self, id, raw: *raw })
    }
}

/// A value or a key in a tree.
///
/// ```
/// use voxlint_syntax::{Format, parse};
///
/// let parsed = parse(r#"{ "speed": 1.50, "tags": ["de", "en"] }"#, Format::Json);
/// let root = parsed.documents[0].root().expect("an object");
/// let speed = root.get("speed").expect("a member");
/// assert_eq!(speed.source(), "1.50");
/// assert!(speed.decimal().is_some_and(|speed| speed > 1));
/// let tags = root.get("tags").expect("a member");
/// assert!(tags.elements().any(|tag| tag.as_str().as_deref() == Some("en")));
/// ```
#[derive(Clone, Copy)]
pub struct Node<'a> {
    tree: &'a Tree,
    id: u32,
    raw: RawNode,
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:?}@{}..{}", self.kind(), self.raw.start, self.raw.end)
    }
}

/// Two handles are equal when they name the same node of the same tree.
impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.id == other.id
    }
}

impl<'a> Node<'a> {
    /// The node's number.
    #[inline]
    pub fn id(self) -> NodeId {
        NodeId(self.id)
    }

    /// The number after the last node inside this one.
    pub fn after(self) -> NodeId {
        NodeId(self.raw.next)
    }

    /// What the node is.
    #[inline]
    pub fn kind(self) -> Kind {
        match self.raw.tag {
            Tag::Object => Kind::Object,
            Tag::Array => Kind::Array,
            Tag::String => Kind::String,
            Tag::Key => Kind::Key,
            Tag::Number => Kind::Number,
            Tag::True | Tag::False => Kind::Bool,
            Tag::Null => Kind::Null,
            Tag::Invalid => Kind::Invalid,
        }
    }

    /// The bytes of the node: a string with its quotes, a container with its brackets, a YAML block scalar from its `|`
    /// or `>` to the end of its last line with text. For a YAML alias, the bytes of the value it refers to.
    pub fn span(self) -> Span {
        Span::new(self.raw.start, self.raw.end)
    }

    /// The opening bracket of a container, or the first key or item of one without brackets; any other node as a whole.
    pub fn opening(self) -> Span {
        // Merged members are elsewhere in the text.
        let is_inside = |first: &Node<'_>| self.span().contains(first.span());
        let first = || {
            let first = self.tree.at(self.id + 1).filter(|_| self.raw.next > self.id + 1);
            first.filter(is_inside)
        };
        match self.raw.tag {
            Tag::Object | Tag::Array if self.raw.flags & BLOCK == 0 => {
                Span::new(self.raw.start, self.raw.start + 1)
            }
            Tag::Object | Tag::Array => first().map_or(self.span(), Node::opening),
            _ => self.span(),
        }
    }

    /// The key of this value; `None` for an item of an array, a key or the root.
    pub fn name(self) -> Option<Node<'a>> {
        let before = self.tree.at(self.id.checked_sub(1)?)?;
        (self.raw.tag != Tag::Key && before.raw.tag == Tag::Key).then_some(before)
    }

    /// Whether this is the key of a member.
    pub fn is_name(self) -> bool {
        self.raw.tag == Tag::Key
    }

    /// All nodes inside this one, a container before its contents.
    ///
    /// ```
    /// use voxlint_syntax::{Format, Kind, parse};
    ///
    /// let parsed = parse(r#"{ "tags": ["de", "en"], "speed": 1 }"#, Format::Json);
    /// let tags = parsed.documents[0].root().and_then(|root| root.get("tags")).expect("a member");
    /// assert!(tags.inside().all(|node| node.kind() == Kind::String));
    /// assert_eq!(tags.inside().count(), 2);
    /// ```
    pub fn inside(self) -> impl Iterator<Item = Node<'a>> {
        let first = self.id + 1;
        let nodes = self.tree.nodes.get(first as usize..self.raw.next as usize);
        let tree = self.tree;
        nodes.unwrap_or_default().iter().zip(first..).map(move |(raw, id)| Node {
            tree,
            id,
            raw: *raw,
        })
    }

    /// The text of the span.
    pub fn source(self) -> &'a str {
        self.span().slice(&self.tree.text)
    }

    /// Whether the node is a scalar or a key without quotes, in a format where quotes change its type: for YAML,
    /// `"on"` is always a string, and `on` only in YAML 1.2. In JSON, only a key whose quotes are missing is.
    ///
    /// [`Node::source`] is its text, and [`Node::kind`] its type.
    ///
    /// ```
    /// # #[cfg(feature = "yaml")] {
    /// use voxlint_syntax::{Format, Kind, parse};
    ///
    /// let parsed = parse("number: +14155550100\nstate: 'on'\n", Format::Yaml);
    /// let root = parsed.documents[0].root().expect("a mapping");
    /// let number = root.get("number").expect("a member");
    /// assert!(number.is_plain() && number.kind() == Kind::Number);
    /// assert!(!root.get("state").expect("a member").is_plain());
    /// # }
    /// ```
    pub fn is_plain(self) -> bool {
        self.raw.flags & BARE != 0
    }

    /// Whether the node is a container without brackets: a YAML block, or a TOML table by a header or dotted keys.
    pub fn is_block(self) -> bool {
        self.raw.flags & BLOCK != 0 && matches!(self.raw.tag, Tag::Object | Tag::Array)
    }

    /// The text after the node on its last line, without the line break.
    ///
    /// ```
    /// # #[cfg(feature = "yaml")] {
    /// use voxlint_syntax::{Format, parse};
    ///
    /// let parsed = parse("prompt: Press #1\nstate: on\n", Format::Yaml);
    /// let prompt = parsed.documents[0].root().and_then(|root| root.get("prompt")).expect("a member");
    /// assert_eq!((prompt.source(), prompt.rest_of_line()), ("Press", " #1"));
    /// # }
    /// ```
    pub fn rest_of_line(self) -> &'a str {
        let rest = self.tree.text.get(self.raw.end as usize..).unwrap_or_default();
        rest.split(['\n', '\r']).next().unwrap_or(rest)
    }

    /// Whether this container may lack something because of a syntax error, so that nothing can be reported as missing.
    pub fn is_incomplete(self) -> bool {
        self.raw.flags & INCOMPLETE != 0
    }

    /// Whether the content of the node cannot be trusted because of a syntax error inside it.
    pub fn is_faulty(self) -> bool {
        self.raw.flags & FAULTY != 0
    }

    /// The members of an object in the order of the text, including repeated keys; empty for other nodes.
    #[inline]
    pub fn members(self) -> impl Iterator<Item = Member<'a>> + Clone + use<'a> {
        let (tree, mut next) = (self.tree, self.id + 1);
        let end = if self.raw.tag == Tag::Object { self.raw.next } else { 0 };
        std::iter::from_fn(move || {
            let (key, value) = (tree.at(next).filter(|_| next < end)?, tree.at(next + 1)?);
            next = value.raw.next;
            Some(Member { key, value })
        })
    }

    /// The items of an array; empty for other nodes.
    pub fn elements(self) -> impl Iterator<Item = Node<'a>> + Clone + use<'a> {
        let (tree, mut next) = (self.tree, self.id + 1);
        let end = if self.raw.tag == Tag::Array { self.raw.next } else { 0 };
        std::iter::from_fn(move || {
            let element = tree.at(next).filter(|_| next < end)?;
            next = element.raw.next;
            Some(element)
        })
    }

    /// The values in an object or an array.
    pub(crate) fn values(self) -> impl Iterator<Item = Node<'a>> {
        self.elements().chain(self.members().map(|member| member.value))
    }

    /// The value of the last member with a key.
    pub fn get(self, name: &str) -> Option<Node<'a>> {
        self.members().filter(|member| member.is_named(name)).last().map(|member| member.value)
    }

    /// The value of the last member whose name has this number, as [`Tree::number_names`] gave it.
    pub fn get_by_name_id(self, name_id: u16) -> Option<Node<'a>> {
        if self.raw.tag != Tag::Object {
            return None;
        }
        // This is asked very often, so the keys are compared without making nodes of them.
        let (mut found, mut key) = (None, self.id + 1);
        while key < self.raw.next {
            let [name, value] = self.tree.nodes.get(key as usize..)?.first_chunk()?;
            if name.name_id == name_id {
                found = Some(key + 1);
            }
            key = value.next;
        }
        self.tree.at(found?)
    }

    /// Whether the members of this object certainly have different names, as far as [`Tree::number_names`] has found out. If
    /// not, they may have.
    pub fn has_distinct_names(self) -> bool {
        self.raw.flags & DISTINCT != 0 && self.raw.tag == Tag::Object
    }

    /// The number of a key's name, as [`Tree::number_names`] gave it; 0 before that, and for other nodes.
    pub fn name_id(self) -> u16 {
        if self.raw.tag == Tag::Key { self.raw.name_id } else { 0 }
    }

    /// The tree of the node.
    #[inline]
    pub fn tree(self) -> &'a Tree {
        self.tree
    }

    /// The decoded text of a string or a key.
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        match self.undecoded() {
            Some(text) => Some(Cow::Borrowed(text)),
            None => self.inner().map(|inner| Cow::Owned(unescape(inner))),
        }
    }

    /// The text of a string or a key, unless its escapes have to be decoded for it.
    ///
    /// ```
    /// use voxlint_syntax::{Format, parse};
    ///
    /// let parsed = parse(r#"["plain", "tab\t"]"#, Format::Json);
    /// let root = parsed.documents[0].root().expect("an array");
    /// let texts: Vec<_> = root.elements().map(|element| element.undecoded()).collect();
    /// assert_eq!(texts, [Some("plain"), None]);
    /// ```
    pub fn undecoded(self) -> Option<&'a str> {
        match self.raw.flags & (ESCAPED | DECODED) {
            0 => self.inner(),
            ESCAPED => None,
            _ => self.decoded().filter(|_| self.is_text()).map(DecodedText::as_str),
        }
    }

    /// The text of a string or a key as it is written, without its quotes, if all its letters, digits and spaces and most of its
    /// other printable ASCII characters are written as themselves: a search for these needs no decoding. Only a quote and a
    /// backslash may be escaped. `None` if that is not known.
    ///
    /// ```
    /// use voxlint_syntax::{Format, parse};
    ///
    /// let parsed = parse(r#"["call\tme\n", "c\u0061ll"]"#, Format::Json);
    /// let root = parsed.documents[0].root().expect("an array");
    /// let texts: Vec<_> = root.elements().map(|element| element.legible()).collect();
    /// assert_eq!(texts, [Some(r"call\tme\n"), None]);
    /// ```
    #[inline]
    pub fn legible(self) -> Option<&'a str> {
        match self.raw.flags & (ESCAPED | DECODED) {
            ESCAPED if self.raw.flags & PLAIN_ESCAPES == 0 || !self.is_text() => None,
            ESCAPED => self.inner(),
            _ => self.undecoded(),
        }
    }

    /// Whether [`Self::legible`] gives the text of a string or a key as it is written in the file.
    ///
    /// ```
    /// # #[cfg(feature = "yaml")] {
    /// use voxlint_syntax::{Format, parse};
    ///
    /// let parsed = parse("- one line\n- two\n  lines\n", Format::Yaml);
    /// let root = parsed.documents[0].root().expect("a sequence");
    /// let is_as_written: Vec<_> = root.elements().map(|element| element.is_as_written()).collect();
    /// assert_eq!(is_as_written, [true, false]);
    /// # }
    /// ```
    #[inline]
    pub fn is_as_written(self) -> bool {
        match self.raw.flags & (ESCAPED | DECODED) {
            ESCAPED => self.raw.flags & PLAIN_ESCAPES != 0 && self.is_text(),
            flags => flags == 0,
        }
    }

    /// The decoded text of a string or a key, with its positions in the file.
    pub fn text(self) -> Option<DecodedText<'a>> {
        if self.raw.flags & DECODED != 0 {
            return self.decoded().filter(|_| self.is_text()).map(DecodedText::lend);
        }
        let inner = self.inner()?;
        let start = if self.raw.flags & BARE == 0 { self.raw.start + 1 } else { self.raw.start };
        Some(DecodedText::decode(inner, start, self.raw.flags & ESCAPED != 0))
    }

    /// The number, to the last digit.
    pub fn decimal(self) -> Option<Decimal<'a>> {
        if self.raw.tag != Tag::Number {
            return None;
        }
        // The decoded text of a number is valid JSON.
        Decimal::parse(self.decoded().map_or_else(|| self.source(), DecodedText::as_str))
    }

    /// true or false.
    pub fn as_bool(self) -> Option<bool> {
        match self.raw.tag {
            Tag::True => Some(true),
            Tag::False => Some(false),
            _ => None,
        }
    }

    /// The value of the scalar, where its source is not valid JSON for it.
    fn decoded(self) -> Option<&'a DecodedText<'static>> {
        if self.raw.flags & DECODED == 0 { None } else { self.tree.decoded(self.id) }
    }

    fn is_text(self) -> bool {
        matches!(self.raw.tag, Tag::String | Tag::Key)
    }

    /// The text between the quotes, escapes and all.
    fn inner(self) -> Option<&'a str> {
        if !self.is_text() {
            return None;
        }
        let (text, start, end) = (&*self.tree.text, self.raw.start as usize, self.raw.end as usize);
        if self.raw.flags & (BARE | UNCLOSED) == 0
            && let Some([b'"', .., b'"']) = text.as_bytes().get(start..end)
        {
            return text.get(start + 1..end - 1);
        }
        let source = self.source();
        if self.raw.flags & BARE != 0 {
            return Some(source);
        }
        let quote = source.bytes().next().filter(|byte| matches!(byte, b'"' | b'\''))?;
        let is_closed = self.raw.flags & UNCLOSED == 0
            && source.len() > 1
            && source.as_bytes().last() == Some(&quote);
        source.get(1..source.len() - usize::from(is_closed))
    }
}

/// A member of an object.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// The key.
    pub key: Node<'a>,
    /// The value.
    pub value: Node<'a>,
}

impl<'a> Member<'a> {
    /// The decoded key.
    pub fn name(self) -> Cow<'a, str> {
        self.key.as_str().unwrap_or_default()
    }

    /// The number of the decoded key, as [`Tree::number_names`] gave it; 0 before that.
    #[inline]
    pub fn name_id(self) -> u16 {
        self.key.raw.name_id
    }

    /// Whether the member has this key, with or without escapes.
    pub fn is_named(self, name: &str) -> bool {
        if self.key.raw.flags & (ESCAPED | DECODED) == 0 {
            // The common case, without decoding: compare lengths before bytes.
            let quotes = if self.key.raw.flags & BARE == 0 { 2 } else { 0 };
            self.key.span().len() as usize == name.len() + quotes && self.key.inner() == Some(name)
        } else {
            self.name() == name
        }
    }

    /// From the first byte of the key to the last of the value; only the key if the value is elsewhere, as for an
    /// alias.
    pub fn span(self) -> Span {
        let (key, value) = (self.key.span(), self.value.span());
        if value.start < key.end { key } else { key.cover(value) }
    }
}

/// The JSON Pointers of the nodes of a tree.
#[derive(Debug, Default)]
pub struct Pointers {
    /// The container of each value and its index there; none for the root.
    parents: OnceCell<Vec<Option<(u32, usize)>>>,
}

impl Pointers {
    /// The JSON Pointer (RFC 6901) of a node. A key has the pointer of its member, and the root the empty one.
    ///
    /// ```
    /// use voxlint_syntax::{Format, parse};
    ///
    /// let parsed = parse(r#"{ "a/b": [true] }"#, Format::Json);
    /// let tree = &parsed.documents[0];
    /// let last = tree.nodes().last().expect("true");
    /// assert_eq!(tree.pointers().pointer(tree, last.id()), "/a~1b/0");
    /// ```
    pub fn pointer(&self, tree: &Tree, id: NodeId) -> String {
        // The value is right after its key.
        let is_key = tree.at(id.0).is_some_and(|node| node.raw.tag == Tag::Key);
        let id = if is_key { id.0 + 1 } else { id.0 };
        let steps = self.steps(tree, id);
        let mut pointer = String::new();
        for (value, ordinal) in steps {
            pointer.push('/');
            match value.name() {
                Some(key) => pointer.push_str(&escape_step(&key.as_str().unwrap_or_default())),
                None => pointer.push_str(&ordinal.to_string()),
            }
        }
        pointer
    }

    /// The values from the root to a value, without the root, each with its index in its container.
    fn steps<'a>(&self, tree: &'a Tree, id: u32) -> Vec<(Node<'a>, usize)> {
        let parents = self.parents.get_or_init(|| {
            let mut parents = vec![None; tree.len()];
            for container in tree.nodes() {
                for (ordinal, value) in container.values().enumerate() {
                    if let Some(slot) = parents.get_mut(value.id as usize) {
                        *slot = Some((container.id, ordinal));
                    }
                }
            }
            parents
        });
        let mut steps = Vec::new();
        let mut at = id;
        while let Some((container, ordinal)) = parents.get(at as usize).copied().flatten() {
            steps.extend(tree.at(at).map(|value| (value, ordinal)));
            at = container;
        }
        steps.reverse();
        steps
    }
}

fn escape_step(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use crate::{Format, parse};

    #[test]
    fn one_pointer_and_many_are_the_same() {
        let text = r#"{ "a": [], "b": [{ "c": [1, [2]], "~/": {} }, 3, { "d": { "e": null } }] }"#;
        let parsed = parse(text, Format::Json);
        let tree = &parsed.documents[0];
        let pointers = tree.pointers();
        for _ in 0..10 {
            for node in tree.nodes() {
                let alone = tree.pointers().pointer(tree, node.id());
                assert_eq!(pointers.pointer(tree, node.id()), alone, "{node:?}");
            }
        }
        assert!(pointers.parents.get().is_some());
        let last = tree.nodes().last().unwrap();
        assert_eq!(pointers.pointer(tree, last.id()), "/b/2/d/e");
    }
}
