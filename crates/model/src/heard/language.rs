//! The language of short texts, by their script and by the small words that each language is full of.
//!
//! Statistics of letters need longer texts: they take English greetings for Danish.

use unicode_segmentation::UnicodeSegmentation as _;

/// A language that settings name.
struct Language {
    code: &'static str,
    name: &'static str,
    script: Script,
    /// Words that are in most greetings, and in those of few other languages, divided by spaces.
    words: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    Latin,
    Cyrillic,
    Greek,
    Hebrew,
    Arabic,
    Devanagari,
    Bengali,
    Gurmukhi,
    Gujarati,
    Tamil,
    Telugu,
    Kannada,
    Malayalam,
    Thai,
    EastAsian,
}

const fn language(
    code: &'static str,
    name: &'static str,
    script: Script,
    words: &'static str,
) -> Language {
    Language { code, name, script, words }
}

const LANGUAGES: [Language; 41] = [
    language(
        "en",
        "English",
        Script::Latin,
        "the you your is this are we for with how can may help thank thanks calling call please today what \
         when and of my our have been there back speaking",
    ),
    language(
        "de",
        "German",
        Script::Latin,
        "der das ist sie ihnen ihr ihre ihren wie kann ich wir und für bitte danke vielen guten hier mit von \
         uns heute zurück haben bei helfen womit darf",
    ),
    language(
        "es",
        "Spanish",
        Script::Latin,
        "el los las soy qué puedo ayudar ayudarle para por gracias llamar su usted cómo hola buenos buenas \
         con está nos una hoy llamada llámenos",
    ),
    language(
        "fr",
        "French",
        Script::Latin,
        "les vous êtes je suis bonjour comment puis aider votre nous merci pour est chez au une avec aujourd \
         quoi appelé et",
    ),
    language(
        "pt",
        "Portuguese",
        Script::Latin,
        "você posso ajudar obrigado obrigada por ligar para em como hoje com seu não está falo aqui bom olá \
         uma sou da do",
    ),
    language(
        "it",
        "Italian",
        Script::Latin,
        "il sono come posso aiutarla aiutarti buongiorno grazie aver chiamato di del della è una con oggi \
         salve che per",
    ),
    language(
        "nl",
        "Dutch",
        Script::Latin,
        "de het een hoe kan ik helpen met van voor bedankt goedemorgen goedemiddag u waarmee bellen uw je dit",
    ),
    language(
        "tr",
        "Turkish",
        Script::Latin,
        "ben size nasıl yardımcı olabilirim merhaba bir için ve bu lütfen teşekkür ederim hoş geldiniz bugün",
    ),
    language("sv", "Swedish", Script::Latin, ""),
    language("da", "Danish", Script::Latin, ""),
    language("nb", "Norwegian", Script::Latin, ""),
    language("no", "Norwegian", Script::Latin, ""),
    language("fi", "Finnish", Script::Latin, ""),
    language("pl", "Polish", Script::Latin, ""),
    language("cs", "Czech", Script::Latin, ""),
    language("sk", "Slovak", Script::Latin, ""),
    language("hu", "Hungarian", Script::Latin, ""),
    language("ro", "Romanian", Script::Latin, ""),
    language("id", "Indonesian", Script::Latin, ""),
    language("vi", "Vietnamese", Script::Latin, ""),
    language("ru", "Russian", Script::Cyrillic, ""),
    language("uk", "Ukrainian", Script::Cyrillic, ""),
    language("bg", "Bulgarian", Script::Cyrillic, ""),
    language("el", "Greek", Script::Greek, ""),
    language("he", "Hebrew", Script::Hebrew, ""),
    language("ar", "Arabic", Script::Arabic, ""),
    language("fa", "Persian", Script::Arabic, ""),
    language("ur", "Urdu", Script::Arabic, ""),
    language("hi", "Hindi", Script::Devanagari, ""),
    language("mr", "Marathi", Script::Devanagari, ""),
    language("ne", "Nepali", Script::Devanagari, ""),
    language("bn", "Bengali", Script::Bengali, ""),
    language("pa", "Punjabi", Script::Gurmukhi, ""),
    language("gu", "Gujarati", Script::Gujarati, ""),
    language("ta", "Tamil", Script::Tamil, ""),
    language("te", "Telugu", Script::Telugu, ""),
    language("kn", "Kannada", Script::Kannada, ""),
    language("ml", "Malayalam", Script::Malayalam, ""),
    language("th", "Thai", Script::Thai, ""),
    language("ja", "Japanese", Script::EastAsian, ""),
    language("zh", "Chinese", Script::EastAsian, ""),
];

