//! Cortex-M0+.
//!
//! Nothing is published for this core that names its latches: the Cortex-M0's are assumed.
use pennyweight_thumb::core::CortexM0Plus;

use super::{Model, Modelled};

impl Modelled for CortexM0Plus {
    const LEAKAGE: Model = Model {
        reads_destination: true,
        latches_memory: true,
        source: "that of the Cortex-M0 (ELMO), assumed",
    };
}
