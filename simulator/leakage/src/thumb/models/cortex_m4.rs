//! Cortex-M4.
//!
//! The Cortex-M3's, whose pipeline it has. That registers and memory cells leak the distance between the old
//! and the new value on this core was measured: W. de Groot, K. Papagiannopoulos, A. de la Piedra, E. Schneider,
//! L. Batina, "Bitsliced Masking and ARM: Friends or Foes?", LightSec 2016.
use pennyweight_thumb::core::CortexM4;

use super::{Model, Modelled};

impl Modelled for CortexM4 {
    const LEAKAGE: Model = Model {
        reads_destination: false,
        latches_memory: false,
        source:
            "that of the Cortex-M3 (MAPS), assumed; W. de Groot et al., LightSec 2016 (registers, memory)",
    };
}
