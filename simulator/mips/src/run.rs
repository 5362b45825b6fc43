//! The loop: decoded flash, and anything else an instruction at a time.
//!
//! Bit 0 of the program counter marks 16-bit code. Such code therefore never hits the table of MIPS32 code,
//! and distinguishing the two costs nothing.

use pennyweight_machine::account::Tally;
use pennyweight_machine::fault::NO_FAULT;
use pennyweight_machine::guard::Watch;
use pennyweight_machine::{Access, Fault, FaultKind};
use pennyweight_machine32::End;
use pennyweight_memory::bus::{Bus, Word};
use pennyweight_memory::timing::FlashTiming;

use crate::core::Core;
use crate::decode::decode;
use crate::execute::{execute, Extra};
use crate::op::{Flow, Op, Registers};
use crate::pipeline::Pipeline;
use crate::short::{self, Short};

/// A core's state between runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// General registers.
    pub registers: Registers,
    /// HI, LO, and the link.
    pub extra: Extra,
    /// Results on their way.
    pub pipeline: Pipeline,
    /// Address of the next instruction; odd if it is 16-bit code.
    pub pc: u32,
    /// Address of the one behind it: not the next word if `pc` is a delay slot. In 16-bit code it counts in
    /// delay slots only.
    pub next: u32,
    /// The jump in 16-bit code whose delay slot `pc` is.
    pub slot_of: Option<u32>,
}

impl State {
    /// After reset, to begin at `pc`.
    #[must_use]
    pub fn new(pc: u32) -> Self {
        let mut state = State::default();
        state.jump(pc);
        state
    }

    /// To begin at `pc`, not in a delay slot.
    pub fn jump(&mut self, pc: u32) {
        (self.pc, self.next, self.slot_of) = (pc, pc.wrapping_add(4), None);
    }

    /// Has it come to `stop`, outside a delay slot?
    #[inline(always)]
    #[must_use]
    pub fn is_at(&self, stop: u32) -> bool {
        self.pc == stop && self.next == stop.wrapping_add(4) && self.slot_of.is_none()
    }

    /// Is a jump under way or done, where `next` should have been executed after the next instruction?
    #[inline(always)]
    #[must_use]
    pub fn has_jumped(&self, next: u32) -> bool {
        self.pc != next || self.next != self.pc.wrapping_add(4)
    }
}

/// What the loop works on.
pub struct Execution<'r, T, W> {
    /// The core.
    pub core: &'r Core,
    /// Decoded flash, a word each.
    pub ops: &'r [Op],
    /// The same as 16-bit code, a halfword each.
    pub shorts: &'r [Short],
    /// Does the core have 16-bit code?
    pub has_short: bool,
    /// Flash and RAM.
    pub bus: Bus<'r, T, W>,
    /// What was executed, without the waits of `bus`.
    pub tally: Tally,
}

/// Decodes the first `used` bytes of flash.
#[must_use]
pub fn decoded(flash: &[Word], base: u32, used: usize) -> Vec<Op> {
    let words = flash.iter().take(used.div_ceil(4));
    words.zip((base..).step_by(4)).map(|(word, address)| decode(u32::from_le_bytes(*word), address)).collect()
}

/// Decodes the first `used` bytes of flash as 16-bit code.
#[must_use]
pub fn decoded_short(flash: &[Word], base: u32, used: usize) -> Vec<Short> {
    // The last one may reach into what is behind.
    let bytes = flash.as_flattened();
    let bytes = bytes.get(..used.saturating_add(3) & !1).unwrap_or(bytes);
    let half = |at: &[u8]| u16::from_le_bytes([at[0], at[1]]);
    let pairs = bytes.windows(4).step_by(2).zip((base..).step_by(2));
    pairs.map(|(pair, at)| short::decode(half(pair), half(&pair[2..]), at, at)).collect()
}

