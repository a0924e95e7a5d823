//! The settings file: TOML with the names of the flags, `_` for `-`. What it says is the default of flag and variable.

use clap::{ArgAction, Command};
use std::collections::BTreeSet;
use std::path::Path;
use toml::{Table, Value};

/// Settings of a file, as texts by name.
#[derive(Clone, Debug, Default)]
pub struct FileSettings(Vec<(String, Vec<String>)>);

impl FileSettings {
    /// Reads a file.
    ///
    /// # Errors
    /// It can't be read, or holds something that is no setting.
    pub fn read(path: &Path, command: &Command) -> Result<Self, String> {
        let shown = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| format!("can't read {shown}: {error}"))?;
        Self::parse(&text, command).map_err(|error| format!("{shown}: {error}"))
    }

    fn parse(text: &str, command: &Command) -> Result<Self, String> {
        let table: Table = text.parse().map_err(|error: toml::de::Error| error.to_string().trim_end().to_owned())?;
        let known: BTreeSet<&str> = settings(command).collect();
        let mut found = Vec::new();
        for (name, value) in table {
            if !known.contains(name.as_str()) {
                let all: Vec<&str> = known.iter().copied().collect();
                return Err(format!("`{name}` is no setting; there are {}", all.join(", ")));
            }
            found.push((name.clone(), texts(&name, &value)?));
        }
        Ok(Self(found))
    }

    /// A command whose defaults are those of the file.
    pub fn apply(&self, command: Command) -> Command {
        self.0.iter().fold(command, |command, (name, values)| {
            let values = values.clone();
            command.mut_arg(name, move |arg| match arg.get_action() {
                ArgAction::Append => arg.default_values(values),
                _ => arg.default_value(values.into_iter().next().unwrap_or_default()),
            })
        })
    }

    /// The file sets it.
    pub fn sets(&self, name: &str) -> bool {
        self.0.iter().any(|(given, _)| given == name)
    }
}

/// Names of all settings that a file may hold.
fn settings(command: &Command) -> impl Iterator<Item = &str> {
    command.get_arguments().map(|arg| arg.get_id().as_str()).filter(|id| !matches!(*id, "config" | "help" | "version"))
}

fn texts(name: &str, value: &Value) -> Result<Vec<String>, String> {
    match value {
        Value::String(text) => Ok(vec![text.clone()]),
        Value::Integer(number) => Ok(vec![number.to_string()]),
        Value::Boolean(flag) => Ok(vec![flag.to_string()]),
        Value::Array(items) if items.iter().all(Value::is_str) => {
            Ok(items.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        }
        other => Err(format!(
            "`{name}` is {}; write a text, a whole number, true, false or a list of texts",
            other.type_str()
        )),
    }
}
