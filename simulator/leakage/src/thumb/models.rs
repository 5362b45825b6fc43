//! The core models: what the operand latches and buses of each core hold. One file per core.

mod cortex_m0;
mod cortex_m0plus;
mod cortex_m3;
mod cortex_m33;
mod cortex_m4;

use pennyweight_thumb::core::{Core, CortexM0, CortexM0Plus, CortexM3, CortexM33, CortexM4};

/// How a core's latches follow its instructions. All cores have registers of 32 bits, one bus for words
/// read and one for words written, which keep the last word, and RAM whose bytes change when they are
/// overwritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// Does an operation on one operand, such as a move, take the old value of its destination as its
    /// first operand?
    pub reads_destination: bool,
    /// Do the operands of a load be the destination's old value and the word loaded, and those of a
    /// store the old content of the memory and the word stored? Otherwise, these instructions leave the
    /// latches unchanged.
    pub latches_memory: bool,
    /// Its source.
    pub source: &'static str,
}

/// A core with a model.
pub trait Modelled: Core {
    /// Its model.
    const LEAKAGE: Model;
}

/// Something done with a core that has a model.
pub trait Task {
    /// Its result.
    type Output;

    /// Does it.
    fn with<C: Modelled>(self) -> Self::Output;
}

/// The names of the timing models of the cores with a model.
pub const NAMES: [&str; 5] =
    [CortexM0::MODEL, CortexM0Plus::MODEL, CortexM3::MODEL, CortexM4::MODEL, CortexM33::MODEL];

/// Does something with the core of this timing model; `None`: it has no model.
pub fn choose<K: Task>(timing: &str, task: K) -> Option<K::Output> {
    Some(match timing {
        CortexM0::MODEL => task.with::<CortexM0>(),
        CortexM0Plus::MODEL => task.with::<CortexM0Plus>(),
        CortexM3::MODEL => task.with::<CortexM3>(),
        CortexM4::MODEL => task.with::<CortexM4>(),
        CortexM33::MODEL => task.with::<CortexM33>(),
        _ => return None,
    })
}
