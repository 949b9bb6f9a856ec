//! Every character of a decoded YAML scalar leads back to the bytes that spell it, in every style, with every chomping and
//! indentation indicator, whatever the line breaks are.

use std::sync::LazyLock;

use voxlint_syntax::{Format, Span, parse};

/// Numbers that look random and are the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// A file under construction, and what its scalar says.
struct Page {
    file: String,
    decoded: String,
    /// Of each character of the decoded text, where it begins there, and what spells it.
    sources: Vec<(usize, Span)>,
    line_break: &'static str,
    /// What the lines of the scalar are indented by.
    indent: usize,
}

impl Page {
    fn raw(&mut self, text: &str) {
        self.file.push_str(text);
    }

    /// A character, spelled by this.
    fn say(&mut self, character: char, spelled: &str) {
        let start = self.file.len() as u32;
        self.file.push_str(spelled);
        self.sources.push((self.decoded.len(), Span::new(start, self.file.len() as u32)));
        self.decoded.push(character);
    }

    fn plain(&mut self, character: char) {
        let mut buffer = [0; 4];
        self.say(character, character.encode_utf8(&mut buffer));
    }

    /// A line break that says nothing.
    fn silent_break(&mut self) {
        self.raw(self.line_break);
    }

    fn say_break(&mut self, character: char) {
        self.say(character, self.line_break);
    }

    fn indentation(&mut self) {
        self.file.extend(std::iter::repeat_n(' ', self.indent));
    }
}

static WORDS: LazyLock<Vec<&str>> =
    LazyLock::new(|| voxlint_testing::texts::lines(include_str!("../words/words.txt")));

/// Lines of text: some empty, some with spaces and tabs at either end.
fn lines(random: &mut Random, may_have_spaces: bool) -> Vec<String> {
    let count = 1 + random.below(6);
    let mut lines = Vec::new();
    for _ in 0..count {
        let mut line = String::new();
        if !random.one_in(4) {
            for word in 0..=random.below(7) {
                if word > 0 {
                    line.push_str(if random.one_in(6) { "  " } else { " " });
                }
                line.push_str(random.pick(&WORDS));
                if may_have_spaces && random.one_in(8) {
                    line.push_str("\ttab");
                }
            }
        }
        if may_have_spaces && random.one_in(5) {
            line.insert_str(0, random.pick(&[" ", "  ", "\t", "    "]));
        }
        if may_have_spaces && random.one_in(5) {
            line.push_str(random.pick(&[" ", "  ", "\t"]));
        }
        lines.push(line);
    }
    lines
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

/// A literal or folded scalar. It begins after the blank behind the colon or dash.
fn block(page: &mut Page, random: &mut Random, step: usize, is_folded: bool) {
    let chomping = random.pick(&[Chomping::Strip, Chomping::Clip, Chomping::Keep]);
    let lines = lines(random, true);
    let has_text = lines.iter().any(|line| !line.is_empty());
    let first = lines.iter().find(|line| !line.is_empty());
    // Without an indicator the first line with text says what the indentation is.
    let must_say = first.is_none_or(|line| line.starts_with(' ')) && has_text;
    let mut indicators = vec![match chomping {
        Chomping::Strip => "-".to_owned(),
        Chomping::Clip => String::new(),
        Chomping::Keep => "+".to_owned(),
    }];
    let says = must_say || has_text && random.one_in(3);
    if says {
        indicators.insert(random.below(2), step.to_string());
    }
    page.raw(if is_folded { ">" } else { "|" });
    page.raw(&indicators.concat());
    page.raw(random.pick(&["", "", " ", "\t", " # | a comment > of its own"]));
    page.silent_break();

    let last = lines.iter().rposition(|line| !line.is_empty());
    let is_blank = |line: &str| line.starts_with([' ', '\t']);
    let mut before: Option<&String> = None;
    // The line breaks since the last line with text.
    let mut breaks = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.is_empty() {
            // An empty line may have some of the indentation.
            if says || before.is_some() {
                let spaces = random.below(page.indent + 1);
                page.file.extend(std::iter::repeat_n(' ', spaces));
            }
            let is_kept = last.is_none_or(|last| at > last);
            if is_kept {
                if chomping == Chomping::Keep {
                    page.say_break('\n');
                } else {
                    page.silent_break();
                }
                continue;
            }
            breaks += 1;
            page.say_break('\n');
            continue;
        }
        let is_more = is_blank(line);
        if let Some(before) = before
            && is_folded
            && !is_blank(before)
            && !is_more
            && breaks == 0
        {
            // Between two lines with text the line break is a blank, so say that it is one.
            let (_, last) = page.sources.last_mut().unwrap();
            assert_eq!(page.decoded.pop(), Some('\n'));
            page.decoded.push(' ');
            assert!(!last.is_empty());
        } else if let Some(before) = before
            && is_folded
            && !is_blank(before)
            && !is_more
        {
            // The first of several says nothing.
            let first = page.sources.len() - breaks - 1;
            page.sources.remove(first);
            page.decoded.truncate(page.decoded.len() - breaks - 1);
            page.decoded.extend(std::iter::repeat_n('\n', breaks));
            for (at, source) in page.sources[first..].iter_mut().enumerate() {
                source.0 = page.decoded.len() - breaks + at;
            }
        }
        page.indentation();
        for character in line.chars() {
            page.plain(character);
        }
        breaks = 0;
        before = Some(line);
        let is_last = last == Some(at);
        if is_last && chomping == Chomping::Strip {
            page.silent_break();
        } else {
            page.say_break('\n');
        }
    }
}

