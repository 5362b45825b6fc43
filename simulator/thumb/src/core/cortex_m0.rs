//! Cortex-M0 r0p0: Technical Reference Manual (Arm DDI 0432), section 3.3, table 3-1.

use pennyweight_machine::{BoardError, Parameters};

use super::{armv6m, Core};
use crate::op::Op;
use crate::v6m::{Code, V6m};

/// The core of the STM32F0.
#[derive(Clone, Copy, Debug)]
pub struct CortexM0 {
    /// Cycles of MULS.
    multiply: u32,
}

impl Core for CortexM0 {
    type Set = V6m;

    const MODEL: &'static str = "cortex-m0";

    /// A branch takes 1 cycle when not taken and 3 when taken.
    const TAKEN: u32 = 2;

    fn new(parameters: &mut Parameters<'_>) -> Result<Self, BoardError> {
        Ok(CortexM0 { multiply: armv6m::multiply(parameters)? })
    }

    fn cycles(&self, op: &Op<Code>) -> u32 {
        armv6m::cycles(op, Self::TAKEN, self.multiply)
    }
}
