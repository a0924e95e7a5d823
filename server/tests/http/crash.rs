//! `kill -9` in the middle of writes: what was acknowledged is there, and the database is sound.
//!
//! `CLUSTERWRIGHT_CRASH_ROUNDS=100 cargo test -p server --test http crash` runs as many rounds as one wants.

use crate::database;
use crate::process::{Process, QUERY, database as database_of};
use crate::support::Caller;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const ROUNDS: u32 = 10;
const WRITERS: usize = 4;

/// What each scenario may be after a crash: names that it may have, or `None` where it may be gone.
type Allowed = Arc<Mutex<HashMap<String, HashSet<Option<String>>>>>;

/// Writes until the server dies. A change that was not acknowledged may have happened or not.
async fn write_until_death(mut caller: Caller, label: String, allowed: Allowed) -> usize {
    let mut acknowledged = 0;
    let set = |id: &str, states: &[Option<&str>]| {
        let states = states.iter().map(|state| state.map(str::to_owned)).collect();
        allowed.lock().unwrap().insert(id.to_owned(), states);
    };
    for number in 0.. {
        let name = format!("{label} {number}");
        let form = [("name", name.as_str()), ("query", QUERY)];
        let Ok(saved) = caller.try_post_form("/api/fn/save_scenario", &form).await else { break };
        assert_eq!(saved.status, 302, "{}", saved.text());
        let location = saved.header("location").to_owned();
        let Some(id) = location.strip_prefix("/scenarios/").and_then(|rest| rest.split('?').next()) else {
            panic!("not saved: {location}")
        };
        acknowledged += 1;
        set(id, &[Some(&name)]);
        let mut current = name.clone();
        if number % 3 == 1 {
            let other = format!("{name} renamed");
            set(id, &[Some(&name), Some(&other)]);
            let form = [("id", id), ("name", other.as_str())];
            let Ok(renamed) = caller.try_post_form("/api/fn/rename_scenario", &form).await else { break };
            assert!(renamed.header("location").contains("renamed=1"), "{}", renamed.header("location"));
            acknowledged += 1;
            set(id, &[Some(&other)]);
            current = other;
        }
        if number % 5 == 2 {
            set(id, &[Some(&current), None]);
            let Ok(deleted) = caller.try_post_form("/api/fn/delete_scenario", &[("id", id)]).await else { break };
            assert!(deleted.header("location").contains("deleted=1"), "{}", deleted.header("location"));
            acknowledged += 1;
            set(id, &[None]);
        }
    }
    acknowledged
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_survives_a_kill() {
    let rounds = std::env::var("CLUSTERWRIGHT_CRASH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(ROUNDS);
    let directory = tempfile::tempdir().unwrap();
    let file = database_of(directory.path());
    let allowed = Allowed::default();
    let mut acknowledged = 0;
    for round in 0..rounds {
        let process = Process::start(directory.path(), &[]);
        let before = allowed.lock().unwrap().len();
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let label = format!("round {round} writer {writer}");
                tokio::spawn(write_until_death(process.caller(), label, Arc::clone(&allowed)))
            })
            .collect();
        // each round at another point, once something is written: the first plan takes its time on a busy machine
        for _ in 0..3_000 {
            if allowed.lock().unwrap().len() > before {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        tokio::time::sleep(Duration::from_millis(50 + u64::from(round * 37 % 200))).await;
        process.kill();
        let mut in_round = 0;
        for writer in writers {
            in_round += writer.await.unwrap();
        }
        assert!(in_round > 0, "round {round} wrote nothing");
        acknowledged += in_round;

        // as it lies there, the log beside it: opening it is the recovery
        database::assert_sound(&file).await;
        let found = database::scenarios(&file).await;
        for (id, states) in allowed.lock().unwrap().iter() {
            let state = found.get(id).cloned();
            assert!(states.contains(&state), "round {round}: {id} is {state:?}, and may be {states:?}");
        }
    }
    let process = Process::start(directory.path(), &[]);
    assert_eq!(process.caller().get("/readyz").await.status, 200);
    println!("{rounds} rounds, {acknowledged} acknowledged changes, none lost");
}
