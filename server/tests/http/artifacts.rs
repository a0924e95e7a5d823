//! The files of a plan: listed, one by one, and together.

use crate::support::Server;
use std::io::Read;

const QUERY: &str = "model.preset=llama-3.1-70b&accelerators=h100-sxm&budget_usd=50M&deadline_days=90";

#[tokio::test]
async fn the_list_the_files_and_the_archive_hold_the_same() {
    let server = Server::start().await;
    let caller = server.caller();
    let list = caller.get(&format!("/api/v1/plans/artifacts?{QUERY}")).await.json();
    let files = list["artifacts"].as_array().unwrap();
    assert!(files.len() >= 12, "{} files", files.len());
    assert!(list["operating"]["goodput"].as_f64().unwrap() > 0.5);

    let answer = caller.get(&format!("/api/v1/plans/artifacts.zip?{QUERY}")).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/zip"));
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(answer.body.clone())).unwrap();
    assert_eq!(archive.len(), files.len());
    for file in files {
        let (name, text) = (file["name"].as_str().unwrap(), file["text"].as_str().unwrap());
        let one = caller.get(&format!("/api/v1/plans/artifacts/{name}?{QUERY}")).await;
        assert_eq!(one.status, 200, "{name}");
        assert!(one.header("content-disposition").contains(&format!("filename=\"{name}\"")), "{name}");
        assert_eq!(one.text(), text, "{name}");
        let mut packed = String::new();
        let mut entry = archive.by_name(name).unwrap();
        let runs = entry.unix_mode().unwrap() & 0o111 != 0;
        assert_eq!(runs, name.ends_with(".sh") || name.ends_with(".sbatch"), "{name}");
        entry.read_to_string(&mut packed).unwrap();
        assert_eq!(packed, text, "{name}");
    }
    let again = caller.get(&format!("/api/v1/plans/artifacts.zip?{QUERY}")).await;
    assert_eq!(again.header("etag"), answer.header("etag"), "the same plan gives the same archive");
}

#[tokio::test]
async fn what_is_not_there_says_why() {
    let server = Server::start().await;
    let caller = server.caller();
    let unknown = caller.get(&format!("/api/v1/plans/artifacts/x.sh?{QUERY}")).await.problem(404);
    assert!(unknown["detail"].as_str().unwrap().contains("megatron-lm.sh"), "{unknown}");
    // Gemma's two widths of attention are nothing that Megatron-LM has arguments for
    let gemma = "model.preset=gemma-3-27b&budget_usd=50M&deadline_days=90";
    let list = caller.get(&format!("/api/v1/plans/artifacts?{gemma}")).await.json();
    let refused = &list["refused"].as_array().unwrap()[0];
    let path = format!("/api/v1/plans/artifacts/{}?{gemma}", refused["name"].as_str().unwrap());
    let problem = caller.get(&path).await.problem(404);
    assert!(problem["detail"].as_str().unwrap().contains(refused["reason"].as_str().unwrap()), "{problem}");
    // nothing is bought or rented for a dollar
    let none = "model.preset=llama-3.1-405b&max_gpus=1&accelerators=rtx-4090";
    caller.get(&format!("/api/v1/plans/artifacts.zip?{none}")).await.problem(404);
    caller.get("/api/v1/plans/artifacts.zip?model.preset=lama").await.problem(422);
}
