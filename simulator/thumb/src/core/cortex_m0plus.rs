//! Cortex-M0+ r0p1: Technical Reference Manual (Arm DDI 0484), section 3.3, table 3-1.
//! Two stages, so that what changes the flow costs one cycle less than on
//! the Cortex-M0; loads and stores take the two cycles of the AHB-Lite port.

use pennyweight_machine::{BoardError, Parameters};

use super::{armv6m, Core};
use crate::op::Op;
use crate::v6m::{Code, V6m};

/// The core of the SAM D21, which multiplies in one cycle.
#[derive(Clone, Copy, Debug)]
pub struct CortexM0Plus {
    /// Cycles of MULS.
    multiply: u32,
}

impl Core for CortexM0Plus {
    type Set = V6m;

    const MODEL: &'static str = "cortex-m0plus";

    /// A branch takes 1 cycle when not taken and 2 when taken.
    const TAKEN: u32 = 1;

    fn new(parameters: &mut Parameters<'_>) -> Result<Self, BoardError> {
        Ok(CortexM0Plus { multiply: armv6m::multiply(parameters)? })
    }

    fn cycles(&self, op: &Op<Code>) -> u32 {
        armv6m::cycles(op, Self::TAKEN, self.multiply)
    }
}
