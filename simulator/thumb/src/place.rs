//! An instruction among its neighbours: what a core may use to find the cost of the instruction.

use pennyweight_memory::bus::Word;

use crate::core::{Core, OpOf};
use crate::op::{InstructionSet, ItState};
use crate::program::{decode, halfword};

/// Where an instruction is, in which code, and which IT instruction governs it.
#[derive(Clone, Copy, Debug)]
pub struct Place<'m> {
    memory: &'m [Word],
    base: u32,
    /// The instruction's address.
    pub address: u32,
    /// The state before it; inactive outside of IT blocks.
    pub it: ItState,
}

/// More halfwords in a row that all look like the first half of a 32-bit instruction are data.
const LONGEST_RUN: u32 = 64;

impl<'m> Place<'m> {
    /// The place of the instruction at `address` in `memory`, which begins at `base`.
    #[must_use]
    pub fn new(memory: &'m [Word], base: u32, address: u32, it: ItState) -> Self {
        Place { memory, base, address, it }
    }

    /// The instruction behind `op` at this place, if the memory holds it.
    #[must_use]
    pub fn next<C: Core>(&self, op: &OpOf<C>) -> Option<(OpOf<C>, Place<'m>)> {
        let it = if self.it.active() { self.it.advanced() } else { C::Set::block(op).unwrap_or_default() };
        let address = self.address.wrapping_add(2 * C::Set::width(op));
        let next = decode::<C>(self.memory, self.base, address, it.active())?;
        Some((next, Place { address, it, ..*self }))
    }

    /// The instruction before this one in memory, if there is one.
    ///
    /// Where a 16-bit instruction and the second half of a 32-bit one look alike, the halfwords before
    /// them decide: behind one that begins no 32-bit instruction, an instruction begins.
    #[must_use]
    pub fn previous<C: Core>(&self) -> Option<(OpOf<C>, Place<'m>)> {
        let address = self.start_before::<C>()?;
        let it = self.it_at::<C>(address);
        let op = decode::<C>(self.memory, self.base, address, it.active())?;
        Some((op, Place { address, it, ..*self }))
    }

    /// The address of the instruction before this one.
    fn start_before<C: Core>(&self) -> Option<u32> {
        let before = self.address.wrapping_sub(2);
        let begins_wide = |address| halfword(self.memory, self.base, address).map(C::Set::is_wide);
        let is_wide = begins_wide(before)?;
        let run = (1..=LONGEST_RUN).take_while(|n| begins_wide(before.wrapping_sub(2 * n)) == Some(true));
        match run.count() as u32 {
            LONGEST_RUN => None,
            run if run % 2 == 1 => Some(before.wrapping_sub(2)),
            // Otherwise a 32-bit instruction would begin there and end behind the beginning of this one.
            _ => (!is_wide).then_some(before),
        }
    }

    /// The state of the IT block that an instruction at `address` is in.
    fn it_at<C: Core>(&self, address: u32) -> ItState {
        let mut place = Place { address, ..*self };
        for distance in 0..4 {
            let Some(start) = place.start_before::<C>() else { break };
            let Some(op) = decode::<C>(self.memory, self.base, start, false) else { break };
            if let Some(state) = C::Set::block(&op) {
                return (0..distance).fold(state, |state, _| state.advanced());
            }
            place.address = start;
        }
        ItState::default()
    }
}
