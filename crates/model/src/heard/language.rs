//! The language of short texts, by their script and by the small words that each language is full of.
//!
//! Statistics of letters need longer texts: they take English greetings for Danish.

use unicode_segmentation::UnicodeSegmentation as _;

/// A language that settings name.
struct Language {
    code: &'static str,
    name: &'static str,
    script: &'static str,
    /// Words that are in most greetings, and in those of few other languages, divided by spaces.
    words: &'static str,
}

/// The script of most languages with words in the table.
const LATIN: &str = "Latin script";

/// The script of languages that do not write spaces between words.
const EAST_ASIAN: &str = "Chinese or Japanese characters";

const fn language(
    code: &'static str,
    name: &'static str,
    script: &'static str,
    words: &'static str,
) -> Language {
    Language { code, name, script, words }
}

const LANGUAGES: [Language; 41] = [
    language(
        "en",
        "English",
        LATIN,
        "the you your is this are we for with how can may help thank thanks calling call please today what \
         when and of my our have been there back speaking",
    ),
    language(
        "de",
        "German",
        LATIN,
        "der das ist sie ihnen ihr ihre ihren wie kann ich wir und für bitte danke vielen guten hier mit von \
         uns heute zurück haben bei helfen womit darf",
    ),
    language(
        "es",
        "Spanish",
        LATIN,
        "el los las soy qué puedo ayudar ayudarle para por gracias llamar su usted cómo hola buenos buenas \
         con está nos una hoy llamada llámenos",
    ),
    language(
        "fr",
        "French",
        LATIN,
        "les vous êtes je suis bonjour comment puis aider votre nous merci pour est chez au une avec aujourd \
         quoi appelé et",
    ),
    language(
        "pt",
        "Portuguese",
        LATIN,
        "você posso ajudar obrigado obrigada por ligar para em como hoje com seu não está falo aqui bom olá \
         uma sou da do",
    ),
    language(
        "it",
        "Italian",
        LATIN,
        "il sono come posso aiutarla aiutarti buongiorno grazie aver chiamato di del della è una con oggi \
         salve che per",
    ),
    language(
        "nl",
        "Dutch",
        LATIN,
        "de het een hoe kan ik helpen met van voor bedankt goedemorgen goedemiddag u waarmee bellen uw je dit",
    ),
    language(
        "tr",
        "Turkish",
        LATIN,
        "ben size nasıl yardımcı olabilirim merhaba bir için ve bu lütfen teşekkür ederim hoş geldiniz bugün",
    ),
    language("sv", "Swedish", LATIN, ""),
    language("da", "Danish", LATIN, ""),
    language("nb", "Norwegian", LATIN, ""),
    language("no", "Norwegian", LATIN, ""),
    language("fi", "Finnish", LATIN, ""),
    language("pl", "Polish", LATIN, ""),
    language("cs", "Czech", LATIN, ""),
    language("sk", "Slovak", LATIN, ""),
    language("hu", "Hungarian", LATIN, ""),
    language("ro", "Romanian", LATIN, ""),
    language("id", "Indonesian", LATIN, ""),
    language("vi", "Vietnamese", LATIN, ""),
    language("ru", "Russian", "Cyrillic script", ""),
    language("uk", "Ukrainian", "Cyrillic script", ""),
    language("bg", "Bulgarian", "Cyrillic script", ""),
    language("el", "Greek", "Greek", ""),
    language("he", "Hebrew", "Hebrew", ""),
    language("ar", "Arabic", "Arabic script", ""),
    language("fa", "Persian", "Arabic script", ""),
    language("ur", "Urdu", "Arabic script", ""),
    language("hi", "Hindi", "Devanagari script", ""),
    language("mr", "Marathi", "Devanagari script", ""),
    language("ne", "Nepali", "Devanagari script", ""),
    language("bn", "Bengali", "Bengali script", ""),
    language("pa", "Punjabi", "Gurmukhi script", ""),
    language("gu", "Gujarati", "Gujarati", ""),
    language("ta", "Tamil", "Tamil", ""),
    language("te", "Telugu", "Telugu", ""),
    language("kn", "Kannada", "Kannada", ""),
    language("ml", "Malayalam", "Malayalam", ""),
    language("th", "Thai", "Thai", ""),
    language("ja", "Japanese", EAST_ASIAN, ""),
    language("zh", "Chinese", EAST_ASIAN, ""),
];

/// Words of Indian languages in Latin letters, which greetings mix with English.
const ROMANIZED: &str = "aap aapka aapki aapko baat bol hai hain hoon hun kaise kar ki kya main mein namaskar namaste raha \
     rahi salaam se";

/// What a text is in, where that is plainly another language than the one with this code: its language, or its script. `None`
/// also if the code is not that of one language, or if the text is too short to tell.
pub fn other_language(code: &str, text: &str) -> Option<&'static str> {
    let expected = named(code)?;
    let script = script_of_text(text)?;
    if script != LATIN {
        return (script != expected.script).then_some(script);
    }
    let own = count(text, expected.words);
    if own > 2 {
        return None;
    }
    let all = LANGUAGES.iter().map(|it| (it, count(text, it.words)));
    let (found, most) = all.max_by_key(|(_, count)| *count)?;
    let is_mixed = || expected.script != LATIN && count(text, ROMANIZED) > 0;
    // A text has words of its own language and, at most, one that looks alike.
    let least = if expected.script == LATIN && expected.words.is_empty() { 4 } else { 3 };
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
fn script_of_text(text: &str) -> Option<&'static str> {
    /// The number of letters from which a text is more than a name.
    const LEAST: usize = 12;
    let scripts = || text.chars().filter_map(script_of);
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

/// The script of a letter, as messages name it where the language is not known.
const fn script_of(letter: char) -> Option<&'static str> {
    Some(match letter {
        'A'..='Z' | 'a'..='z' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => LATIN,
        '\u{370}'..='\u{3ff}' => "Greek",
        '\u{400}'..='\u{52f}' => "Cyrillic script",
        '\u{5d0}'..='\u{5ea}' => "Hebrew",
        '\u{620}'..='\u{6ff}' => "Arabic script",
        '\u{900}'..='\u{963}' => "Devanagari script",
        '\u{980}'..='\u{9ff}' => "Bengali script",
        '\u{a00}'..='\u{a7f}' => "Gurmukhi script",
        '\u{a80}'..='\u{aff}' => "Gujarati",
        '\u{b80}'..='\u{bff}' => "Tamil",
        '\u{c00}'..='\u{c7f}' => "Telugu",
        '\u{c80}'..='\u{cff}' => "Kannada",
        '\u{d00}'..='\u{d7f}' => "Malayalam",
        '\u{e00}'..='\u{e7f}' => "Thai",
        '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' => EAST_ASIAN,
        _ => return None,
    })
}

/// The words of a text that is spoken. A variable in its marks, `⟨name⟩`, is one. `None` in languages that do not write spaces
/// between words.
pub fn spoken_words(text: &str) -> Option<usize> {
    // Thai, Lao, Tibetan and Burmese; Khmer; and the characters of Chinese and Japanese.
    let is_unspaced = |c| {
        matches!(c, '\u{e00}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3400}'..='\u{4dbf}')
            || script_of(c) == Some(EAST_ASIAN)
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
    fn every_language_has_a_script_that_letters_have() {
        let scripts: Vec<&str> = ('\0'..='\u{ffff}').filter_map(script_of).collect();
        let unknown = LANGUAGES.iter().find(|language| !scripts.contains(&language.script));
        assert_eq!(unknown.map(|language| language.name), None);
    }

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