/// White space that is not text: before a line break, and the indentation after it.
fn fold(page: &mut Page, random: &mut Random, breaks: usize) {
    page.raw(random.pick(&["", "", " ", "\t", "  "]));
    if breaks == 0 {
        page.say_break(' ');
    } else {
        page.silent_break();
    }
    for _ in 0..breaks {
        let spaces = random.below(page.indent + 1);
        page.file.extend(std::iter::repeat_n(' ', spaces));
        page.say_break('\n');
    }
    page.indentation();
    page.raw(random.pick(&["", "", " ", "\t"]));
}

/// A scalar that is folded: without quotes, in single or in double quotes.
fn folded(page: &mut Page, random: &mut Random, style: char) {
    let mut lines = lines(random, style == '"');
    if style == ':' {
        // Words that begin no text without quotes, or end it.
        for line in &mut lines {
            let words: Vec<_> = line
                .split_whitespace()
                .filter(|word| word.chars().all(|c| !matches!(c, '#' | '\u{85}' | '\u{2028}')))
                .collect();
            *line = words.join(" ");
        }
        lines.retain(|line| !line.is_empty());
        lines.insert(0, "text".to_owned());
        // Empty lines in the middle.
        if random.one_in(2) {
            lines.insert(1, String::new());
            lines.push("end".to_owned());
        }
        // `- ` and the like at the beginning of a line are text there, but not `---` where a document may begin.
    } else {
        page.raw(&style.to_string());
    }
    let mut at = 0;
    while at < lines.len() {
        let characters: Vec<char> = lines[at].chars().collect();
        for (index, character) in characters.iter().copied().enumerate() {
            let is_inside = index > 0 && index + 1 < characters.len();
            let is_alone = is_inside
                && character == ' '
                && !characters[index - 1].is_whitespace()
                && !characters[index + 1].is_whitespace();
            // In double quotes a line break can be taken back anywhere.
            if style == '"' && random.one_in(12) {
                page.raw("\\");
                page.silent_break();
                page.indentation();
                if matches!(character, ' ' | '\t') {
                    // Spaces at the beginning of a line are not text, except one after a backslash.
                    page.say(character, if character == ' ' { "\\ " } else { "\\t" });
                    continue;
                }
            }
            if is_alone && random.one_in(4) {
                fold(page, random, 0);
                continue;
            }
            match (style, character) {
                ('\'', '\'') => page.say('\'', "''"),
                ('"', _) => double(page, random, character),
                _ => page.plain(character),
            }
        }
        at += 1;
        if at == lines.len() {
            break;
        }
        let mut breaks = 1;
        while at < lines.len() - 1 && lines[at].is_empty() {
            breaks += 1;
            at += 1;
        }
        let is_beside_blank = lines[at].starts_with([' ', '\t'])
            || lines[at - 1].ends_with([' ', '\t'])
            || page.decoded.ends_with([' ', '\t']);
        if style == '"' && (is_beside_blank || random.one_in(3)) {
            for _ in 0..breaks {
                page.say('\n', random.pick(&["\\n", "\\x0a", "\\u000A", "\\U0000000a"]));
            }
        } else {
            fold(page, random, breaks);
        }
    }
    if style != ':' {
        page.raw(&style.to_string());
    }
}

