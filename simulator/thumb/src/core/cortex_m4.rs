//! Cortex-M4 r0p1: Technical Reference Manual (Arm DDI 0439), section 3.3, table 3-1, and
//! [`super::pipeline`]. All multiplications and DSP instructions take one cycle.

use pennyweight_machine::{BoardError, Parameters};

use super::{pipeline, Core};
use crate::op::{Op, Work};
use crate::place::Place;
use crate::v7m::{Code, V7em};

/// The core of the nRF52 and the STM32F4. Its floating-point unit is not modelled.
#[derive(Clone, Copy, Debug)]
pub struct CortexM4;

impl Core for CortexM4 {
    type Set = V7em;

    const MODEL: &'static str = "cortex-m4";
    const TAKEN: u32 = 1;
    const CONTEXT: bool = true;
    const FETCHED_AHEAD: u32 = pipeline::FETCHED_AHEAD;

    #[inline(always)]
    fn taken(op: &Op<Code>) -> u32 {
        pipeline::taken(op)
    }

    fn new(_: &mut Parameters<'_>) -> Result<Self, BoardError> {
        Ok(CortexM4)
    }

    fn cycles(&self, op: &Op<Code>) -> u32 {
        pipeline::cycles(op)
    }

    fn overlap(op: &Op<Code>, place: &Place<'_>) -> i32 {
        place.next::<Self>(op).map_or(0, |(next, _)| pipeline::overlap(op, &next, true))
    }

    fn refill(target: &Op<Code>, place: &Place<'_>) -> u32 {
        pipeline::refill(target, place.address)
    }

    fn busy(_: &Op<Code>, work: Work) -> u32 {
        match work {
            Work::LongMultiply(..) => 0,
            Work::Divide(n, m) => pipeline::division(n, m),
            Work::Unaligned(transfers) => transfers,
        }
    }
}
