//! The folder of a saved plan: one body per update, in the order to send, and `plan.json`.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use voxlint::Plan;
use voxlint::schema::named;

use crate::Failure;
use crate::atomic_file::write_atomically;
use crate::contents::describe_io_error;
use crate::ignored_files::IGNORE_NAME;
use crate::paths::forward_slashes;
use crate::size_limit::SizeLimit;

/// The file that describes a saved plan.
const PLAN_NAME: &str = "plan.json";

/// The most characters of a document's name in the name of its body.
const MOST_CHARACTERS: usize = 60;

/// A body of a saved plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedBody {
    /// The name of the document's plan.
    pub name: Arc<str>,
    /// The name of its file.
    pub file: String,
    /// What the file contains.
    pub text: String,
}

/// What happened to a body of a saved plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BodyChangeKind {
    /// Its bytes differ from those that would be sent now.
    Changed,
    /// It is gone, or would be sent only now.
    Missing,
    /// It would not be sent now.
    Added,
}

named! {
    BodyChangeKind, "a change of a body":
    Changed = "changed",
    Missing = "missing",
    Added = "added",
}

/// A file in the folder of a saved plan that is not the body that would be sent now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyChange {
    /// The name of the file.
    pub file: String,
    /// What happened.
    pub kind: BodyChangeKind,
}

/// A folder that a plan is saved in.
///
/// ```
/// use voxlint::{Document, Inputs, PlanInputs, Stored, plan, plan_agent};
/// use voxlint_project::PlanFolder;
///
/// let stored = r#"{ "version": { "version_number": 3, "title": "Desk" }, "complete": true }"#;
/// let document = Document::parse(r#"{ "version_number": 3, "title": "Front desk" }"#);
/// let inputs = Inputs::new(document).stored(Stored::new(Document::parse(stored)));
/// let plan = plan(vec![plan_agent(&PlanInputs::new("agents/en.json", inputs))]);
///
/// let folder = tempfile::tempdir()?;
/// let bodies = PlanFolder::bodies(&plan);
/// assert_eq!(bodies[0].file, "001-en.json");
/// PlanFolder::open(folder.path(), |_| None)?.save(&bodies, b"{}")?;
/// assert!(PlanFolder::changed_bodies(folder.path(), &bodies)?.is_empty());
///
/// std::fs::write(folder.path().join("001-en.json"), "{}")?;
/// assert_eq!(PlanFolder::changed_bodies(folder.path(), &bodies)?[0].file, "001-en.json");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PlanFolder {
    path: PathBuf,
    /// The bodies of an earlier plan.
    old: BTreeSet<String>,
    /// Whether the folder contains nothing.
    is_new: bool,
}

impl PlanFolder {
    /// Opens a folder that is new, empty, or contains an earlier plan. `bodies_of` returns the names of the bodies of a plan from
    /// the bytes of its `plan.json`; `None` if they are something else. Nothing is written.
    ///
    /// # Errors
    ///
    /// If the folder contains anything else, or cannot be read.
    pub fn open(
        path: &Path,
        bodies_of: impl FnOnce(&[u8]) -> Option<Vec<String>>,
    ) -> Result<Self, Failure> {
        let mut entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(why) if why.kind() == io::ErrorKind::NotFound => {
                return Ok(Self { path: path.to_owned(), old: BTreeSet::new(), is_new: true });
            }
            Err(why) => return Err(unusable(path, &why)),
        };
        let is_new = entries.next().is_none();
        let mut old = BTreeSet::new();
        if !is_new {
            let bodies = Self::read_plan(path).ok().and_then(|bytes| bodies_of(&bytes));
            let message =
                "is not empty and contains no plan of voxlint: name a new or an empty folder";
            let not_ours = || Failure::new(forward_slashes(path), message);
            old = bodies.ok_or_else(not_ours)?.into_iter().collect();
        }
        Ok(Self { path: path.to_owned(), old, is_new })
    }

    /// The bytes of `plan.json` at a path, or in the folder at a path.
    ///
    /// # Errors
    ///
    /// If it is a link, a device or a pipe, which is not opened, or if it is too large or cannot be read.
    pub fn read_plan(path: &Path) -> Result<Vec<u8>, Failure> {
        let plan = if path.is_dir() { path.join(PLAN_NAME) } else { path.to_owned() };
        let Some(size) = regular_file(&plan).map_err(|error| unusable(&plan, &error))? else {
            return Err(not_a_file(&plan));
        };
        let limit = SizeLimit::plan();
        let file = limit.check(size).and_then(|()| fs::File::open(&plan));
        file.and_then(|file| limit.read(file)).map_err(|error| unusable(&plan, &error))
    }

    /// The bodies of a plan in the order to send, with the names that their files get.
    pub fn bodies(plan: &Plan) -> Vec<SavedBody> {
        let width = plan.order.len().to_string().len().max(3);
        let sent = plan.order.iter().filter_map(|index| plan.agents.get(*index));
        let sent = sent.filter_map(|agent| Some((&agent.name, agent.body.as_ref()?)));
        let body = |((name, body), number): ((&Arc<str>, &String), usize)| SavedBody {
            name: Arc::clone(name),
            file: format!("{number:0width$}-{}.json", stem(name)),
            text: format!("{body}\n"),
        };
        sent.zip(1..).map(body).collect()
    }

    /// Writes the bodies of a plan and then `plan.json`, and removes the bodies of the earlier plan. If it fails, what is left
    /// does not pass as the earlier plan. A new folder gets a `.gitignore` for all of it.
    ///
    /// # Errors
    ///
    /// If a file cannot be written or removed, or would replace something that is not a regular file.
    pub fn save(self, bodies: &[SavedBody], description: &[u8]) -> Result<(), Failure> {
        let size = SizeLimit::plan().check(description.len() as u64);
        let folder = size.and_then(|()| fs::create_dir_all(&self.path));
        folder.map_err(|error| unusable(&self.path, &error))?;
        let new: BTreeSet<&str> = bodies.iter().map(|body| body.file.as_str()).collect();
        let names = new.iter().copied().chain([PLAN_NAME]);
        for path in names.chain(self.old.iter().map(String::as_str)).map(|it| self.path.join(it)) {
            // A link would lead elsewhere.
            if matches!(regular_file(&path), Ok(None)) {
                return Err(not_a_file(&path));
            }
        }
        for old in self.old.iter().filter(|name| is_body_name(name) && !new.contains(name.as_str()))
        {
            let path = self.path.join(old);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(unusable(&path, &error));
                }
                _ => {}
            }
        }
        for body in bodies {
            self.write(&body.file, body.text.as_bytes())?;
        }
        self.write(PLAN_NAME, description)?;
        // Bodies may contain secrets, and a later run over the repository would find them as documents.
        if self.is_new && fs::symlink_metadata(self.path.join(IGNORE_NAME)).is_err() {
            self.write(IGNORE_NAME, b"*\n")?;
        }
        Ok(())
    }

    /// The bodies in the folder of a saved plan that are not `bodies`, and those that it does not have. Only files with the names
    /// of these bodies are read.
    ///
    /// # Errors
    ///
    /// If the folder or a body cannot be read.
    pub fn changed_bodies(folder: &Path, bodies: &[SavedBody]) -> Result<Vec<BodyChange>, Failure> {
        changed_bodies(folder, bodies).map_err(|error| unusable(folder, &error))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.path.join(name);
        write_atomically(&path, bytes).map_err(|error| unusable(&path, &error))
    }
}

