//! Names of fields whose values are secrets.

use voxlint_schema::names;

use crate::heard::{Words, words};
use crate::suggest::name_words;

/// A name that contains one of these is the name of a secret.
const SECRET_PARTS: [&str; 35] = [
    "secret",
    "password",
    "passwort",
    "kennwort",
    "wachtwoord",
    "motdepasse",
    "passwd",
    "passphrase",
    "passcode",
    "apikey",
    "accesskey",
    "accountkey",
    "privatekey",
    "signingkey",
    "signkey",
    "signaturekey",
    "hmackey",
    "encryptionkey",
    "encryptkey",
    "decryptionkey",
    "cipherkey",
    "authkey",
    "masterkey",
    "sharedkey",
    "sessionkey",
    "webhookkey",
    "sshkey",
    "rsakey",
    "jwtkey",
    "authorization",
    "credential",
    "connectionstring",
    "connstring",
    "bearertoken",
    "accesstoken",
];

/// A name that ends with one of these words is the name of a secret.
const SECRET_LAST_WORDS: [&str; 10] =
    ["token", "bearer", "auth", "jwt", "pwd", "cookie", "cookies", "hmac", "dsn", "senha"];

/// Words at the end of a name that do not change its meaning.
const FILLERS: [&str; 9] =
    ["value", "values", "header", "headers", "raw", "plain", "plaintext", "base64", "b64"];

/// A name that ends with one of these words describes a secret: its age, its name, its type.
static DESCRIBING_LAST_WORDS: Words = words![
    "at|on|id|ids|type|types|kind|name|names|last4|count|expiry|expires|expired|expiration|scope|scopes|url|uri|urls|link|\
     endpoint|path|file|filename|format|length|len|min|max|limit|policy|required|enabled|disabled|hint|prompt|label|message|\
     description|field|method|scheme|provider|mode|status|ttl|lifetime|created|updated|rotated|version|env|var|variable|ref|\
     reset|location|in|placeholder|question|algorithm|alg|issuer|audience|flow",
];

/// Whether a field of this name contains a secret, in snake, kebab or camel case or without separators.
pub(crate) fn is_secret_name(name: &str) -> bool {
    /// Rules that suppression comments name in front of their reasons.
    const RULES: [&str; 4] =
        ["api-key-in-wrong-header", "api-key-listed-twice", "leaked-secret", "secret-in-document"];
    // No field of the tables is a secret.
    if !may_name_a_secret(name.as_bytes())
        || names::is_field(names::id(name))
        || RULES.contains(&name)
    {
        return false;
    }
    let mut words = words(name);
    if is_about(&words) {
        return false;
    }
    while words.len() > 1 && words.last().is_some_and(|last| FILLERS.contains(&last.as_str())) {
        words.pop();
    }
    let plain = words.concat();
    let last = words.last().map(String::as_str).unwrap_or_default();
    (SECRET_PARTS.iter().any(|word| plain.contains(word)) && !plain.contains("secretar"))
        || SECRET_LAST_WORDS.contains(&last)
        || plain.ends_with("token")
        || plain.ends_with("bearer")
        || plain == "xauth"
}

/// Whether a field of this name contains a secret in a list of API keys, where only the secret is called a key.
pub(crate) fn is_secret_of_a_key(name: &str) -> bool {
    const WORDS: [&str; 8] =
        ["key", "token", "jwt", "hash", "hmac", "pwd", "plaintext", "signature"];
    let plain = plain(name);
    let is_named =
        WORDS.iter().any(|word| plain.contains(word)) || matches!(plain.as_str(), "sk" | "value");
    is_secret_name(name) || (is_named && !is_id(name) && !is_about(&words(name)))
}

/// Whether a field of this name has the id of an API key, in a list of them.
pub(crate) fn is_id(name: &str) -> bool {
    ["id", "keyid", "apikeyid"].contains(&plain(name).as_str())
}

/// Whether fields of this name hold ids or digests, which may look random and are none of the secrets.
pub(crate) fn holds_ids(name: &str) -> bool {
    const WORDS: [&str; 14] = [
        "id", "ids", "uuid", "uuids", "guid", "guids", "voice", "voices", "model", "hash",
        "digest", "checksum", "etag", "commit",
    ];
    words(name).last().is_some_and(|last| WORDS.contains(&last.as_str()))
}

/// Whether a field of this name contains the token for the next page of a list.
pub(crate) fn is_page_token(name: &str) -> bool {
    let name = plain(name);
    name.ends_with("pagetoken") || name.ends_with("nexttoken")
}