/// A character in double quotes, as it is or as an escape.
fn double(page: &mut Page, random: &mut Random, character: char) {
    let must_escape = matches!(character, '"' | '\\');
    if !must_escape && !random.one_in(6) {
        page.plain(character);
        return;
    }
    let code = u32::from(character);
    let mut units = [0; 2];
    let units = character.encode_utf16(&mut units);
    let spelled = match random.below(4) {
        0 => match character {
            '"' => "\\\"".to_owned(),
            '\\' => "\\\\".to_owned(),
            '\t' => "\\t".to_owned(),
            ' ' => "\\ ".to_owned(),
            '\u{85}' => "\\N".to_owned(),
            '\u{2028}' => "\\L".to_owned(),
            _ => format!("\\U{code:08x}"),
        },
        1 if code < 0x100 => format!("\\x{code:02X}"),
        2 => format!("\\U{code:08X}"),
        _ => units.iter().fold(String::new(), |all, unit| format!("{all}\\u{unit:04x}")),
    };
    page.say(character, &spelled);
}

/// A file with one scalar of interest, after `text:` or a dash, some levels deep.
fn page(random: &mut Random, style: char) -> Page {
    let line_break = random.pick(&["\n", "\n", "\r\n"]);
    let mut page = Page {
        file: String::new(),
        decoded: String::new(),
        sources: Vec::new(),
        line_break,
        indent: 0,
    };
    if random.one_in(5) {
        page.raw("\u{feff}");
    }
    if random.one_in(3) {
        page.raw("# क comment | of > two lines");
        page.silent_break();
        page.raw("---");
        page.silent_break();
    }
    let mut indent = 0;
    for level in 0..random.below(4) {
        page.file.extend(std::iter::repeat_n(' ', indent));
        page.raw(&format!("\"level |{level}\":"));
        page.silent_break();
        indent += 1 + random.below(4);
    }
    page.file.extend(std::iter::repeat_n(' ', indent));
    page.raw(random.pick(&["text: ", "'>': ", "- ", "? a\n: ", "text: !!str ", "text: &anchor "]));
    let explicit_key = page.file.ends_with("? a\n: ");
    if explicit_key {
        // Its second line has the same indentation.
        let cut = page.file.len() - "\n: ".len();
        page.file.truncate(cut);
        page.silent_break();
        page.file.extend(std::iter::repeat_n(' ', indent));
        page.raw(": ");
    }
    let is_list = page.file.ends_with("- ");
    let step = 1 + random.below(9);
    page.indent = indent + step;
    match style {
        '|' => block(&mut page, random, step, false),
        '>' => block(&mut page, random, step, true),
        style => {
            folded(&mut page, random, style);
            page.silent_break();
        }
    }
    page.file.extend(std::iter::repeat_n(' ', indent));
    page.raw(if is_list { "- after" } else { "after: 1" });
    page
}

#[test]
fn every_character_leads_back_to_what_spells_it() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut positions, mut coarse) = (0, 0);
    for round in 0..10_000 {
        let style = ['|', '>', '"', '\'', ':'][round % 5];
        let page = page(&mut random, style);
        let parsed = parse(&*page.file, Format::Yaml);
        assert!(parsed.errors.is_empty(), "{:?} in {:?}", parsed.errors, page.file);
        // The scalar is the value or element before the last.
        let mut node = parsed.documents[0].root().unwrap();
        let scalar = loop {
            let children: Vec<_> = if node.elements().next().is_some() {
                node.elements().collect()
            } else {
                node.members().map(|member| member.value).collect()
            };
            match children.as_slice() {
                [one] => node = *one,
                [scalar, _after] => break *scalar,
                _ => panic!("{:?}", page.file),
            }
        };
        let text = scalar.text().unwrap_or_else(|| panic!("{scalar:?} in {:?}", page.file));
        assert_eq!(text.as_str(), page.decoded, "in {:?}", page.file);
        assert_eq!(scalar.is_plain(), style == ':', "in {:?}", page.file);
        for (at, source) in &page.sources {
            let character = page.decoded[*at..].chars().next().unwrap();
            let read = text.to_source(*at..*at + character.len_utf8());
            positions += 1;
            if page.sources.len() > 1 && read == scalar.span() {
                coarse += 1;
            }
            assert_eq!(
                read,
                *source,
                "{character:?} at {at} of {:?}, which is {:?}, in {:?}",
                page.decoded,
                scalar.source(),
                page.file
            );
        }
    }
    println!("{positions} positions, {coarse} of them coarse");
    assert!(positions >= 150_000 && coarse == 0, "{positions} positions, {coarse} coarse");
}
