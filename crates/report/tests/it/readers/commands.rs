//! Commands to build servers, as their agents read them from a log.

use std::collections::BTreeMap;

use super::ReadFinding;

struct Command {
    name: String,
    properties: BTreeMap<String, String>,
    data: String,
}

/// The lines of a log. For the agents, they end at line feeds and at carriage returns.
fn lines(log: &str) -> impl Iterator<Item = &str> {
    log.split(['\n', '\r']).filter(|line| !line.is_empty())
}

/// The runner of GitHub: `::name key=value,key=value::data`.
fn github_command(line: &str) -> Command {
    let rest = line.trim_start().strip_prefix("::").unwrap_or_else(|| panic!("no command: {line}"));
    let (head, data) = rest.split_once("::").unwrap();
    let (name, properties) = head.split_once(' ').unwrap_or((head, ""));
    let data_of = |text: &str| text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
    let property_of = |text: &str| {
        let text = text.replace("%0D", "\r").replace("%0A", "\n");
        text.replace("%3A", ":").replace("%2C", ",").replace("%25", "%")
    };
    let properties = properties.trim().split(',').filter(|pair| !pair.is_empty());
    Command {
        name: name.to_owned(),
        properties: properties
            .map(|pair| pair.split_once('=').unwrap())
            .map(|(key, value)| (key.to_owned(), property_of(value)))
            .collect(),
        data: data_of(data),
    }
}

pub(super) fn github(log: &str) -> Vec<ReadFinding> {
    let read = |Command { name, properties, data }: Command| {
        let title = &properties["title"];
        let number = |key: &str| properties.get(key).map(|text| text.parse::<u64>().unwrap());
        let (line, end_line) = (number("line").unwrap(), number("endLine").unwrap());
        let (column, end_column) = (number("col"), number("endColumn"));
        assert_eq!(line == end_line, column.is_some() && end_column.is_some(), "{log}");
        ReadFinding {
            path: properties["file"].clone(),
            line,
            column,
            severity: match name.as_str() {
                "notice" => "info".to_owned(),
                "error" | "warning" => name,
                _ => panic!("{name}"),
            },
            rule: title.strip_prefix("voxlint (").unwrap().strip_suffix(')').unwrap().to_owned(),
            message: data,
        }
    };
    placed(lines(log).map(github_command), "line").map(read).collect()
}

/// The agent of Azure: `##vso[area.event key=value;key=value;]data`.
fn azure_command(line: &str) -> Command {
    let rest = line.strip_prefix("##vso[").unwrap_or_else(|| panic!("no command: {line}"));
    let (head, data) = rest.split_once(']').unwrap();
    let (name, properties) = head.split_once(' ').unwrap();
    let unescaped = |text: &str| {
        let text = text.replace("%3B", ";").replace("%0D", "\r").replace("%0A", "\n");
        text.replace("%5D", "]").replace("%AZP25", "%")
    };
    Command {
        name: name.to_owned(),
        properties: properties
            .split(';')
            .filter_map(|pair| pair.split_once('='))
            .map(|(key, value)| (key.to_owned(), unescaped(value)))
            .collect(),
        data: unescaped(data),
    }
}

pub(super) fn azure(log: &str) -> Vec<ReadFinding> {
    let read = |Command { name, properties, data }: Command| {
        assert_eq!(name, "task.logissue");
        assert!(matches!(properties["type"].as_str(), "error" | "warning"));
        ReadFinding {
            path: properties["sourcepath"].clone(),
            line: properties["linenumber"].parse().unwrap(),
            column: Some(properties["columnnumber"].parse().unwrap()),
            severity: properties["type"].clone(),
            rule: properties["code"].clone(),
            message: data,
        }
    };
    placed(lines(log).map(azure_command), "linenumber").map(read).collect()
}

/// The commands with a line. That of a file that could not be checked has none.
fn placed(commands: impl Iterator<Item = Command>, line: &str) -> impl Iterator<Item = Command> {
    commands.filter(move |command| command.properties.contains_key(line))
}
