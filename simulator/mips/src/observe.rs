//! What an observer receives per instruction. A call or return is reported after its delay slot.

use pennyweight_machine::guard::Watch;
use pennyweight_machine32::{EffectsCache, FlowKind, Report};
use pennyweight_memory::timing::FlashTiming;

use crate::core::Core;
use crate::decode::decode;
use crate::effects::effects;
use crate::op::{Code, Op, Reg};
use crate::run::{Execution, State};
use crate::run_short::back;
use crate::short::Kind;

/// The facts about an instruction before it is executed.
#[derive(Clone, Copy, Debug)]
pub struct Ahead {
    pc: u32,
    next: u32,
    in_flash: bool,
    /// `None` if no memory has it.
    found: Option<Found>,
}

/// An instruction about to be executed.
#[derive(Clone, Copy, Debug)]
struct Found {
    op: Op,
    name: &'static str,
    /// The return address, if it calls.
    back: u32,
    /// Has it a delay slot, if it jumps?
    delayed: bool,
}

/// What an observed run remembers.
#[derive(Debug)]
pub struct Notes {
    effects: EffectsCache<u32>,
    /// A jump that has been executed, except for its delay slot.
    pending: FlowKind,
}

impl Default for Notes {
    fn default() -> Self {
        Notes { effects: EffectsCache::default(), pending: FlowKind::Other }
    }
}

impl<T: FlashTiming, W: Watch> Execution<'_, T, W> {
    /// Inspects the next instruction.
    pub fn ahead(&self, state: &State) -> Ahead {
        let pc = state.pc;
        Ahead {
            pc,
            next: state.next,
            in_flash: pc.wrapping_sub(self.bus.flash_base) >> 2 < self.bus.flash.len() as u32,
            found: self.found(state),
        }
    }

    fn found(&self, state: &State) -> Option<Found> {
        let pc = state.pc;
        if pc & 1 == 0 {
            let op = decode(self.word(pc)?, pc);
            return Some(Found { op, name: op.code.mnemonic(), back: pc.wrapping_add(8), delayed: true });
        }
        let short = self.short(pc & !1, state.slot_of).ok()?;
        let delayed = short.kind != Kind::Compact;
        Some(Found { op: short.op, name: short.mnemonic(), back: back(pc, &short), delayed })
    }
}

impl Notes {
    /// The report on an executed instruction; `state` is the state after it.
    pub fn report(&mut self, ahead: Ahead, core: &Core, state: &State, wants: bool) -> Report {
        let Ahead { pc, next, in_flash, found } = ahead;
        let effects = found
            .filter(|_| wants)
            .map(|found| self.effects.get(pc, in_flash, || effects(&found.op, found.back, core)));
        let mut kind = found.map_or(FlowKind::Other, |found| flow_kind(&found.op));
        if kind == FlowKind::Call && pc & 1 == 0 && state.next == pc.wrapping_add(8) {
            // A call that was not taken.
            kind = FlowKind::Other;
        }
        let mut flow = std::mem::replace(&mut self.pending, FlowKind::Other);
        if found.is_some_and(|found| !found.delayed) {
            flow = kind;
        } else {
            self.pending = kind;
        }
        Report {
            name: found.map_or("", |found| found.name).into(),
            effects,
            flow,
            checks_budget: state.has_jumped(next),
        }
    }
}

/// What `op` does if it is taken: one that is not continues behind its delay slot.
fn flow_kind(op: &Op) -> FlowKind {
    match op.code {
        Code::Jal | Code::Jalx | Code::Jalr | Code::Bltzal | Code::Bgezal | Code::Bltzall | Code::Bgezall => {
            FlowKind::Call
        }
        Code::Jr if op.s == Reg::RA => FlowKind::Return,
        _ => FlowKind::Other,
    }
}
