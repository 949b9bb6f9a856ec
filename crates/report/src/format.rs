//! The output formats and their properties, in one table.

use voxlint::schema::named;

use crate::emitter::Emitter;
#[cfg(feature = "html")]
use crate::emitters::html::HtmlEmitter;
use crate::emitters::{
    azure::AzureEmitter, concise::ConciseEmitter, full::FullEmitter, github::GithubEmitter,
    grouped::GroupedEmitter, json::JsonEmitter, markdown::MarkdownEmitter, ndjson::NdjsonEmitter,
    rdjson::RdjsonEmitter, rdjson::RdjsonlEmitter, statistics::StatisticsEmitter,
};
#[cfg(feature = "xml")]
use crate::emitters::{checkstyle::CheckstyleEmitter, junit::JunitEmitter};
#[cfg(feature = "sarif")]
use crate::emitters::{gitlab::GitlabEmitter, sarif::SarifEmitter};
#[cfg(feature = "html")]
use crate::html::page_options;
use crate::located::ReportSections;
use crate::options::RenderOptions;

/// The properties of a format.
struct FormatProperties {
    emitter: fn() -> Box<dyn Emitter>,
    snippets: bool,
    undecided: Listing,
    suppressed: Listing,
}

/// When a format lists something other than findings.
#[derive(Clone, Copy)]
enum Listing {
    Never,
    /// If the [`RenderOptions`] ask for it.
    OnRequest,
    Always,
}

impl Listing {
    const fn applies(self, is_requested: bool) -> bool {
        match self {
            Self::Never => false,
            Self::OnRequest => is_requested,
            Self::Always => true,
        }
    }
}

impl FormatProperties {
    /// A format that lists findings, and undecided rules on request.
    const fn of<E: Emitter + Default + 'static>() -> Self {
        Self {
            emitter: || Box::new(E::default()),
            snippets: false,
            undecided: Listing::OnRequest,
            suppressed: Listing::Never,
        }
    }
}

macro_rules! output_formats {
    ($($(#[$doc:meta])* $([$feature:literal])? $format:ident = $name:literal => $properties:expr,)+) => {
        /// The formats in which findings are written, the default first, those for people before those for other tools.
        ///
        /// ```
        /// use voxlint_report::OutputFormat;
        /// assert_eq!("concise".parse(), Ok(OutputFormat::Concise));
        /// assert!("Concise".parse::<OutputFormat>().is_err());
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum OutputFormat {
            $($(#[$doc])* $(#[cfg(feature = $feature)])? $format,)+
        }

        impl OutputFormat {
            const fn properties(self) -> FormatProperties {
                match self { $($(#[cfg(feature = $feature)])? Self::$format => $properties,)+ }
            }
        }

        named! { OutputFormat, "an output format": $($([$feature])? $format = $name),+ }
    };
}

output_formats! {
    /// For people: each finding with its lines, what is wrong and how to fix it.
    Full = "full" => FormatProperties { snippets: true, ..FormatProperties::of::<FullEmitter>() },
    /// One line per finding, `path:line:column: severity[rule] message`: for editors, grep and long lists.
    Concise = "concise" => FormatProperties::of::<ConciseEmitter>(),
    /// For people: the findings of each file in a table under its path.
    Grouped = "grouped" => FormatProperties::of::<GroupedEmitter>(),
    /// For people: the number of findings of each rule.
    Statistics = "statistics" => FormatProperties { undecided: Listing::Never, ..FormatProperties::of::<StatisticsEmitter>() },
    /// For job summaries: a heading and a table in Markdown.
    Markdown = "markdown" => FormatProperties::of::<MarkdownEmitter>(),
    /// For people: one self-contained page, for a browser.
    ["html"] Html = "html" => FormatProperties { snippets: true, ..FormatProperties::of::<HtmlEmitter>() },
    /// One JSON document of the whole run, with exact spans and fixes: for other tools.
    Json = "json" => FormatProperties { undecided: Listing::Always, ..FormatProperties::of::<JsonEmitter>() },
    /// The same as one JSON object per line, written as the run goes on.
    Ndjson = "ndjson" => FormatProperties { undecided: Listing::Always, ..FormatProperties::of::<NdjsonEmitter>() },
    /// SARIF 2.1.0: for code scanning and viewers.
    ["sarif"] Sarif = "sarif" => FormatProperties { suppressed: Listing::OnRequest, ..FormatProperties::of::<SarifEmitter>() },
    /// Workflow commands of GitHub Actions: annotations on the lines of a pull request.
    Github = "github" => FormatProperties::of::<GithubEmitter>(),
    /// The code quality report of GitLab.
    ["sarif"] Gitlab = "gitlab" => FormatProperties::of::<GitlabEmitter>(),
    /// Test results in `JUnit`'s format: for the test pages of build servers.
    ["xml"] Junit = "junit" => FormatProperties { suppressed: Listing::Always, ..FormatProperties::of::<JunitEmitter>() },
    /// Checkstyle's XML.
    ["xml"] Checkstyle = "checkstyle" => FormatProperties::of::<CheckstyleEmitter>(),
    /// Logging commands of Azure Pipelines.
    Azure = "azure" => FormatProperties::of::<AzureEmitter>(),
    /// The diagnostics of reviewdog as one JSON document.
    Rdjson = "rdjson" => FormatProperties::of::<RdjsonEmitter>(),
    /// The same as one JSON object per line.
    Rdjsonl = "rdjsonl" => FormatProperties::of::<RdjsonlEmitter>(),
}

impl OutputFormat {
    /// The parts of a report that the format lists.
    pub(crate) const fn sections(self, options: &RenderOptions) -> ReportSections {
        let FormatProperties { snippets, undecided, suppressed, .. } = self.properties();
        ReportSections {
            snippets,
            undecided: undecided.applies(options.undecided),
            suppressed: suppressed.applies(options.suppressed),
        }
    }

    /// How the format draws excerpts: a page does not depend on the terminal.
    pub(crate) const fn options(self, options: &RenderOptions) -> RenderOptions {
        match self {
            #[cfg(feature = "html")]
            Self::Html => page_options(options),
            _ => *options,
        }
    }

    pub(crate) fn emitter(self) -> Box<dyn Emitter> {
        (self.properties().emitter)()
    }
}
