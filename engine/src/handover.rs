//! A plan as files that an engineer starts from: configuration of the training software, batch script, acceptance
//! tests, alarms, checklists. Pure text from the plan's own figures.
//!
//! `run` gathers the figures once; each other file writes one artifact from them, or says why it can't be written.

mod burn_in;
mod checkpoint;
mod claim;
mod collectives;
mod core_model;
mod deepspeed;
mod megatron;
mod monitoring;
mod nemo;
mod operating;
mod readme;
mod run;
mod slurm;
mod storage;
mod text;
mod torchtitan;

pub use claim::{Framework, LayoutClaim, check_claim};
pub use operating::{Operating, Scratch};

use crate::answer::{Plan, TierId};
use run::Run;
use serde::{Deserialize, Serialize};

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artifact {
    /// File name, without folders.
    pub name: String,
    /// Media type, such as `application/json`.
    pub media_type: String,
    /// The whole text.
    pub text: String,
    /// What a reader must know before using it: what the file can't say, what is left to fill in.
    pub note: String,
    /// Parser that accepts it, with its version.
    pub validated_with: String,
}

/// A file that can't be made for this plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// File name.
    pub name: String,
    /// Why, in sentences.
    pub reason: String,
}

/// Everything that is handed over for one plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Handover {
    /// Tier whose cluster the files are of: the plan's shown one.
    pub tier: TierId,
    /// The files.
    pub artifacts: Vec<Artifact>,
    /// Files that can't be made, with the reason.
    pub refused: Vec<Refusal>,
    /// What to expect and to watch; absent where there is no cluster that holds the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operating: Option<Operating>,
}

impl Handover {
    /// The file with this name.
    pub fn artifact(&self, name: &str) -> Option<&Artifact> {
        self.artifacts.iter().find(|a| a.name == name)
    }
}

/// What is to be known of one kind of file before it is written.
struct Kind {
    name: &'static str,
    media_type: &'static str,
    validated_with: &'static str,
    write: fn(&Run<'_>) -> Result<Text, String>,
}

/// A file's text and note.
struct Text {
    text: String,
    note: String,
}

const SHELL: &str = "text/x-shellscript";
const SHELL_PARSERS: &str = "bash -n, shellcheck 0.11.0";
const YAML: &str = "application/yaml";

/// Every file but the README, which lists the others.
const KINDS: &[Kind] = &[
    Kind { name: megatron::NAME, media_type: SHELL, validated_with: megatron::PARSERS, write: megatron::write },
    Kind {
        name: torchtitan::NAME,
        media_type: "application/toml",
        validated_with: "ConfigManager of torchtitan 0.2.2",
        write: torchtitan::write,
    },
    Kind {
        name: deepspeed::NAME,
        media_type: "application/json",
        validated_with: "DeepSpeedConfig of deepspeed 0.19.8",
        write: deepspeed::write,
    },
    Kind {
        name: nemo::NAME,
        media_type: YAML,
        validated_with: "PyYAML 6.0.3; fields of megatron-bridge 0.3.1 and megatron-core 0.16.1",
        write: nemo::write,
    },
    Kind { name: slurm::NAME, media_type: SHELL, validated_with: SHELL_PARSERS, write: slurm::write },
    Kind {
        name: collectives::ENVIRONMENT,
        media_type: SHELL,
        validated_with: SHELL_PARSERS,
        write: collectives::environment,
    },
    Kind {
        name: collectives::ACCEPTANCE,
        media_type: SHELL,
        validated_with: SHELL_PARSERS,
        write: collectives::acceptance,
    },
    Kind {
        name: storage::JOBS,
        media_type: "text/plain",
        validated_with: "fio 3.33 --parse-only",
        write: storage::jobs,
    },
    Kind { name: storage::ACCEPTANCE, media_type: SHELL, validated_with: SHELL_PARSERS, write: storage::acceptance },
    Kind { name: checkpoint::NAME, media_type: YAML, validated_with: "PyYAML 6.0.3", write: checkpoint::write },
    Kind {
        name: monitoring::NAME,
        media_type: YAML,
        validated_with: "promtool 2.42.0 check rules",
        write: monitoring::write,
    },
    Kind { name: burn_in::NAME, media_type: "text/markdown", validated_with: "none: prose", write: burn_in::write },
];

/// The files of a plan: of the cluster it shows, which is the recommended one or the nearest.
///
/// Each number in them is the plan's own, or a product of the plan's own. A file that can't be made for this plan is
/// in `refused` with its reason; where nothing holds the model, all of them are.
pub fn handover(plan: &Plan) -> Handover {
    let tier = plan.shown_tier;
    let run = match Run::of(plan) {
        Ok(run) => run,
        Err(reason) => {
            let refusal = |name: &str| Refusal { name: name.into(), reason: reason.clone() };
            let names = KINDS.iter().map(|k| k.name).chain([readme::NAME]);
            return Handover { tier, artifacts: Vec::new(), refused: names.map(refusal).collect(), operating: None };
        }
    };
    let mut artifacts = Vec::new();
    let mut refused = Vec::new();
    for kind in KINDS {
        match (kind.write)(&run) {
            Ok(Text { text, note }) => artifacts.push(Artifact {
                name: kind.name.into(),
                media_type: kind.media_type.into(),
                text,
                note,
                validated_with: kind.validated_with.into(),
            }),
            Err(reason) => refused.push(Refusal { name: kind.name.into(), reason }),
        }
    }
    let operating = operating::operating(&run);
    let readme = Artifact {
        name: readme::NAME.into(),
        media_type: "text/markdown".into(),
        text: readme::text(&run, &operating, &artifacts, &refused),
        note: "What the plan is, in which order its files are used, and where its figures come from.".into(),
        validated_with: "none: prose".into(),
    };
    artifacts.insert(0, readme);
    Handover { tier, artifacts, refused, operating: Some(operating) }
}
