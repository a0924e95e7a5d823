//! Copies taken while people write, and put back.

use crate::database::{self, assert_sound, dump};
use crate::process::{Process, QUERY, database as database_of, fail, succeed};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Saves until told to stop; the ids of what was acknowledged are kept as they come.
async fn write(process: &Process, stop: Arc<AtomicBool>, kept: Arc<Mutex<Vec<String>>>) {
    let mut caller = process.caller();
    while !stop.load(Ordering::Relaxed) {
        let saved = caller.post_form("/api/fn/save_scenario", &[("name", "Storm"), ("query", QUERY)]).await;
        let location = saved.header("location");
        let id = location.strip_prefix("/scenarios/").and_then(|rest| rest.split('?').next());
        kept.lock().unwrap().push(id.unwrap_or_else(|| panic!("{location}")).to_owned());
        caller.post_form("/api/fn/create_link", &[("scenario", id.unwrap())]).await;
    }
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_is_taken_in_a_storm_is_whole_and_restores_equal() {
    let directory = tempfile::tempdir().unwrap();
    let live = database_of(directory.path());
    let process = Arc::new(Process::start(directory.path(), &[]));
    let (stop, kept) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
    let writers: Vec<_> = (0..3)
        .map(|_| {
            let (process, stop, kept) = (Arc::clone(&process), Arc::clone(&stop), Arc::clone(&kept));
            tokio::spawn(async move { write(&process, stop, kept).await })
        })
        .collect();
    let mut sizes = Vec::new();
    for number in 0..4 {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let before = kept.lock().unwrap().clone();
        let copy = directory.path().join(format!("copy-{number}.sqlite"));
        let said = succeed(directory.path(), &["backup", path(&copy)]);
        assert!(said.contains("bytes, schema"), "{said}");
        assert_sound(&copy).await;
        let found = database::scenarios(&copy).await;
        assert!(before.iter().all(|id| found.contains_key(id)), "all that was acknowledged before is in it");
        sizes.push(found.len());
    }
    assert!(sizes.windows(2).all(|pair| pair[0] < pair[1]), "people went on saving meanwhile: {sizes:?}");
    stop.store(true, Ordering::Relaxed);
    for writer in writers {
        writer.await.unwrap();
    }

    let last = directory.path().join("last.sqlite");
    succeed(directory.path(), &["backup", path(&last)]);
    let elsewhere = tempfile::tempdir().unwrap();
    let fresh = elsewhere.path().join("new/directory/t.sqlite");
    succeed(elsewhere.path(), &["restore", path(&last), "--database", path(&fresh)]);
    assert_eq!(dump(&fresh).await, dump(&live).await);
    succeed(elsewhere.path(), &["restore", path(&last)]);
    assert_eq!(dump(&database_of(elsewhere.path())).await, dump(&live).await);
    let restored = Process::start(elsewhere.path(), &[]);
    assert_eq!(restored.caller().get("/readyz").await.status, 200);
    assert_eq!(database::scenarios(&database_of(elsewhere.path())).await.len(), kept.lock().unwrap().len());
}

#[tokio::test]
async fn a_restored_database_is_that_of_the_copy_and_of_nothing_else() {
    let directory = tempfile::tempdir().unwrap();
    let (live, copy) = (database_of(directory.path()), directory.path().join("copy.sqlite"));
    let mut process = Process::start(directory.path(), &[]);
    let mut owner = process.caller();
    owner.post_form("/api/fn/save_scenario", &[("name", "Kept"), ("query", QUERY)]).await;
    succeed(directory.path(), &["backup", path(&copy)]);
    let then = dump(&live).await;
    owner.post_form("/api/fn/save_scenario", &[("name", "Later"), ("query", QUERY)]).await;

    assert!(fail(directory.path(), &["restore", path(&copy)]).contains("--force"));
    assert!(fail(directory.path(), &["restore", path(&copy), "--force"]).contains("stop the server"));
    assert_eq!(database::scenarios(&live).await.len(), 2, "nothing was touched");
    process.terminate();
    assert!(process.ended(std::time::Duration::from_secs(10)).success());
    succeed(directory.path(), &["restore", path(&copy), "--force"]);
    assert_eq!(dump(&live).await, then);

    // a server that was killed leaves a log, which must not be taken for that of the copy
    let process = Process::start(directory.path(), &[]);
    process.caller().post_form("/api/fn/save_scenario", &[("name", "Lost"), ("query", QUERY)]).await;
    process.kill();
    assert!(live.with_extension("sqlite-wal").metadata().unwrap().len() > 0);
    succeed(directory.path(), &["restore", path(&copy), "--force"]);
    assert_eq!(dump(&live).await, then);
    let process = Process::start(directory.path(), &[]);
    let mut again = process.caller();
    again.cookies.clone_from(&owner.cookies);
    let list = again.browse("/scenarios").await.text();
    assert!(list.contains("Kept") && !list.contains("Later") && !list.contains("Lost"), "{list}");
}

#[tokio::test]
async fn what_can_not_be_used_is_refused_and_leaves_nothing_behind() {
    let directory = tempfile::tempdir().unwrap();
    let live = database_of(directory.path());
    succeed(directory.path(), &["migrate"]);
    let before = dump(&live).await;
    let file = |name: &str| directory.path().join(name);
    succeed(directory.path(), &["backup", path(&file("good"))]);
    assert!(fail(directory.path(), &["backup", path(&file("good"))]).contains("there already"));
    assert!(fail(directory.path(), &["backup", path(&file("no/such/directory/copy"))]).contains("can't write"));

    let good = std::fs::read(file("good")).unwrap();
    std::fs::write(file("text"), "not a database, but long enough to be looked at".repeat(100)).unwrap();
    std::fs::write(file("empty"), "").unwrap();
    std::fs::write(file("short"), &good[..good.len() / 2]).unwrap();
    std::fs::write(file("live"), &good).unwrap();
    std::fs::write(file("live-wal"), "log").unwrap();
    std::fs::write(file("newer"), &good).unwrap();
    let mut newer = database::open(&file("newer")).await;
    sqlx::query("INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (9999, 'x', 1, x'00', 0)")
        .execute(&mut newer)
        .await
        .unwrap();
    drop(newer);
    std::fs::write(file("other"), "").unwrap();
    sqlx::query("CREATE TABLE t (x)").execute(&mut database::open(&file("other")).await).await.unwrap();
    for (name, expected) in [
        ("missing", "there is no database"),
        ("text", "can't be used"),
        ("empty", "no database of Clusterwright"),
        ("short", "can't be used"),
        ("live", "live database"),
        ("newer", "schema 9999"),
        ("other", "no database of Clusterwright"),
    ] {
        let said = fail(directory.path(), &["restore", path(&file(name)), "--force"]);
        assert!(said.contains(expected) && said.contains(name), "{name}: {said}");
    }
    assert_eq!(dump(&live).await, before);
    let left: Vec<String> = std::fs::read_dir(directory.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("partial"))
        .collect();
    assert_eq!(left, Vec::<String>::new());
}

#[cfg(unix)]
#[tokio::test]
async fn copies_are_for_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let (directory, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let copy = directory.path().join("copy");
    succeed(directory.path(), &["migrate"]);
    succeed(directory.path(), &["backup", path(&copy)]);
    succeed(elsewhere.path(), &["restore", path(&copy)]);
    for file in [copy, database_of(elsewhere.path())] {
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "{}", file.display());
    }
}
