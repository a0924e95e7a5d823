"""An empty torch, so that the parsers of DeepSpeed and torchtitan load without gigabytes of it.

Both read their configuration without touching a tensor, but import torch at the top. Every name of torch is a class that
does nothing; dtypes are distinct instances of one class. `ARTIFACTS_TORCH=real` checks with the real one instead.
"""

import abc
import importlib.abc
import importlib.machinery
import sys
import types

DTYPES = ("float16", "bfloat16", "float32", "float64", "int8", "uint8", "int16", "int32", "int64", "bool", "half", "float", "double", "long", "int", "complex64", "float8_e4m3fn", "float8_e5m2")


class _Meta(abc.ABCMeta):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _nothing(name)

    def __or__(cls, _):
        return cls

    def __ror__(cls, _):
        return cls

    def __getitem__(cls, _):
        return cls


def _nothing(name):
    def call(self, *args, **kwargs):
        # as a decorator, it leaves what it decorates
        return args[0] if len(args) == 1 and callable(args[0]) and not kwargs else self

    def get(self, inner):
        if inner.startswith("__"):
            raise AttributeError(inner)
        return _nothing(inner)

    body = {"__init__": lambda self, *a, **k: None, "__call__": call, "__getattr__": get, "__module__": "torch"}
    return _Meta(name, (), body)


class dtype:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"torch.{self.name}"


class _Module(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = _nothing(name)
        setattr(self, name, value)
        return value


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, tops):
        self.tops = tops

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in self.tops:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        module = _Module(spec.name)
        module.__path__ = []
        module.__version__ = "2.9.0"
        return module

    def exec_module(self, module):
        if module.__name__ == "torch":
            module.dtype = dtype
            for name in DTYPES:
                setattr(module, name, dtype(name))
            module.version = types.SimpleNamespace(cuda=None, hip=None, __version__="2.9.0")
            module.distributed = importlib.import_module("torch.distributed")
            module.distributed.is_available = lambda: False
            module.distributed.is_initialized = lambda: False
            module.cuda = importlib.import_module("torch.cuda")
            module.cuda.is_available = lambda: False
            module.cuda.device_count = lambda: 0


def install(*more):
    sys.meta_path.insert(0, _Finder({"torch", *more}))
