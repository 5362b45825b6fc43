//! Cortex-M33.
//!
//! Nothing is published for this core that names its latches: the Cortex-M3's are assumed.
use pennyweight_thumb::core::CortexM33;

use super::{Model, Modelled};

impl Modelled for CortexM33 {
    const LEAKAGE: Model = Model {
        reads_destination: false,
        latches_memory: false,
        source: "that of the Cortex-M3 (MAPS), assumed",
    };
}
