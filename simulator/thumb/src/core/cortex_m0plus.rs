//! Cortex-M0+ r0p1: Technical Reference Manual (Arm DDI 0484), section 3.3, table 3-1, with the
//! single-cycle multiplier. Two stages, so that what changes the flow costs one cycle less than on
//! the Cortex-M0; loads and stores take the two cycles of the AHB-Lite port.

use super::{armv6m, Core};
use crate::op::Op;
use crate::v6m::{Code, V6m};

/// The core of the SAM D21.
#[derive(Clone, Copy, Debug)]
pub enum CortexM0Plus {}

impl Core for CortexM0Plus {
    type Set = V6m;

    const NAME: &'static str = "cortex-m0plus";

    /// A branch takes 1 cycle when not taken and 2 when taken.
    const TAKEN: u32 = 1;

    fn cycles(op: &Op<Code>) -> u32 {
        armv6m::cycles(op, Self::TAKEN)
    }
}