/// Whether a field inside a secret container describes the secret, as `type` and `url` do.
pub(crate) fn is_description(name: &str) -> bool {
    words(name).last().is_some_and(|last| DESCRIBING_LAST_WORDS.contains(last))
}

fn is_about(words: &[String]) -> bool {
    words.len() > 1 && words.last().is_some_and(|last| DESCRIBING_LAST_WORDS.contains(last))
}

/// Whether a name, or its spelling in the file, contains the beginning of a word for secrets or an escape. This is cheap, and most
/// names do not.
pub(crate) fn may_name_a_secret(name: &[u8]) -> bool {
    let lower = |at: usize| name.get(at).map_or(0, u8::to_ascii_lowercase);
    (0..name.len()).any(|at| {
        matches!(
            [lower(at), lower(at + 1), lower(at + 2), lower(at + 3)],
            [b'\\', ..]
                | [b'p', b'a', b's', b's']
                | [b's', b'e', b'c', b'r']
                | [b'a', b'u', b't', b'h']
                | [b'c', b'o', b'o', b'k']
                | [b'c', b'r', b'e', b'd']
                | [b'c', b'o', b'n', b'n']
                | [b'b', b'e', b'a', b'r']
                | [b'h', b'm', b'a', b'c']
                | [b'k', b'e', b'n', b'n']
                | [b's', b'e', b'n', b'h']
                | [b'w', b'a', b'c', b'h']
                | [b'k', b'e', b'y', _]
                | [b't', b'o', b'k', _]
                | [b'p', b'w', b'd', _]
                | [b'j', b'w', b't', _]
                | [b'd', b's', b'n', _]
        )
    })
}

/// The words of a name in lower case, without numbers at its end.
fn words(name: &str) -> Vec<String> {
    let mut words = name_words(name);
    while words.len() > 1
        && words.last().is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()))
    {
        words.pop();
    }
    if let Some(last) = words.last_mut()
        && !matches!(last.as_str(), "last4" | "base64" | "b64")
    {
        let letters = last.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        if letters > 0 {
            last.truncate(letters);
        }
    }
    words
}

/// The letters and digits of a name, in lower case.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use voxlint_schema::names;

    use super::super::patterns::{Spelling, find};
    use super::{SECRET_LAST_WORDS, SECRET_PARTS, is_secret_name, may_name_a_secret};

    #[test]
    fn no_field_is_a_secret() {
        for name in names::all() {
            // Not a field, because of the letter before it.
            assert!(!is_secret_name(&format!("x_{name}")), "{name}");
            assert!(find(name, Spelling::Decoded).is_empty(), "{name}");
        }
    }

    #[test]
    fn every_name_of_a_secret_contains_a_fragment() {
        for name in SECRET_PARTS.iter().chain(&SECRET_LAST_WORDS) {
            assert!(may_name_a_secret(name.to_uppercase().as_bytes()), "{name}");
        }
    }

    #[test]
    fn names_of_secrets_are_known_in_every_case() {
        for name in [
            "webhook_signing_key",
            "webhookSigningKey",
            "WEBHOOK-SIGNING-KEY",
            "signing_key",
            "hmac_key",
            "encryptionKey",
            "passphrase",
            "pwd",
            "db_pwd",
            "cookie",
            "Set-Cookie",
            "auth",
            "x-auth",
            "X-Auth-Token",
            "jwt",
            "token_value",
            "tokenValue",
            "connection_string",
            "ConnectionString",
            "api_key",
            "APIKEY",
            "apiKey2",
            "x-api-key",
            "client_secret",
            "Authorization",
            "authorization_header",
            "refresh_token",
            "accessToken",
            "Passwort",
            "wlan_passwort",
            "Kennwort",
            "wachtwoord",
            "mot_de_passe",
            "senha",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn names_of_other_things_are_not() {
        for name in [
            "title",
            "author",
            "authored",
            "secretary_name",
            "max_tokens",
            "token_count",
            "tokenType",
            "api_key_id",
            "apiKeyId",
            "password_reset_url",
            "token_expires_at",
            "auth_type",
            "keyboard",
            "boosted_keywords",
            "knowledge_base_ids",
            "passenger",
            "conversation",
            "company_name",
            "monkey",
            "resenha",
            "Passwortlaenge_min",
        ] {
            assert!(!is_secret_name(name), "{name}");
        }
    }
}
