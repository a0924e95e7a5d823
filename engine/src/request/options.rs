//! The closed choices of a request.

use serde::{Deserialize, Serialize};

macro_rules! choices {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal, $label:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $text)] $variant,)+ }

        impl $name {
            /// Every choice, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The name on the wire.
            pub fn id(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }

            /// The name for people.
            pub fn label(self) -> &'static str {
                match self { $($name::$variant => $label),+ }
            }
        }
    };
}

choices! {
    /// Number format of the linear layers; attention, head and loss stay in bf16.
    Precision {
        /// bf16 mixed precision.
        Bf16 = "bf16", "bf16";
        /// fp8 linear layers.
        Fp8 = "fp8", "fp8";
        /// fp4 linear layers.
        Fp4 = "fp4", "fp4";
    }
}

choices! {
    /// What is trained.
    Method {
        /// From scratch.
        Pretraining = "pretraining", "Pretraining";
        /// All weights of an existing model.
        FullFineTuning = "full_fine_tuning", "Full fine-tuning";
        /// Low-rank adapters on frozen weights.
        Lora = "lora", "LoRA";
    }
}

choices! {
    /// Where an owned cluster stands.
    Facility {
        /// Space rented by the contracted kW.
        Colocation = "colocation", "Colocation";
        /// A facility of one's own, written off over its life.
        Own = "own", "Own facility";
    }
}

choices! {
    /// Optimizer and the precision of its states; a 32-bit master copy of the weights unless said.
    Optimizer {
        /// AdamW, 32-bit states.
        Adamw = "adamw", "AdamW";
        /// AdamW, 16-bit states.
        Adamw16bit = "adamw_16bit", "AdamW, 16-bit states";
        /// AdamW, everything in bf16: states, and no master copy.
        AdamwBf16 = "adamw_bf16", "AdamW, all in bf16";
        /// AdamW, 8-bit states.
        Adamw8bit = "adamw_8bit", "AdamW, 8-bit states";
        /// Muon on matrices (one 32-bit momentum).
        Muon = "muon", "Muon";
        /// Adafactor (factored second moment).
        Adafactor = "adafactor", "Adafactor";
        /// SGD with momentum.
        Sgd = "sgd", "SGD with momentum";
    }
}

choices! {
    /// What of the activations is computed again in the backward pass.
    Recompute {
        /// Everything is kept.
        None = "none", "None";
        /// Cheap parts (norms, activation functions, attention core) are computed again.
        Selective = "selective", "Selective";
        /// Each layer is computed again from its input.
        Full = "full", "Full";
    }
}

choices! {
    /// What the data-parallel group shards.
    Sharding {
        /// Nothing: each replica holds everything.
        None = "none", "None";
        /// Optimizer states (ZeRO-1, distributed optimizer).
        Optimizer = "optimizer", "Optimizer states";
        /// Optimizer states and gradients (ZeRO-2).
        Gradients = "gradients", "Optimizer states and gradients";
        /// Weights too (ZeRO-3, FSDP).
        Full = "full", "Everything (FSDP)";
    }
}

choices! {
    /// What lives in the host's memory and is streamed over the link to it.
    #[derive(Default)]
    HostOffload {
        /// Nothing.
        #[default]
        None = "none", "Nothing";
        /// Optimizer states and master weights.
        Optimizer = "optimizer", "Optimizer states";
        /// Weights and gradients too, layer by layer.
        Everything = "everything", "Weights, gradients and optimizer states";
    }
}

impl HostOffload {
    /// Nothing is offloaded.
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }
}

choices! {
    /// How the devices are had.
    Acquisition {
        /// Bought.
        Buy = "buy", "Buy";
        /// Rented under a commitment; every hour is paid.
        Reserved = "reserved", "Reserved";
        /// Rented by the hour.
        OnDemand = "on_demand", "On demand";
        /// Rented, interruptible.
        Spot = "spot", "Spot";
    }
}

