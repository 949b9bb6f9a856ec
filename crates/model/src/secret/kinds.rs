//! The kinds of secrets of well-known services that are certain by their form, in one table.

use std::ops::Range;
use std::sync::LazyLock;

use super::bytes::word;
use super::randomness::{is_random, is_uuid, mixes, mixes_all};

/// A form that secrets of a service have.
pub(crate) struct KnownKind {
    /// The services, as the page of the rule lists them.
    name: &'static str,
    /// How secrets of this kind begin, or the addresses before them.
    prefixes: &'static [&'static str],
    form: Form,
}

/// What follows a prefix.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// Anything that looks random. Nothing else begins like this.
    Random,
    /// As above, but the key is meant to be public.
    Public,
    /// The path of an address, which is the secret.
    Path,
    /// A text of which the test is true. Words and ids begin like this as well.
    Exact(fn(&[u8]) -> bool),
}

const fn random(name: &'static str, prefixes: &'static [&'static str]) -> KnownKind {
    KnownKind { name, prefixes, form: Form::Random }
}

const fn path(name: &'static str, prefixes: &'static [&'static str]) -> KnownKind {
    KnownKind { name, prefixes, form: Form::Path }
}

const fn exact(
    name: &'static str,
    prefixes: &'static [&'static str],
    is_it: fn(&[u8]) -> bool,
) -> KnownKind {
    KnownKind { name, prefixes, form: Form::Exact(is_it) }
}

/// The kinds that are certain and have no prefix.
const OTHER_NAMES: [&str; 8] = [
    "Azure storage, Cosmos DB and API Management",
    "Discord bots",
    "Mailchimp",
    "Microsoft Entra applications",
    "private keys (PEM, OpenSSH, PGP)",
    "signed web tokens (JWT)",
    "Telegram bots",
    "Terraform Cloud",
];

/// A prefix comes before its own beginnings.
static KNOWN: &[KnownKind] = &[
    random("OpenAI, Anthropic, DeepSeek and OpenRouter", &["sk-"]),
    random("Stripe, Clerk and ElevenLabs", &["sk_", "rk_"]),
    KnownKind { name: "Stripe, Clerk and ElevenLabs", prefixes: &["pk_"], form: Form::Public },
    random("signing secrets of webhooks", &["whsec_"]),
    random("GitHub", &["ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_"]),
    random("GitLab", &["glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glsoat-"]),
    random(
        "Slack",
        &["xoxb-", "xoxp-", "xoxa-", "xoxc-", "xoxd-", "xoxe-", "xoxr-", "xoxs-", "xapp-"],
    ),
    path(
        "webhooks of Slack",
        &["hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/"],
    ),
    path("webhooks of Discord", &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"]),
    path(
        "webhooks of Microsoft Teams",
        &["webhook.office.com/webhookb2/", "outlook.office.com/webhook/"],
    ),
    path(
        "webhooks of Zapier and Make",
        &["hooks.zapier.com/hooks/catch/", "hook.eu1.make.com/", "hook.us1.make.com/"],
    ),
    exact("Amazon Web Services", &["AKIA", "ASIA"], is_key_id),
    random("Google", &["AIza", "ya29.", "GOCSPX-"]),
    exact("Google", &["1//0"], |it| is_mixed(it, 24)),
    exact("Databricks", &["dapi"], |it| is_hex(it, 32)),
    exact("HashiCorp Vault", &["hvs.", "hvb.", "hvr."], |it| is_mixed(it, 20)),
    random("Hugging Face", &["hf_"]),
    random("Groq", &["gsk_"]),
    random("xAI", &["xai-"]),
    exact("Replicate", &["r8_"], |it| is_mixed(it, 30)),
    random("Perplexity", &["pplx-"]),
    random("NVIDIA", &["nvapi-"]),
    random("Cerebras", &["csk-"]),
    random("Tavily", &["tvly-"]),
    random("LangSmith", &["lsv2_"]),
    random("Pinecone", &["pcsk_"]),
    exact("Fireworks AI", &["fw_"], |it| is_mixed(it, 20)),
    exact("Retell AI", &["key_"], |it| is_hex(it, 28)),
    random("npm", &["npm_"]),
    random("PyPI", &["pypi-"]),
    random("RubyGems", &["rubygems_"]),
    random("Docker Hub", &["dckr_pat_", "dckr_oat_"]),
    random("Shopify", &["shpat_", "shpss_", "shpca_", "shppa_"]),
    random("Square", &["sq0atp-", "sq0csp-"]),
    exact("Square", &["EAAA"], |it| is_mixed(it, 56)),
    exact("Razorpay", &["rzp_live_"], |it| word(it, 0) == 14),
    exact("Plaid", &["access-production-"], is_uuid_first),
    random("Flutterwave", &["FLWSECK-"]),
    random("DigitalOcean", &["dop_v1_", "doo_v1_", "dor_v1_"]),
    exact("Heroku", &["HRKU-"], |it| is_mixed(it, 30) || is_uuid_first(it)),
    random("Netlify", &["nfp_"]),
    exact("Fly.io", &["fo1_"], |it| is_mixed(it, 30)),
    random("SendGrid", &["SG."]),
    exact("Mailgun", &["key-"], |it| is_hex(it, 32)),
    random("Brevo", &["xkeysib-", "xsmtpsib-"]),
    exact("Resend", &["re_"], |it| is_mixed(it, 24)),
    random("MailerSend", &["mlsn."]),
    exact("Twilio", &["SK"], |it| is_hex(it, 32)),
    exact("Telnyx", &["KEY0"], |it| is_mixed(it, 40)),
    random("Linear", &["lin_api_"]),
    random("Notion", &["ntn_"]),
    exact("Notion", &["secret_"], |it| is_mixed(it, 40)),
    random("Supabase", &["sbp_", "sb_secret_"]),
    random("PlanetScale", &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"]),
    random("Neon", &["napi_"]),
    random("MongoDB Atlas", &["mdb_sa_sk_"]),
    random("Atlassian", &["ATATT3", "ATCTT3"]),
    exact("Atlassian", &["ATBB"], |it| is_mixed(it, 28)),
    exact("HubSpot", &["pat-na1-", "pat-eu1-"], is_uuid_first),
    exact("Airtable", &["pat"], is_airtable),
    random("Figma", &["figd_"]),
    random("Postman", &["PMAK-"]),
    random("Doppler", &["dp.pt.", "dp.st."]),
    exact("Facebook, Instagram and WhatsApp", &["EAA", "IGQV"], |it| is_mixed(it, 80)),
    random("Typeform", &["tfp_"]),
    random("Contentful", &["CFPAT-"]),
    random("New Relic", &["NRAK-"]),
    random("Grafana", &["glc_", "glsa_"]),
    random("Sentry", &["sntrys_", "sntryu_"]),
    random("Dynatrace", &["dt0c01."]),
    random("PostHog", &["phx_"]),
    random("Pulumi", &["pul-"]),
    exact("LaunchDarkly", &["sdk-"], is_uuid_first),
    random("Buildkite", &["bkua_"]),
    random("CircleCI", &["CCIPAT_"]),
    exact("1Password", &["ops_eyJ"], |it| is_mixed(it, 40)),
    exact("age", &["AGE-SECRET-KEY-1"], |it| is_mixed(it, 50)),
    random("Tailscale", &["tskey-"]),
];

/// The names of all kinds, each once, in alphabetical order.
pub fn names() -> Vec<&'static str> {
    let known = KNOWN.iter().map(|kind| kind.name);
    let mut names: Vec<&str> = known.chain(OTHER_NAMES).collect();
    names.sort_by_key(|name| name.to_lowercase());
    names.dedup();
    names
}

/// The prefix of a known kind that a text begins with, and what follows it. Only prefixes with its first byte are compared.
pub(crate) fn kind_of(text: &[u8]) -> Option<(&'static str, Form)> {
    static BY_BYTE: LazyLock<Vec<Vec<(&str, Form)>>> = LazyLock::new(|| {
        let mut table = vec![Vec::new(); 256];
        for (prefix, form) in
            KNOWN.iter().flat_map(|it| it.prefixes.iter().map(|at| (*at, it.form)))
        {
            let first = prefix.as_bytes().first().map_or(0, |byte| usize::from(*byte));
            table.iter_mut().skip(first).take(1).for_each(|known| known.push((prefix, form)));
        }
        table
    });
    let known = BY_BYTE.get(usize::from(*text.first()?))?;
    known.iter().find(|(prefix, _)| text.starts_with(prefix.as_bytes())).copied()
}

/// Whether a text begins with a word of so many hexadecimal digits.
fn is_hex(text: &[u8], length: usize) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    digits == length && !text.get(length).is_some_and(u8::is_ascii_alphanumeric) && mixes(text)
}

/// Whether a text begins with a word of 16 capital letters and digits.
fn is_key_id(text: &[u8]) -> bool {
    let word = text.get(..word(text, 0)).unwrap_or_default();
    word.len() == 16 && word.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// Whether a text begins with a random word of at least so many bytes.
fn is_mixed(text: &[u8], least: usize) -> bool {
    let word = text.get(..word(text, 0)).unwrap_or_default();
    word.len() >= least && mixes(word) && is_random_key(word)
}

/// Whether what follows a prefix looks random. By chance, the parts between its separators may look like words.
pub(crate) fn is_random_key(key: &[u8]) -> bool {
    is_random(key)
        || (mixes_all(key)
            && is_random(
                &key.iter().copied().filter(u8::is_ascii_alphanumeric).collect::<Vec<_>>(),
            ))
}

fn is_uuid_first(text: &[u8]) -> bool {
    text.get(..word(text, 0)).is_some_and(is_uuid)
}

/// Fourteen letters and digits, a dot, and 64 hexadecimal digits.
fn is_airtable(text: &[u8]) -> bool {
    word(text, 0) == 14
        && text.get(14) == Some(&b'.')
        && text.get(15..).is_some_and(|rest| is_hex(rest, 64))
}

/// Whether this is the token of a Telegram bot, in two parts: the id, as in `bot<id>` of an address, and the rest.
pub(crate) fn is_telegram(id: &[u8], secret: &[u8]) -> bool {
    let id = id.strip_prefix(b"bot").unwrap_or(id);
    (8..=10).contains(&id.len())
        && id.iter().all(u8::is_ascii_digit)
        && secret.starts_with(b"AA")
        && word(secret, 0) == 35
        && is_random(secret)
}

/// The secret around the start of a word whose kind is told by what is inside it or at its end.
pub(crate) fn without_prefix(text: &[u8], at: usize) -> Option<Range<usize>> {
    let length = discord_bot(text.get(at..)?).or_else(|| {
        let end = at + word(text, at);
        let (first, rest) = (text.get(at..end)?, text.get(end..)?);
        if first.len() == 14 && rest.starts_with(b".atlasv1.") {
            let last = word(rest, 9);
            return (last >= 60 && mixes(rest.get(9..)?)).then_some(14 + 9 + last);
        }
        let region = first.get(32..).filter(|_| is_hex(first, 32))?.strip_prefix(b"-us")?;
        let is_region = (1..=2).contains(&region.len()) && region.iter().all(u8::is_ascii_digit);
        is_region.then_some(first.len())
    });
    let found = length.map(|length| at..at + length);
    found.or_else(|| azure_key(text, at)).or_else(|| application_secret(text, at))
}

/// 64 bytes in base64, of which the last ones name a service of Azure.
fn azure_key(text: &[u8], at: usize) -> Option<Range<usize>> {
    let signs = text.get(..at)?.iter().rev().take(4).take_while(|it| matches!(it, b'+' | b'/'));
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let is_key = |start: &usize| {
        let key = text.get(*start..start + 88).and_then(|key| key.strip_suffix(b"=="));
        key.is_some_and(|key| {
            let service = key.get(76..80).unwrap_or_default();
            matches!(service, b"+ASt" | b"+ABa" | b"+AMC" | b"ACDb" | b"APIM")
                && key.iter().all(is_base64)
        })
    };
    (at - signs.count()..=at).find(is_key).map(|start| start..start + 88)
}

/// Three characters, a digit, `Q~`, and 31 to 34 characters, some of which may be `~` again.
fn application_secret(text: &[u8], at: usize) -> Option<Range<usize>> {
    const MOST: usize = 40;
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_~.-".contains(byte);
    let (before, after) = text.split_at_checked(at)?;
    let start = at - before.iter().rev().take(MOST).take_while(is_part).count();
    let more = after.iter().take(MOST).take_while(is_part).count();
    let whole = text.get(start..at + more)?;
    let whole = whole.strip_suffix(b".").unwrap_or(whole);
    let is_it = (37..=MOST).contains(&whole.len())
        && whole.get(3)?.is_ascii_digit()
        && whole.get(4..6)? == b"Q~"
        && is_random_key(whole);
    is_it.then_some(start..start + whole.len())
}

/// The length of the token of a Discord bot at the start of a text: three parts, of which the first one is a number in base64.
fn discord_bot(text: &[u8]) -> Option<usize> {
    let is_dot = |at: usize| text.get(at) == Some(&b'.');
    let first = word(text, 0);
    let end = first + 1 + 6 + 1;
    let is_it = matches!(text.first(), Some(b'M' | b'N' | b'O'))
        && (23..=28).contains(&first)
        && is_dot(first)
        && word(text, first + 1) == 6
        && is_dot(first + 7);
    let last = if is_it { word(text, end) } else { 0 };
    (last >= 27 && mixes(text.get(..first)?)).then_some(end + last)
}

#[cfg(test)]
mod tests {
    use super::KNOWN;

    #[test]
    fn the_longer_of_two_prefixes_comes_first() {
        let all: Vec<&str> = KNOWN.iter().flat_map(|kind| kind.prefixes.iter().copied()).collect();
        for (at, prefix) in all.iter().enumerate() {
            let mut later = all.iter().skip(at + 1);
            assert!(later.all(|it| !it.starts_with(prefix)), "{prefix}");
        }
    }
}