/// Words of Indian languages in Latin letters, which greetings mix with English.
const ROMANIZED: &str = "aap aapka aapki aapko baat bol hai hain hoon hun kaise kar ki kya main mein namaskar namaste raha \
     rahi salaam se";

/// What a text is in, where that is plainly another language than the one with this code: its language, or its script. `None`
/// also if the code is not that of one language, or if the text is too short to tell.
pub fn other_language(code: &str, text: &str) -> Option<&'static str> {
    let expected = named(code)?;
    let script = script_of_text(text)?;
    if script != Script::Latin {
        return (script != expected.script).then(|| script.name());
    }
    let own = count(text, expected.words);
    if own > 2 {
        return None;
    }
    let all = LANGUAGES.iter().map(|it| (it, count(text, it.words)));
    let (found, most) = all.max_by_key(|(_, count)| *count)?;
    let is_mixed = || expected.script != Script::Latin && count(text, ROMANIZED) > 0;
    // A text has words of its own language and, at most, one that looks alike.
    let least = if expected.script == Script::Latin && expected.words.is_empty() { 4 } else { 3 };
    (most >= least + 3 * own && !std::ptr::eq(found, expected) && !is_mixed()).then_some(found.name)
}

/// The name of the language with this code, if it is the code of one language.
pub fn name_of(code: &str) -> Option<&'static str> {
    named(code).map(|language| language.name)
}

/// The language of a code such as `de`, `de-AT` and `de_at`, or of an English name. Codes of two languages, as in `en-hi`, and of
/// an unusual script, as in `hi-Latn`, are those of none.
fn named(code: &str) -> Option<&'static Language> {
    let mut parts = code.split(['-', '_']);
    let first = parts.next()?;
    let has_code = |part: &str| LANGUAGES.iter().find(|it| it.code.eq_ignore_ascii_case(part));
    let by_name = || LANGUAGES.iter().find(|it| it.name.eq_ignore_ascii_case(code));
    let language = has_code(first).or_else(by_name)?;
    let is_other = |part: &str| {
        part.eq_ignore_ascii_case("latn")
            || (part.bytes().all(|byte| byte.is_ascii_lowercase())
                && has_code(part).is_some_and(|other| !std::ptr::eq(other, language)))
    };
    (!parts.any(is_other)).then_some(language)
}

/// How many of these words a text has.
fn count(text: &str, words: &str) -> u32 {
    let mut found = 0_u64;
    for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
        let at = words.split(' ').position(|it| it.eq_ignore_ascii_case(word));
        found |= at.map_or(0, |at| 1 << at);
    }
    found.count_ones()
}

/// The script of nearly all letters of a text.
fn script_of_text(text: &str) -> Option<Script> {
    /// The number of letters from which a text is more than a name.
    const LEAST: usize = 12;
    let scripts = || text.chars().filter_map(Script::of);
    let first = scripts().next()?;
    let (all, same) =
        scripts().fold((0, 0), |(all, same), it| (all + 1, same + usize::from(it == first)));
    // The first letter may be that of a name.
    if all < LEAST {
        None
    } else if same * 4 >= all * 3 {
        Some(first)
    } else {
        let other = scripts().find(|it| *it != first)?;
        let same = scripts().filter(|it| *it == other).count();
        (same * 4 >= all * 3).then_some(other)
    }
}

impl Script {
    const fn of(letter: char) -> Option<Self> {
        Some(match letter {
            'A'..='Z' | 'a'..='z' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Self::Latin,
            '\u{370}'..='\u{3ff}' => Self::Greek,
            '\u{400}'..='\u{52f}' => Self::Cyrillic,
            '\u{5d0}'..='\u{5ea}' => Self::Hebrew,
            '\u{620}'..='\u{6ff}' => Self::Arabic,
            '\u{900}'..='\u{963}' => Self::Devanagari,
            '\u{980}'..='\u{9ff}' => Self::Bengali,
            '\u{a00}'..='\u{a7f}' => Self::Gurmukhi,
            '\u{a80}'..='\u{aff}' => Self::Gujarati,
            '\u{b80}'..='\u{bff}' => Self::Tamil,
            '\u{c00}'..='\u{c7f}' => Self::Telugu,
            '\u{c80}'..='\u{cff}' => Self::Kannada,
            '\u{d00}'..='\u{d7f}' => Self::Malayalam,
            '\u{e00}'..='\u{e7f}' => Self::Thai,
            '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' => Self::EastAsian,
            _ => return None,
        })
    }