choices! {
    /// How the switches of the scale-out network are joined.
    Topology {
        /// One switch where all ports fit, else the tree with the fewest switches.
        Auto = "auto", "Automatic";
        /// Folded Clos network of two or three tiers.
        FatTree = "fat_tree", "Fat-tree";
        /// Fat-tree whose leaves each serve the devices of one index of their servers.
        RailOptimized = "rail_optimized", "Rail-optimized fat-tree";
        /// One switch for each index of the devices of a server, and no switch above: up to as many servers as a switch
        /// has ports. What goes from one index to another crosses the scale-up link of a server.
        RailOnly = "rail_only", "Rail-only";
        /// Fully joined groups of switches, fully joined among each other.
        Dragonfly = "dragonfly", "Dragonfly";
        /// Switches in a grid of up to three dimensions that closes on itself.
        Torus = "torus", "Torus";
    }
}

choices! {
    /// Rates of the shared storage, by the classes of the DGX SuperPOD storage guideline.
    #[derive(Default)]
    StorageClass {
        /// Language models on text: 40 GB/s read and 20 GB/s write for 256 devices.
        #[default]
        Standard = "standard", "Standard";
        /// Multimodal models and data sets above 30 TB: 125 GB/s read and 62 GB/s write for 256 devices.
        Enhanced = "enhanced", "Enhanced";
    }
}

choices! {
    /// Attention kernel.
    AttentionKernel {
        /// Attention maps in memory.
        None = "none", "Unfused";
        /// FlashAttention 2 class.
        Flash2 = "flash2", "FlashAttention 2";
        /// FlashAttention 3 class.
        Flash3 = "flash3", "FlashAttention 3";
        /// cuDNN fused attention.
        Cudnn = "cudnn", "cuDNN";
    }
}

choices! {
    /// Family of training software; it sets the options that are absent.
    SoftwareStack {
        /// Megatron-Core with Transformer Engine.
        MegatronCore = "megatron-core", "Megatron-Core";
        /// MLPerf submissions.
        MlperfTuned = "mlperf-tuned", "MLPerf-tuned";
        /// PyTorch with FSDP.
        PytorchFsdp = "pytorch-fsdp", "PyTorch FSDP";
        /// DeepSpeed.
        Deepspeed = "deepspeed", "DeepSpeed";
        /// Megatron-LM of 2021.
        Megatron2021 = "megatron-2021", "Megatron-LM (2021)";
        /// JAX.
        Jax = "jax", "JAX";
        /// Hand-written CUDA trainers.
        CudaNative = "cuda-native", "CUDA-native";
        /// Anything else.
        Other = "other", "Other";
    }
}

/// Software options, complete: what was absent in the request has been set from the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Software {
    /// Family.
    pub stack: SoftwareStack,
    /// Attention kernel.
    pub attention_kernel: AttentionKernel,
    /// Graph compiler or hand-fused kernels for the memory-bound work.
    pub compiled: bool,
    /// CUDA graphs (no launch cost).
    pub cuda_graphs: bool,
    /// Fused or chunked cross-entropy.
    pub fused_loss: bool,
    /// Collectives run beside computation.
    pub overlap_communication: bool,
    /// Norms and residuals are split across the tensor-parallel group.
    pub sequence_parallel: bool,
}

impl Software {
    /// What a family does unless told otherwise.
    pub fn of(stack: SoftwareStack) -> Self {
        use {AttentionKernel as A, SoftwareStack as S};
        let tuned = Software {
            stack,
            attention_kernel: A::Cudnn,
            compiled: true,
            cuda_graphs: false,
            fused_loss: true,
            overlap_communication: true,
            sequence_parallel: true,
        };
        match stack {
            S::MegatronCore | S::Jax => tuned,
            S::MlperfTuned => Software { cuda_graphs: true, ..tuned },
            S::PytorchFsdp => Software { attention_kernel: A::Flash2, fused_loss: false, ..tuned },
            S::Deepspeed => Software {
                attention_kernel: A::Flash2,
                compiled: false,
                fused_loss: false,
                sequence_parallel: false,
                ..tuned
            },
            S::Megatron2021 => Software {
                attention_kernel: A::None,
                overlap_communication: false,
                fused_loss: true,
                sequence_parallel: false,
                ..tuned
            },
            S::CudaNative => Software { cuda_graphs: true, ..tuned },
            S::Other => Software { attention_kernel: A::Flash2, compiled: false, ..tuned },
        }
    }
}

impl Default for Software {
    fn default() -> Self {
        Self::of(SoftwareStack::MegatronCore)
    }
}