impl<T: FlashTiming, W: Watch> Execution<'_, T, W> {
    /// Runs until the program counter is `stop`, a fault, or `budget` cycles.
    pub fn run(&mut self, state: &mut State, stop: u32, budget: u64) -> End {
        // A local, so that it lives in host registers.
        let mut local = *state;
        let mut has_jumped = true;
        let end = loop {
            if local.is_at(stop) {
                break End::Stopped;
            }
            if has_jumped && self.tally.cycles + self.bus.timing.stalls() >= budget {
                break End::OutOfCycles;
            }
            let next = local.next;
            if let Err(fault) = self.advance(&mut local) {
                break End::Fault(fault);
            }
            // Once for each taken branch.
            has_jumped = local.has_jumped(next);
        };
        *state = local;
        end
    }

    /// Runs until the next jump after so many cycles, to the end of a delay slot that it begins in, or until the
    /// next instruction is not decoded. Is the budget checked there?
    ///
    /// # Errors
    /// The fault of an instruction.
    #[cfg(feature = "translator")]
    pub fn run_on(&mut self, state: &mut State, budget: u64) -> Result<bool, Fault> {
        let mut local = *state;
        let mut in_slot = local.next != local.pc.wrapping_add(4);
        let result = loop {
            let next = local.next;
            if let Err(fault) = self.advance(&mut local) {
                break Err(fault);
            }
            let has_jumped = local.has_jumped(next);
            let word = (local.pc & !1).wrapping_sub(self.bus.flash_base) >> 2;
            let is_spent = has_jumped && self.tally.cycles + self.bus.timing.stalls() >= budget;
            if is_spent || in_slot || word as usize >= self.ops.len() {
                break Ok(has_jumped);
            }
            in_slot = false;
        };
        *state = local;
        result
    }

    /// Executes one instruction; a delay slot is one of its own.
    ///
    /// # Errors
    /// The instruction's fault.
    pub fn step(&mut self, state: &mut State) -> Result<(), Fault> {
        self.advance(state)
    }

    #[inline(always)]
    fn advance(&mut self, state: &mut State) -> Result<(), Fault> {
        let pc = state.pc;
        let number = pc.wrapping_sub(self.bus.flash_base).rotate_right(2) as usize;
        let op = match self.ops.get(number) {
            Some(op) => *op,
            None if pc & 1 != 0 => return self.advance_short(state),
            None => self.undecoded(pc)?,
        };
        if T::ACTIVE {
            self.bus.timing.instruction(pc, 2);
        }
        let (s, t) = (state.registers[op.s], state.registers[op.t]);
        let mut fault = NO_FAULT;
        let flow = execute(
            &op,
            pc.wrapping_add(8),
            &mut state.registers,
            &mut state.extra,
            &mut self.bus,
            &mut fault,
        );
        let cycles = state.pipeline.issue(&op, self.core, s, t);
        self.tally.cycles += u64::from(cycles);
        self.tally.instructions += 1;
        if T::ACTIVE {
            self.bus.timing.finish(cycles);
        }
        (state.pc, state.next) = match flow {
            Flow::Next => (state.next, state.next.wrapping_add(4)),
            Flow::To(target) => (state.next, target),
            // The delay slot has been fetched: it takes its cycle.
            Flow::Skip => {
                self.tally.cycles += 1;
                state.pipeline.now += 1;
                if T::ACTIVE {
                    self.bus.timing.finish(1);
                }
                (state.next.wrapping_add(4), state.next.wrapping_add(8))
            }
            Flow::Fault => {
                self.tally.cycles -= u64::from(cycles);
                self.tally.instructions -= 1;
                return Err(Fault { kind: fault, pc });
            }
        };
        if T::ACTIVE && state.pc != pc.wrapping_add(4) {
            let in_flash = state.pc.wrapping_sub(self.bus.flash_base) >> 2 < self.bus.flash.len() as u32;
            self.bus.timing.jump(state.pc, in_flash);
        }
        Ok(())
    }

    /// The word at `pc`, if a memory has it.
    #[must_use]
    pub fn word(&self, pc: u32) -> Option<u32> {
        let at = |memory: &[Word], base: u32| {
            memory.get(pc.wrapping_sub(base).rotate_right(2) as usize).map(|word| u32::from_le_bytes(*word))
        };
        at(self.bus.flash, self.bus.flash_base).or_else(|| at(self.bus.ram, self.bus.ram_base))
    }

    /// An instruction that the table has not: in RAM, or behind what is filled of flash.
    #[cold]
    fn undecoded(&self, pc: u32) -> Result<Op, Fault> {
        match self.word(pc) {
            Some(word) => Ok(decode(word, pc)),
            None => {
                let (size, access) = (4, Access::Execute);
                let kind = if pc & 3 == 0 {
                    FaultKind::Unmapped { address: pc, size, access }
                } else {
                    FaultKind::Unaligned { address: pc, size, access }
                };
                Err(Fault { kind, pc })
            }
        }
    }
}
