//! Writes the files of plans: `handover REQUESTS.json DIRECTORY`. The requests are an object of names and bodies of plan
//! requests; each name becomes a folder with its files, its plan (`plan.json`) and what was refused (`refused.json`).

use engine::request::Form;
use engine::{PlanRequest, handover, plan};
use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [requests, directory] = arguments.as_slice() else {
        return Err("usage: handover REQUESTS.json DIRECTORY".into());
    };
    let requests: BTreeMap<String, Value> = serde_json::from_str(&fs::read_to_string(requests)?)?;
    for (name, request) in requests {
        let request = PlanRequest::parse(&request, Form::Json).map_err(|problem| format!("{name}: {problem:?}"))?;
        let plan = plan(&request);
        let files = handover(&plan);
        let folder = Path::new(directory).join(&name);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("plan.json"), serde_json::to_string_pretty(&plan)?)?;
        fs::write(folder.join("refused.json"), serde_json::to_string_pretty(&files.refused)?)?;
        for file in &files.artifacts {
            fs::write(folder.join(&file.name), &file.text)?;
        }
    }
    Ok(())
}
