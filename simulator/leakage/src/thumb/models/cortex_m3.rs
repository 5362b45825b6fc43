//! Cortex-M3.
//!
//! Two pipeline registers hold the operands of the arithmetic unit, as in MAPS. That loads and stores leave them as they
//! are is an assumption: MAPS puts addresses there, which are not modelled.
use pennyweight_thumb::core::CortexM3;

use super::{Model, Modelled};

impl Modelled for CortexM3 {
    const LEAKAGE: Model = Model {
        reads_destination: false,
        latches_memory: false,
        source: "Y. Le Corre, J. Großschädl, D. Dinu, COSADE 2018 (MAPS, operand registers); ELMO (buses)",
    };
}
