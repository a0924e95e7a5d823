//! Acceptance test of the shared storage against the plan's rates.

use super::Text;
use super::checkpoint::bytes_per_node;
use super::run::Run;
use super::text::{comments, duration, number, title};

pub(super) const JOBS: &str = "storage-acceptance.fio";
pub(super) const ACCEPTANCE: &str = "storage-acceptance.sh";

/// Seconds that each rate is held (judgement: long enough to empty the caches of a storage node).
const SECONDS: u32 = 300;

/// The jobs that one node runs.
pub(super) fn jobs(run: &Run<'_>) -> Result<Text, String> {
    let s = &run.build.storage;
    let nodes = f64::from(run.cluster.nodes.max(1));
    let mut top = title(run, "Load of one node on the shared storage");
    top.push(format!(
        "All {} nodes run it together: {} GB/s read and {} GB/s written, {} and {} a node.",
        run.cluster.nodes,
        number(s.read_gb_per_second),
        number(s.write_gb_per_second),
        number(s.read_gb_per_second / nodes),
        number(s.write_gb_per_second / nodes)
    ));
    // as much as a node writes in one checkpoint, and enough to be more than a cache
    let each = (bytes_per_node(run) / f64::from(run.cluster.gpus_per_node.max(1)) / 1_048_576.0)
        .ceil()
        .clamp(1_024.0, 65_536.0);
    let text = comments(&top)
        + &format!(
            "[global]\nioengine=libaio\ndirect=1\niodepth=16\nnumjobs={jobs}\ndirectory=${{TEST_DIRECTORY}}\nfilename_format=part.$jobnum\nsize={each:.0}m\ntime_based=1\nruntime={SECONDS}\ngroup_reporting=1\n\n# a checkpoint: each process writes its part in large blocks\n[write]\nrw=write\nbs=16m\n\n# a restart, and data: the same files in smaller blocks\n[read]\nstonewall\nrw=read\nbs=1m\n",
            jobs = run.cluster.gpus_per_node
        );
    Ok(Text {
        text,
        note: format!(
            "One node's load: {} jobs that write and then read {each:.0} MiB each, {SECONDS} s a phase.",
            run.cluster.gpus_per_node
        ),
    })
}

/// The test of all nodes, with pass marks.
pub(super) fn acceptance(run: &Run<'_>) -> Result<Text, String> {
    let s = &run.build.storage;
    let r = &run.reliability;
    let mut top = title(run, "Acceptance test of the shared storage");
    top.push(format!(
        "Pass marks are the plan's own rates: {} GB/s read, {} GB/s written. At the second, one checkpoint takes {}.",
        number(s.read_gb_per_second),
        number(s.write_gb_per_second),
        duration(r.write_seconds)
    ));
    top.push(
        "Every node keeps a folder of its own under TEST_DIRECTORY; they are removed at the end. Needs fio and jq."
            .into(),
    );
    let text = String::from("#!/usr/bin/env bash\n")
        + &comments(&top)
        + &format!(
            "set -euo pipefail\n\n: \"${{TEST_DIRECTORY:?an empty directory on the shared storage}}\"\nhere=$(cd \"$(dirname \"${{BASH_SOURCE[0]}}\")\" && pwd)\nread_least={read}\nwrite_least={write}\nexport TEST_DIRECTORY here\n\n# shellcheck disable=SC2016 # the nodes expand it\nsrun --nodes={nodes} --ntasks-per-node=1 bash -euc '\n  mkdir -p \"$TEST_DIRECTORY/$(hostname)\"\n  TEST_DIRECTORY=\"$TEST_DIRECTORY/$(hostname)\" fio --output-format=json --output=\"$TEST_DIRECTORY/$(hostname).json\" \"$here/{JOBS}\"\n  rm -rf \"${{TEST_DIRECTORY:?}}/$(hostname)\"\n'\njq -s --argjson read_least \"$read_least\" --argjson write_least \"$write_least\" '\n  def rate(way): [.[].jobs[] | select(.jobname == way) | .[way].bw_bytes] | add / 1e9;\n  {{nodes: length, read_gb_per_second: rate(\"read\"), write_gb_per_second: rate(\"write\"), read_least: $read_least, write_least: $write_least}}\n  | .pass = (.nodes == {nodes} and .read_gb_per_second >= .read_least and .write_gb_per_second >= .write_least)\n  | ., if .pass then empty else error(\"below the pass mark\") end\n' \"$TEST_DIRECTORY\"/*.json\nrm -f \"$TEST_DIRECTORY\"/*.json\n",
            read = number(s.read_gb_per_second),
            write = number(s.write_gb_per_second),
            nodes = run.cluster.nodes
        );
    let note = format!(
        "Passes at {} GB/s read and {} GB/s written by all {} nodes together.",
        number(s.read_gb_per_second),
        number(s.write_gb_per_second),
        run.cluster.nodes
    );
    Ok(Text { text, note })
}
