//! The loop's part for 16-bit code.

use pennyweight_machine::fault::NO_FAULT;
use pennyweight_machine::guard::Watch;
use pennyweight_machine::{Access, Fault, FaultKind};
use pennyweight_memory::timing::FlashTiming;

use crate::execute::execute;
use crate::op::{Code, Flow, Op};
use crate::run::{Execution, State};
use crate::short::{decode, Kind, Short};

impl<T: FlashTiming, W: Watch> Execution<'_, T, W> {
    /// Executes one instruction of 16-bit code; a delay slot is one of its own.
    #[inline(never)]
    pub(crate) fn advance_short(&mut self, state: &mut State) -> Result<(), Fault> {
        let pc = state.pc & !1;
        let shorts = self.shorts;
        let other;
        let short = match shorts.get((pc.wrapping_sub(self.bus.flash_base) >> 1) as usize) {
            Some(short) if state.slot_of.is_none() => short,
            _ => {
                if !self.has_short {
                    let opcode = self.half(pc).map_or(0, u32::from);
                    return Err(Fault { kind: FaultKind::Undefined { opcode }, pc });
                }
                other = self.short(pc, state.slot_of)?;
                &other
            }
        };
        let (size, op) = (u32::from(short.size), &short.op);
        if T::ACTIVE {
            self.bus.timing.instruction(pc, size / 2);
        }
        let (s, t) = (state.registers[op.s], state.registers[op.t]);
        let back = back(state.pc, short);
        let mut fault = NO_FAULT;
        let flow = execute(op, back, &mut state.registers, &mut state.extra, &mut self.bus, &mut fault);
        let mut cycles = state.pipeline.issue(op, self.core, s, t);
        let behind = state.pc.wrapping_add(size);
        let (pc_after, next, slot_of) = match flow {
            Flow::To(target) if short.kind == Kind::Jump => (behind, target, Some(pc)),
            Flow::To(target) => {
                cycles += state.pipeline.throw_away();
                (target, target.wrapping_add(4), None)
            }
            Flow::Next | Flow::Skip => {
                let after = if state.slot_of.is_some() { state.next } else { behind };
                (after, after.wrapping_add(4), None)
            }
            Flow::Fault => return Err(Fault { kind: fault, pc }),
        };
        self.tally.cycles += u64::from(cycles);
        self.tally.instructions += 1;
        (state.pc, state.next, state.slot_of) = (pc_after, next, slot_of);
        if T::ACTIVE {
            self.bus.timing.finish(cycles);
            if pc_after != behind {
                let in_flash = pc_after.wrapping_sub(self.bus.flash_base) >> 2 < self.bus.flash.len() as u32;
                self.bus.timing.jump(pc_after, in_flash);
            }
        }
        Ok(())
    }

    /// The instruction at `pc` (even), which may be the delay slot of a jump.
    ///
    /// # Errors
    /// No memory has it.
    pub(crate) fn short(&self, pc: u32, slot_of: Option<u32>) -> Result<Short, Fault> {
        let number = pc.wrapping_sub(self.bus.flash_base) >> 1;
        let known = self.shorts.get(number as usize).copied();
        let Some(jump) = slot_of else {
            return known.map_or_else(|| self.fetch_short(pc, pc), Ok);
        };
        let short = match known {
            Some(short) if short.kind != Kind::Relative => short,
            _ => self.fetch_short(pc, jump)?,
        };
        if short.fits_a_slot() {
            return Ok(short);
        }
        // On a part, who knows: "half of an instruction" is executed.
        let encoding = self.half(pc).map_or(0, u32::from);
        Ok(Short { op: Op::new(Code::Undefined, encoding), kind: Kind::Plain, size: 2 })
    }

    /// Decodes the instruction at `pc`, as anything else an instruction at a time.
    fn fetch_short(&self, pc: u32, base: u32) -> Result<Short, Fault> {
        let fetch = |address: u32| {
            self.half(address).ok_or_else(|| {
                let kind = FaultKind::Unmapped { address, size: 2, access: Access::Execute };
                Fault { kind, pc }
            })
        };
        let first = fetch(pc)?;
        let behind = pc.wrapping_add(2);
        let short = decode(first, self.half(behind).unwrap_or(0), pc, base);
        if short.size == 4 {
            fetch(behind)?;
        }
        Ok(short)
    }

    /// The halfword at `address` (even), if a memory has it.
    fn half(&self, address: u32) -> Option<u16> {
        self.word(address & !3).map(|word| (word >> (8 * (address & 2))) as u16)
    }
}

/// The return address of a call at `pc` (odd): behind it, and behind its delay slot.
pub(crate) fn back(pc: u32, short: &Short) -> u32 {
    let slot = if short.kind == Kind::Jump { 2 } else { 0 };
    pc.wrapping_add(u32::from(short.size) + slot)
}
