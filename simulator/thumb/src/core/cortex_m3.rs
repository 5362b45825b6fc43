//! Cortex-M3 r2p1: Technical Reference Manual (Arm DDI 0337), section 18.2 "Processor instruction
//! timings", and [`super::pipeline`].

use pennyweight_machine::{BoardError, Parameters};

use super::{pipeline, Core};
use crate::op::{Op, Work};
use crate::place::Place;
use crate::v7m::{Code, Kind, V7m};

/// The core of the SAM3X and the STM32F1.
#[derive(Clone, Copy, Debug)]
pub struct CortexM3;

impl Core for CortexM3 {
    type Set = V7m;

    const MODEL: &'static str = "cortex-m3";
    const TAKEN: u32 = 1;
    const CONTEXT: bool = true;
    const FETCHED_AHEAD: u32 = pipeline::FETCHED_AHEAD;

    #[inline(always)]
    fn taken(op: &Op<Code>) -> u32 {
        pipeline::taken(op)
    }

    fn new(_: &mut Parameters<'_>) -> Result<Self, BoardError> {
        Ok(CortexM3)
    }

    fn cycles(&self, op: &Op<Code>) -> u32 {
        match op.code.kind {
            Kind::Mla | Kind::Mls => 2,
            Kind::Umull | Kind::Smull => 3,
            Kind::Umlal | Kind::Smlal => 4,
            _ => pipeline::cycles(op),
        }
    }

    fn overlap(op: &Op<Code>, place: &Place<'_>) -> i32 {
        // Loads that write back begin a chain, but do not continue one.
        place.next::<Self>(op).map_or(0, |(next, _)| pipeline::overlap(op, &next, false))
    }

    fn refill(target: &Op<Code>, place: &Place<'_>) -> u32 {
        pipeline::refill(target, place.address)
    }

    /// UMULL and SMULL take 3 to 5 cycles, UMLAL and SMLAL 4 to 7, fewer for small operands.
    fn busy(op: &Op<Code>, work: Work) -> u32 {
        match work {
            Work::LongMultiply(n, m) => {
                let signed = matches!(op.code.kind, Kind::Smull | Kind::Smlal);
                let large = |value: u32| {
                    let value = if signed { value ^ (value as i32 >> 31) as u32 } else { value };
                    value > 0xffff
                };
                let accumulates = matches!(op.code.kind, Kind::Umlal | Kind::Smlal);
                let both = large(n) && large(m) && accumulates;
                u32::from(large(n)) + u32::from(large(m)) + u32::from(both)
            }
            Work::Divide(n, m) => pipeline::division(n, m),
            Work::Unaligned(transfers) => transfers,
        }
    }
}
