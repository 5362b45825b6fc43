//! Cortex-M0.
//!
//! The operands of each instruction are those of ELMO (sca-research/ELMO, PipelineRegisterAssignment.xlsx),
//! the buses those of its memory extension (README, "In depth: model extension"). Instructions that are not
//! in its table get their terms by analogy.
use pennyweight_thumb::core::CortexM0;

use super::{Model, Modelled};

impl Modelled for CortexM0 {
    const LEAKAGE: Model = Model {
        reads_destination: true,
        latches_memory: true,
        source:
            "D. McCann, E. Oswald, C. Whitnall, USENIX Security 2017 (ELMO, operands and memory extension)",
    };
}
