//! The kinds of secrets of well-known services that are certain by their form, in one table.

use std::ops::Range;

use super::bytes::word;
use super::randomness::{is_random, is_uuid, mixes, mixes_all};

/// A form that secrets of a service have.
pub(crate) struct KnownKind {
    /// The services, as the page of the rule lists them.
    name: &'static str,
    /// How the secret begins, or the address before it.
    pub(crate) prefix: &'static str,
    pub(crate) form: Form,
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

const fn random(name: &'static str, prefix: &'static str) -> KnownKind {
    KnownKind { name, prefix, form: Form::Random }
}

const fn path(name: &'static str, prefix: &'static str) -> KnownKind {
    KnownKind { name, prefix, form: Form::Path }
}

const fn exact(name: &'static str, prefix: &'static str, is_it: fn(&[u8]) -> bool) -> KnownKind {
    KnownKind { name, prefix, form: Form::Exact(is_it) }
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

/// At most 128, see [`kind_of`]. A prefix comes before its own beginnings.
pub(crate) const KNOWN: [KnownKind; 125] = [
    random("OpenAI, Anthropic, DeepSeek and OpenRouter", "sk-"),
    random("Stripe, Clerk and ElevenLabs", "sk_"),
    KnownKind { name: "Stripe, Clerk and ElevenLabs", prefix: "pk_", form: Form::Public },
    random("Stripe, Clerk and ElevenLabs", "rk_"),
    random("signing secrets of webhooks", "whsec_"),
    random("GitHub", "ghp_"),
    random("GitHub", "gho_"),
    random("GitHub", "ghs_"),
    random("GitHub", "ghu_"),
    random("GitHub", "ghr_"),
    random("GitHub", "github_pat_"),
    random("GitLab", "glpat-"),
    random("GitLab", "glptt-"),
    random("GitLab", "gldt-"),
    random("GitLab", "glrt-"),
    random("GitLab", "glcbt-"),
    random("GitLab", "glsoat-"),
    random("Slack", "xoxb-"),
    random("Slack", "xoxp-"),
    random("Slack", "xoxa-"),
    random("Slack", "xoxc-"),
    random("Slack", "xoxd-"),
    random("Slack", "xoxe-"),
    random("Slack", "xoxr-"),
    random("Slack", "xoxs-"),
    random("Slack", "xapp-"),
    path("webhooks of Slack", "hooks.slack.com/services/"),
    path("webhooks of Slack", "hooks.slack.com/workflows/"),
    path("webhooks of Slack", "hooks.slack.com/triggers/"),
    path("webhooks of Discord", "discord.com/api/webhooks/"),
    path("webhooks of Discord", "discordapp.com/api/webhooks/"),
    path("webhooks of Microsoft Teams", "webhook.office.com/webhookb2/"),
    path("webhooks of Microsoft Teams", "outlook.office.com/webhook/"),
    path("webhooks of Zapier and Make", "hooks.zapier.com/hooks/catch/"),
    path("webhooks of Zapier and Make", "hook.eu1.make.com/"),
    path("webhooks of Zapier and Make", "hook.us1.make.com/"),
    exact("Amazon Web Services", "AKIA", is_key_id),
    exact("Amazon Web Services", "ASIA", is_key_id),
    random("Google", "AIza"),
    random("Google", "ya29."),
    random("Google", "GOCSPX-"),
    exact("Google", "1//0", |it| is_mixed(it, 24)),
    exact("Databricks", "dapi", |it| is_hex(it, 32)),
    exact("HashiCorp Vault", "hvs.", |it| is_mixed(it, 20)),
    exact("HashiCorp Vault", "hvb.", |it| is_mixed(it, 20)),
    exact("HashiCorp Vault", "hvr.", |it| is_mixed(it, 20)),
    random("Hugging Face", "hf_"),
    random("Groq", "gsk_"),
    random("xAI", "xai-"),
    exact("Replicate", "r8_", |it| is_mixed(it, 30)),
    random("Perplexity", "pplx-"),
    random("NVIDIA", "nvapi-"),
    random("Cerebras", "csk-"),
    random("Tavily", "tvly-"),
    random("LangSmith", "lsv2_"),
    random("Pinecone", "pcsk_"),
    exact("Fireworks AI", "fw_", |it| is_mixed(it, 20)),
    exact("Retell AI", "key_", |it| is_hex(it, 28)),
    random("npm", "npm_"),
    random("PyPI", "pypi-"),
    random("RubyGems", "rubygems_"),
    random("Docker Hub", "dckr_pat_"),
    random("Docker Hub", "dckr_oat_"),
    random("Shopify", "shpat_"),
    random("Shopify", "shpss_"),
    random("Shopify", "shpca_"),
    random("Shopify", "shppa_"),
    random("Square", "sq0atp-"),
    random("Square", "sq0csp-"),
    exact("Square", "EAAA", |it| is_mixed(it, 56)),
    exact("Razorpay", "rzp_live_", |it| word(it, 0) == 14),
    exact("Plaid", "access-production-", is_uuid_first),
    random("Flutterwave", "FLWSECK-"),
    random("DigitalOcean", "dop_v1_"),
    random("DigitalOcean", "doo_v1_"),
    random("DigitalOcean", "dor_v1_"),
    exact("Heroku", "HRKU-", |it| is_mixed(it, 30) || is_uuid_first(it)),
    random("Netlify", "nfp_"),
    exact("Fly.io", "fo1_", |it| is_mixed(it, 30)),
    random("SendGrid", "SG."),
    exact("Mailgun", "key-", |it| is_hex(it, 32)),
    random("Brevo", "xkeysib-"),
    random("Brevo", "xsmtpsib-"),
    exact("Resend", "re_", |it| is_mixed(it, 24)),
    random("MailerSend", "mlsn."),
    exact("Twilio", "SK", |it| is_hex(it, 32)),
    exact("Telnyx", "KEY0", |it| is_mixed(it, 40)),
    random("Linear", "lin_api_"),
    random("Notion", "ntn_"),
    exact("Notion", "secret_", |it| is_mixed(it, 40)),
    random("Supabase", "sbp_"),
    random("Supabase", "sb_secret_"),
    random("PlanetScale", "pscale_tkn_"),
    random("PlanetScale", "pscale_pw_"),
    random("PlanetScale", "pscale_oauth_"),
    random("Neon", "napi_"),
    random("MongoDB Atlas", "mdb_sa_sk_"),
    random("Atlassian", "ATATT3"),
    random("Atlassian", "ATCTT3"),
    exact("Atlassian", "ATBB", |it| is_mixed(it, 28)),
    exact("HubSpot", "pat-na1-", is_uuid_first),
    exact("HubSpot", "pat-eu1-", is_uuid_first),
    exact("Airtable", "pat", is_airtable),
    random("Figma", "figd_"),
    random("Postman", "PMAK-"),
    random("Doppler", "dp.pt."),
    random("Doppler", "dp.st."),
    exact("Facebook, Instagram and WhatsApp", "EAA", |it| is_mixed(it, 80)),
    exact("Facebook, Instagram and WhatsApp", "IGQV", |it| is_mixed(it, 80)),
    random("Typeform", "tfp_"),
    random("Contentful", "CFPAT-"),
    random("New Relic", "NRAK-"),
    random("Grafana", "glc_"),
    random("Grafana", "glsa_"),
    random("Sentry", "sntrys_"),
    random("Sentry", "sntryu_"),
    random("Dynatrace", "dt0c01."),
    random("PostHog", "phx_"),
    random("Pulumi", "pul-"),
    exact("LaunchDarkly", "sdk-", is_uuid_first),
    random("Buildkite", "bkua_"),
    random("CircleCI", "CCIPAT_"),
    exact("1Password", "ops_eyJ", |it| is_mixed(it, 40)),
    exact("age", "AGE-SECRET-KEY-1", |it| is_mixed(it, 50)),
    random("Tailscale", "tskey-"),
];

/// The names of all kinds, each once, in alphabetical order.
pub fn names() -> Vec<&'static str> {
    let known = KNOWN.iter().map(|kind| kind.name);
    let mut names: Vec<&str> = known.chain(OTHER_NAMES).collect();
    names.sort_by_key(|name| name.to_lowercase());
    names.dedup();
    names
}

/// The kind whose prefix a text begins with. Only prefixes with its first byte are compared.
#[expect(clippy::indexing_slicing, reason = "a byte is always inside the table")]
pub(crate) fn kind_of(text: &[u8]) -> Option<&'static KnownKind> {
    /// The prefixes that begin with each byte, a bit for each.
    static BY_BYTE: [u128; 256] = {
        let mut table = [0; 256];
        let mut at = 0;
        while at < KNOWN.len() {
            table[KNOWN[at].prefix.as_bytes()[0] as usize] |= 1 << at;
            at += 1;
        }
        table
    };
    static ALL: [KnownKind; KNOWN.len()] = KNOWN;
    let mut rest = BY_BYTE[usize::from(*text.first()?)];
    while let Some(kind) = ALL.get(rest.trailing_zeros() as usize) {
        if text.starts_with(kind.prefix.as_bytes()) {
            return Some(kind);
        }
        rest &= rest - 1;
    }
    None
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
        for (at, kind) in KNOWN.iter().enumerate() {
            let mut later = KNOWN.iter().skip(at + 1);
            assert!(later.all(|it| !it.prefix.starts_with(kind.prefix)), "{}", kind.prefix);
        }
    }
}
