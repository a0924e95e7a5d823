//! A full disk and a locked database: 503, nothing lost, and well again afterwards.

use crate::database;
use crate::process::{Process, QUERY, database as database_of};
use crate::support::{Answer, Caller};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Saves as a program does; the id of the new scenario is not told to one.
async fn save_as_program(caller: &Caller, name: &str) -> Answer {
    let body =
        form_urlencoded::Serializer::new(String::new()).extend_pairs([("name", name), ("query", QUERY)]).finish();
    caller.post_text("/api/fn/save_scenario", "application/x-www-form-urlencoded", body).await
}

fn assert_unavailable(answer: &Answer) {
    assert_eq!(answer.problem(503)["code"], "unavailable");
    assert!(answer.header("retry-after").parse::<u64>().is_ok_and(|seconds| seconds > 0));
    assert_eq!(answer.header("set-cookie"), "", "who saved nothing owns nothing");
}

/// Saves until the disk is full, which is when five in a row are refused: after one that was too large for what is left,
/// a smaller one may fit. The names of what was acknowledged.
async fn fill(process: &Process) -> Vec<String> {
    let caller = process.caller();
    let (mut kept, mut refused) = (Vec::new(), 0);
    for number in 0..2_000 {
        let name = format!("Scenario {number}");
        let answer = save_as_program(&caller, &name).await;
        if answer.status == 200 {
            kept.push(name);
            refused = 0;
            continue;
        }
        assert!(answer.status == 503, "{} after {}: {}", answer.status, kept.len(), process.log());
        assert_unavailable(&answer);
        refused += 1;
        if refused == 5 {
            assert!(kept.len() > 3, "there was room for some");
            return kept;
        }
    }
    panic!("the disk did not get full: {}", process.log())
}

async fn assert_all_there(file: &Path, kept: &[String]) {
    database::assert_sound(file).await;
    let found: Vec<String> = database::scenarios(file).await.into_values().collect();
    let lost: Vec<&String> = kept.iter().filter(|name| !found.contains(name)).collect();
    assert!(lost.is_empty(), "{lost:?}");
}

/// While full: reading goes on, each save is refused, and a person is told in words.
async fn assert_serves_while_full(process: &Process) {
    for _ in 0..3 {
        assert_unavailable(&save_as_program(&process.caller(), "Refused").await);
    }
    let mut person = process.caller();
    let answer = person.post_form("/api/fn/save_scenario", &[("name", "Refused"), ("query", QUERY)]).await;
    assert!(answer.status == 302 && answer.header("location").starts_with("/?"), "{}", answer.header("location"));
    let page = person.browse(answer.header("location")).await;
    assert!(page.status == 200 && page.text().contains("Storage is busy. Nothing was lost"), "{}", page.text());
    for path in ["/", "/scenarios", "/healthz", "/api/v1/catalog/tiers"] {
        assert_eq!(process.caller().get(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn a_full_disk_loses_nothing() {
    // a file system of its own, which only a superuser may make; the test below needs no such leave
    if !Command::new("unshare").args(["--mount", "true"]).status().is_ok_and(|status| status.success()) {
        println!("skipped: file systems can't be mounted here");
        return;
    }
    let (outside, inside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mount =
        "mount -t tmpfs -o size=2m tmpfs \"$0\" && cd \"$0\" && head -c 200000 /dev/zero > filler && exec \"$@\"";
    let room = inside.path().to_str().unwrap();
    let process =
        Process::start_in(inside.path(), outside.path(), &["unshare", "--mount", "sh", "-c", mount, room], &[]);
    let kept = fill(&process).await;
    assert_serves_while_full(&process).await;

    // the room as the process sees it
    let seen =
        Path::new("/proc").join(process.id().to_string()).join("root").join(inside.path().strip_prefix("/").unwrap());
    std::fs::remove_file(seen.join("filler")).unwrap();
    let answer = save_as_program(&process.caller(), "After").await;
    assert_eq!(answer.status, 200, "with room again it saves again: {}", answer.text());
    let mut kept = kept;
    kept.push("After".into());
    assert_eq!(process.caller().get("/readyz").await.status, 200);
    // nobody writes any more, so the files fit each other; SQLite itself would take the way through /proc for another
    for name in ["t.sqlite", "t.sqlite-wal"] {
        std::fs::copy(seen.join(name), outside.path().join(name)).unwrap();
    }
    assert_all_there(&database_of(outside.path()), &kept).await;
}

#[tokio::test]
async fn a_file_that_may_not_grow_loses_nothing() {
    let directory = tempfile::tempdir().unwrap();
    // RLIMIT_FSIZE as the full disk: a write beyond it fails, as the signal that would end the program is ignored.
    // Only the soft limit, so that it can be lifted again
    let limit = "trap '' XFSZ; ulimit -S -f 2000; exec \"$@\"";
    let process = Process::start_in(directory.path(), directory.path(), &["sh", "-c", limit, "sh"], &[]);
    let mut kept = fill(&process).await;
    assert_serves_while_full(&process).await;
    let lifted = Command::new("prlimit").args(["--pid", &process.id().to_string(), "--fsize=unlimited:"]).status();
    assert!(lifted.is_ok_and(|status| status.success()));
    assert_eq!(save_as_program(&process.caller(), "After").await.status, 200);
    kept.push("After".into());
    assert_all_there(&database_of(directory.path()), &kept).await;
}

#[tokio::test]
async fn a_locked_database_is_503_until_it_is_let_go() {
    let directory = tempfile::tempdir().unwrap();
    let process = Process::start(directory.path(), &[]);
    assert_eq!(save_as_program(&process.caller(), "Before").await.status, 200);
    let mut other = database::open(&database_of(directory.path())).await;
    sqlx::query("BEGIN EXCLUSIVE").execute(&mut other).await.unwrap();

    let start = Instant::now();
    let (first, second, ready) = tokio::join!(
        async { save_as_program(&process.caller(), "Refused").await },
        async { save_as_program(&process.caller(), "Refused too").await },
        async { process.caller().get("/readyz").await },
    );
    assert_unavailable(&first);
    assert_unavailable(&second);
    assert_eq!(ready.status, 503, "{}", ready.text());
    assert!(start.elapsed() < Duration::from_secs(10), "each is told in time: {:?}", start.elapsed());
    for path in ["/", "/scenarios", "/healthz"] {
        assert_eq!(process.caller().get(path).await.status, 200, "reading goes on: {path}");
    }

    sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
    assert_eq!(save_as_program(&process.caller(), "After").await.status, 200);
    assert_eq!(process.caller().get("/readyz").await.status, 200);
    let names: Vec<String> = database::scenarios(&database_of(directory.path())).await.into_values().collect();
    assert!(names.contains(&"Before".into()) && names.contains(&"After".into()) && names.len() == 2, "{names:?}");
}
