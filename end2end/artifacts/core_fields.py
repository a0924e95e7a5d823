"""Fields of Megatron-Core and Megatron Bridge, read from the installed sources without importing them (they need CUDA)."""

import ast
import re
import sysconfig
from pathlib import Path

SITE = Path(sysconfig.get_paths()["purelib"])
# classes whose fields the sections of a recipe take
SECTIONS = {
    "model": [
        ("megatron/core/transformer/transformer_config.py", "TransformerConfig"),
        ("megatron/core/transformer/transformer_config.py", "MLATransformerConfig"),
        ("megatron/core/model_parallel_config.py", "ModelParallelConfig"),
        ("megatron/bridge/models/gpt_provider.py", "GPTModelProvider"),
    ],
    "train": [("megatron/bridge/training/config.py", "TrainingConfig")],
    "optimizer": [("megatron/core/optimizer/optimizer_config.py", "OptimizerConfig")],
    "ddp": [("megatron/core/distributed/distributed_data_parallel_config.py", "DistributedDataParallelConfig")],
    "dist": [("megatron/bridge/training/config.py", "DistributedInitConfig")],
    "checkpoint": [("megatron/bridge/training/config.py", "CheckpointConfig")],
    "logger": [("megatron/bridge/training/config.py", "LoggerConfig")],
    "tokenizer": [("megatron/bridge/training/tokenizers/config.py", "TokenizerConfig")],
    "peft": [("megatron/bridge/peft/lora.py", "LoRA")],
}
# arguments of Megatron-LM that are no field of its dataclasses, or that stand for one
OTHER_FLAGS = {
    "swiglu": "gated_linear_unit",
    "disable_bias_linear": "add_bias_linear",
    "untie_embeddings_and_output_weights": "share_embeddings_and_output_weights",
    "group_query_attention": "num_query_groups",
    "num_virtual_stages_per_pipeline_rank": "virtual_pipeline_model_parallel_size",
    "num_experts": "num_moe_experts",
    "fp8_format": "fp8",
    "fp4_format": "fp4",
    "ckpt_fully_parallel_load": "fully_parallel_load",
    "max_position_embeddings": None,
    "data_path": None,
}


def _class(path, name):
    tree = ast.parse((SITE / path).read_text())
    return next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == name)


def fields_of(path, name):
    return {n.target.id: ast.unparse(n.annotation) for n in _class(path, name).body if isinstance(n, ast.AnnAssign)}


def fields():
    """Section of a recipe to its fields with their annotations."""
    all_fields = {section: {} for section in SECTIONS}
    for section, classes in SECTIONS.items():
        for path, name in classes:
            all_fields[section].update(fields_of(path, name))
    # a property of GPTDatasetConfig, and a field of FinetuningDatasetConfig
    all_fields["dataset"] = {"seq_length": "int"}
    return all_fields


def accepts(annotation, value):
    """Whether a value is one that the annotation names; only what can be told without importing."""
    literal = re.search(r"Literal\[([^\]]*)\]", annotation)
    if literal and isinstance(value, str):
        return value in [ast.literal_eval(v.strip()) for v in literal.group(1).split(",")]
    if re.match(r"(Optional\[)?int\b", annotation):
        return isinstance(value, int) and not isinstance(value, bool) or value is None or value == "???"
    if re.match(r"(Optional\[)?bool\b", annotation):
        return isinstance(value, bool)
    return True


def parse_layout(text):
    """The layers of each stage, by Megatron-Core's own parser of a pipeline layout."""
    path = "megatron/core/transformer/pipeline_parallel_layer_layout.py"
    cls = _class(path, "PipelineParallelLayerLayout")
    function = next(n for n in cls.body if isinstance(n, ast.FunctionDef) and n.name == "parse_str_to_list")
    function.decorator_list = []

    class LayerType:
        embedding, loss, decoder, mtp = "embedding", "loss", "decoder", "mtp"

    scope = {"re": re, "LayerType": LayerType}
    exec(compile(ast.Module([function], []), path, "exec"), scope)  # noqa: S102
    return scope["parse_str_to_list"](text)


def precisions():
    """Names of Megatron Bridge's recipes of mixed precision."""
    tree = ast.parse((SITE / "megatron/bridge/training/mixed_precision.py").read_text())
    return {n.name for n in tree.body if isinstance(n, ast.FunctionDef) and n.decorator_list}


def flavor(model, name):
    """Numbers of a flavor of torchtitan, as its source has them; None where there is no such flavor."""
    tree = ast.parse((SITE / f"torchtitan/models/{model}/__init__.py").read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values):
                if isinstance(key, ast.Constant) and key.value == name and isinstance(value, ast.Call):
                    numbers = [k for k in value.keywords if isinstance(k.value, ast.Constant)]
                    return {k.arg: k.value.value for k in numbers}
    return None


def construct(model, precision, activation_gated):
    """Lets Megatron-Core itself build its configuration, with every rule that it checks. Takes the real torch."""
    import torch
    from megatron.core.transformer import transformer_config as core
    from megatron.core.transformer.enums import AttnBackend

    # asks which Transformer Engine is there; there is none without a device
    core.is_te_min_version = lambda *_, **__: True
    low_rank = model.get("multi_latent_attention")
    path = "megatron/core/transformer/transformer_config.py"
    known = {**fields_of(path, "TransformerConfig"), **fields_of("megatron/core/model_parallel_config.py", "ModelParallelConfig")}
    if low_rank:
        known.update(fields_of(path, "MLATransformerConfig"))
    values = {name: value for name, value in model.items() if name in known}
    values |= {"bf16": True, "params_dtype": torch.bfloat16, "pipeline_dtype": torch.bfloat16}
    values["attention_backend"] = AttnBackend[values["attention_backend"]]
    if "fp8" in precision:
        values |= {"fp8": "hybrid", "fp8_recipe": "tensorwise"}
    if "fp4" in precision:
        values |= {"fp4": "e2m1"}
    if activation_gated:
        values["activation_func"] = torch.nn.functional.silu
    if "window_size" in values:
        values["window_size"] = tuple(values["window_size"])
    return (core.MLATransformerConfig if low_rank else core.TransformerConfig)(**values)
