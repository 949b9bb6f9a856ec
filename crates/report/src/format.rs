//! The forms that findings are written in, by name.

/// The forms that findings are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutputFormat {
    /// For people: every finding with the lines it is about, what is wrong there, and the way out.
    Full,
    /// One line a finding, `path:line:column: severity[rule] message`: for editors, grep and long lists.
    Concise,
    /// For people: the findings of each file in a table under its path.
    Grouped,
    /// For people: how often each rule has found something.
    Statistics,
    /// For the page of a job: a headline and a table, in Markdown.
    Markdown,
    /// One JSON document of the whole run, with exact spans and fixes: for other tools.
    Json,
    /// The same in one JSON object a line, written as the run goes on.
    Ndjson,
    /// SARIF 2.1.0: for code scanning and for viewers.
    Sarif,
    /// Workflow commands of GitHub Actions: annotations on the lines of a pull request.
    Github,
    /// The code quality report of GitLab.
    Gitlab,
    /// Test results as `JUnit` writes them: for the test pages of build servers.
    Junit,
    /// Checkstyle's XML.
    Checkstyle,
    /// Logging commands of Azure Pipelines.
    Azure,
    /// The diagnostics of reviewdog, in one JSON document.
    Rdjson,
    /// The same, one JSON object a line.
    Rdjsonl,
}

impl OutputFormat {
    /// Every format, the default first, those for people before those for other tools.
    pub const ALL: [Self; 15] = [
        Self::Full,
        Self::Concise,
        Self::Grouped,
        Self::Statistics,
        Self::Markdown,
        Self::Json,
        Self::Ndjson,
        Self::Sarif,
        Self::Github,
        Self::Gitlab,
        Self::Junit,
        Self::Checkstyle,
        Self::Azure,
        Self::Rdjson,
        Self::Rdjsonl,
    ];

    /// The name that the command line uses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Concise => "concise",
            Self::Grouped => "grouped",
            Self::Statistics => "statistics",
            Self::Markdown => "markdown",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Sarif => "sarif",
            Self::Github => "github",
            Self::Gitlab => "gitlab",
            Self::Junit => "junit",
            Self::Checkstyle => "checkstyle",
            Self::Azure => "azure",
            Self::Rdjson => "rdjson",
            Self::Rdjsonl => "rdjsonl",
        }
    }

    /// The format of that name.
    ///
    /// ```
    /// use voxlint_report::OutputFormat;
    /// assert_eq!(OutputFormat::from_name("concise"), Some(OutputFormat::Concise));
    /// assert_eq!(OutputFormat::from_name("Concise"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}
