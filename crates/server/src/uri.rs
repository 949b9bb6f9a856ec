//! Addresses of files.

use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use lsp_types::Uri;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, percent_encode};

/// The bytes of a path that an address has to spell in another way.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The path of a file; `None` if the address is not that of a file.
pub(crate) fn to_path(uri: &Uri) -> Option<PathBuf> {
    let (scheme, rest) = uri.as_str().split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let rest = rest.split(['?', '#']).next()?;
    let (host, path) = match rest.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/')?),
        None => ("", rest),
    };
    let bytes: Vec<u8> = percent_decode_str(path).collect();
    if bytes.contains(&0) || bytes.first() != Some(&b'/') {
        return None;
    }
    if cfg!(windows) {
        let text = String::from_utf8(bytes).ok()?;
        return Some(windows_path(host, &text));
    }
    (host.is_empty() || host.eq_ignore_ascii_case("localhost")).then(|| path_of_bytes(bytes))?
}

/// `/c:/agents/en.json` is `c:\agents\en.json`, and a host is that of a network share.
fn windows_path(host: &str, path: &str) -> PathBuf {
    let bytes = path.as_bytes();
    let has_drive =
        bytes.get(2) == Some(&b':') && bytes.get(1).is_some_and(u8::is_ascii_alphabetic);
    if has_drive {
        // Editors differ in the case of the letter.
        let rest = path.get(2..).unwrap_or_default().replace('/', "\\");
        let letter = bytes.get(1).map_or('C', |letter| char::from(letter.to_ascii_uppercase()));
        return PathBuf::from(format!("{letter}{rest}"));
    }
    let path = path.replace('/', "\\");
    PathBuf::from(if host.is_empty() { path } else { format!("\\\\{host}{path}") })
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have paths that are text")]
fn path_of_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    Some(PathBuf::from(std::ffi::OsString::from_vec(bytes)))
}

#[cfg(not(unix))]
fn path_of_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

/// The address of a file.
pub(crate) fn of_path(path: &Path) -> Option<Uri> {
    let path = std::path::absolute(path).ok()?;
    let encoded = if cfg!(windows) {
        let text = path.to_str()?.replace('\\', "/");
        let encoded = percent_encode(text.as_bytes(), ESCAPED).to_string();
        if text.starts_with("//") { encoded } else { format!("///{encoded}") }
    } else {
        format!("//{}", percent_encode(path.as_os_str().as_encoded_bytes(), ESCAPED))
    };
    Uri::from_str(&format!("file:{encoded}")).ok()
}

/// The name that a text without a file has in its folder; `None` if the address is not that of such a text.
pub(crate) fn untitled_name(uri: &Uri, language: &str) -> Option<String> {
    let (scheme, rest) = uri.as_str().split_once(':')?;
    if !scheme.eq_ignore_ascii_case("untitled") {
        return None;
    }
    let bytes: Vec<u8> = percent_decode_str(rest).collect();
    let name = String::from_utf8_lossy(&bytes);
    let name = name.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or("Untitled");
    let name: String = name.chars().filter(|letter| !letter.is_control()).take(200).collect();
    let extension = match language {
        "yaml" => "yaml",
        "toml" => "toml",
        "jsonc" => "jsonc",
        "handlebars" | "html" | "plaintext" => "hbs",
        "jsonl" | "ndjson" => "ndjson",
        _ => "json",
    };
    let has_extension = Path::new(&name).extension().is_some_and(|it| it == extension);
    Some(if has_extension { name } else { format!("{name}.{extension}") })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn paths_of_files_come_back() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;
        for path in ["/a/en.json", "/a b/ü#?%.json", "/[x]/{y}^`|\\.yaml", "/c:/d.json"] {
            let uri = of_path(Path::new(path)).unwrap();
            assert_eq!(to_path(&uri).unwrap(), Path::new(path), "{}", uri.as_str());
        }
        let odd = Path::new(OsStr::from_bytes(b"/a/\xff.json"));
        assert_eq!(to_path(&of_path(odd).unwrap()).unwrap(), odd);
    }

    #[test]
    fn other_addresses_have_no_path() {
        let addresses = ["untitled:Untitled-1", "git:/a/en.json", "file:", "file://", "http://x/a"];
        for address in addresses.into_iter().chain(["file://host", "file:a", "file:///a%00b"]) {
            assert_eq!(
                Uri::from_str(address).ok().and_then(|uri| to_path(&uri)),
                None,
                "{address}"
            );
        }
    }

    #[test]
    fn drives_and_shares_are_those_of_windows() {
        assert_eq!(windows_path("", "/c:/a/en.json"), Path::new("C:\\a\\en.json"));
        assert_eq!(windows_path("host", "/share/a"), Path::new("\\\\host\\share\\a"));
    }

    #[test]
    fn a_text_without_a_file_has_the_extension_of_its_language() {
        let name = |uri: &str, language| untitled_name(&Uri::from_str(uri).unwrap(), language);
        assert_eq!(name("untitled:Untitled-1", "yaml").as_deref(), Some("Untitled-1.yaml"));
        assert_eq!(name("untitled:/a/new.json", "json").as_deref(), Some("new.json"));
        assert_eq!(name("untitled:", "x").as_deref(), Some("Untitled.json"));
        assert_eq!(name("file:///a", "json"), None);
    }
}