    /// The script in a message, where the language is not known.
    const fn name(self) -> &'static str {
        match self {
            Self::Latin => "Latin script",
            Self::Cyrillic => "Cyrillic script",
            Self::Greek => "Greek",
            Self::Hebrew => "Hebrew",
            Self::Arabic => "Arabic script",
            Self::Devanagari => "Devanagari script",
            Self::Bengali => "Bengali script",
            Self::Gurmukhi => "Gurmukhi script",
            Self::Gujarati => "Gujarati",
            Self::Tamil => "Tamil",
            Self::Telugu => "Telugu",
            Self::Kannada => "Kannada",
            Self::Malayalam => "Malayalam",
            Self::Thai => "Thai",
            Self::EastAsian => "Chinese or Japanese characters",
        }
    }
}

/// The words of a text that is spoken. A variable in its marks, `⟨name⟩`, is one. `None` in languages that do not write spaces
/// between words.
pub fn spoken_words(text: &str) -> Option<usize> {
    // Thai, Lao, Tibetan and Burmese; Khmer; and the characters of Chinese and Japanese.
    let is_unspaced = |c| {
        matches!(c, '\u{e00}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3400}'..='\u{4dbf}')
            || Script::of(c) == Some(Script::EastAsian)
    };
    if text.contains(is_unspaced) {
        return None;
    }
    let counts = text.split('⟨').map(|part| match part.split_once('⟩') {
        Some((_, rest)) => 1 + rest.unicode_words().count(),
        None => part.unicode_words().count(),
    });
    Some(counts.sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_another_language_is_found() {
        for (code, text, expected) in [
            ("ur", "Hello! Thank you for calling the clinic.", "English"),
            ("ur", "Please call back when you can, and ask for the desk.", "English"),
            ("de-DE", "Hi, this is Anna. How can I help you today?", "English"),
            ("sv", "Hi, this is Anna. How can I help you today?", "English"),
            ("en", "Guten Tag, hier ist Anna. Wie kann ich Ihnen helfen?", "German"),
            ("English", "Bonjour, vous êtes bien chez Lumen.", "French"),
            ("en-US", "Hola, gracias por llamar. ¿En qué puedo ayudarle?", "Spanish"),
            ("es", "Olá, obrigado por ligar. Como posso ajudar você hoje?", "Portuguese"),
            ("en_IN", "नमस्ते, मैं आपकी क्या मदद कर सकती हूँ?", "Devanagari script"),
            ("ta", "नमस्ते, मैं Anna हूँ। आपकी क्या मदद कर सकती हूँ?", "Devanagari script"),
        ] {
            assert_eq!(other_language(code, text), Some(expected), "{code}: {text}");
        }
    }

    #[test]
    fn words_are_counted_only_where_spaces_divide_them() {
        for text in ["สวัสดีค่ะ", "ສະບາຍດີ", "សួស្តី", "မင်္ဂလာပါ", "བཀྲ་ཤིས།", "こんにちは", "你好", "Hi, សួស្តី"]
        {
            assert_eq!(spoken_words(text), None, "{text}");
        }
        for text in ["Hello there", "안녕하세요 여러분", "नमस्ते दोस्तों", "Hello ⟨first name⟩"]
        {
            assert_eq!(spoken_words(text), Some(2), "{text}");
        }
    }

    #[test]
    fn a_text_in_its_own_language_or_in_doubt_is_not_found() {
        for (code, text) in [
            ("en", "Hello! You've reached Brook. How may I help you today?"),
            ("en", "Late Night Ticket Hotline."),
            ("de", "Moin, Praxis Kessel, was kann ich für Sie tun?"),
            ("de", "Hello, Praxis Kessel."),
            ("it", "Salve, è lo Studio Tiglio. La preghiamo di richiamarci."),
            ("nl", "Goedemorgen, met wie spreek ik?"),
            ("tr", "Şu an yoldayım."),
            ("ar", "مرحبا بكم في فندق البحر كيف أساعدك"),
            ("ur", "السلام عليكم، میں آپ کی کیا مدد کر سکتی ہوں"),
            ("mr", "नमस्कार, मी तुम्हाला कशी मदत करू शकते?"),
            ("hi", "Namaste, main Priya. How can I help you with the order today?"),
            ("hi-Latn", "Hello, this is Priya. How can I help you today?"),
            ("en-hi", "नमस्ते, मैं आपकी क्या मदद कर सकती हूँ?"),
            ("multi", "Guten Tag, hier ist Anna. Wie kann ich Ihnen helfen?"),
            ("lang_1f3", "Guten Tag, hier ist Anna. Wie kann ich Ihnen helfen?"),
            ("fr", "{{greeting}}"),
            ("en", "Hola! Hello, thank you for calling. Gracias por llamar."),
        ] {
            assert_eq!(other_language(code, text), None, "{code}: {text}");
        }
    }
}