fn unusable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(forward_slashes(path), describe_io_error(error))
}

fn not_a_file(path: &Path) -> Failure {
    let message = "is not a regular file, so it is left alone: remove it";
    Failure::new(forward_slashes(path), message)
}

fn changed_bodies(folder: &Path, bodies: &[SavedBody]) -> io::Result<Vec<BodyChange>> {
    let mut changes = Vec::new();
    for SavedBody { file, text, .. } in bodies {
        let path = folder.join(file);
        let kind = match regular_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => BodyChangeKind::Missing,
            Ok(Some(size)) if size == text.len() as u64 && fs::read(&path)? == text.as_bytes() => {
                continue;
            }
            Ok(_) => BodyChangeKind::Changed,
            Err(error) => return Err(error),
        };
        changes.push(BodyChange { file: file.clone(), kind });
    }
    let known: BTreeSet<&str> = bodies.iter().map(|body| body.file.as_str()).collect();
    let mut others = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let file = entry?.file_name().to_string_lossy().into_owned();
        others.extend(Some(file).filter(|file| is_body_name(file) && !known.contains(&**file)));
    }
    let kind = BodyChangeKind::Added;
    changes.extend(others.into_iter().map(|file| BodyChange { file, kind }));
    Ok(changes)
}

/// The size of a regular file; `None` if something else has this name, such as a link.
fn regular_file(path: &Path) -> io::Result<Option<u64>> {
    fs::symlink_metadata(path).map(|it| it.is_file().then_some(it.len()))
}

/// Whether a name has the form of a body's: `001-en.json`.
fn is_body_name(name: &str) -> bool {
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let rest = name.get(digits..).unwrap_or_default();
    let is_json = Path::new(rest).extension().is_some_and(|it| it.eq_ignore_ascii_case("json"));
    digits >= 3 && rest.starts_with('-') && is_json && is_one_name(name)
}

/// Whether a text is the name of a file, and not a path.
fn is_one_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let is_one = matches!(parts.next(), Some(Component::Normal(part)) if part == name);
    is_one && parts.next().is_none() && !name.contains(['/', '\\'])
}

/// The part of a body's name that tells which document it is of. It is a part of a file name on every system.
fn stem(name: &str) -> String {
    let file = name.rsplit('/').next().unwrap_or_default();
    let (file, number) = match file.rsplit_once(['#', ':']) {
        Some((file, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            (file, format!("-{number}"))
        }
        _ => (file, String::new()),
    };
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let safe = |char: char| if char.is_ascii_alphanumeric() || char == '_' { char } else { '-' };
    let stem: String = stem.chars().take(MOST_CHARACTERS).map(safe).collect();
    let stem = stem.trim_matches('-');
    format!("{}{number}", if stem.is_empty() { "agent" } else { stem })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_bodies_are_safe_on_every_system() {
        for (name, expected) in [
            ("agents/en.json", "en"),
            ("agents/front desk.v2.yaml", "front-desk-v2"),
            ("fleet.ndjson:12", "fleet-12"),
            ("fleet.yaml#2", "fleet-2"),
            ("..", "agent"),
            ("a/..json", "agent"),
            ("-rf.json", "rf"),
            ("Münster.json", "M-nster"),
            ("con\u{202e}.json", "con"),
            ("C:\\x.json", "C--x"),
            ("", "agent"),
        ] {
            assert_eq!(stem(name), expected, "{name}");
            assert!(is_body_name(&format!("001-{}.json", stem(name))), "{name}");
        }
        assert!(stem(&"x".repeat(500)).len() <= MOST_CHARACTERS);
        for foreign in ["plan.json", "001.json", "01-a.json", "001-a/../../b.json", "../001-a.json"]
        {
            assert!(!is_body_name(foreign), "{foreign}");
        }
    }
}
