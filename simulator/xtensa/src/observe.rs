//! Observed runs: one instruction at a time, each told to an observer.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use pennyweight_machine::effects::Effects;
use pennyweight_machine::guard::Watch;
use pennyweight_machine::observe::{word, Accessed};
use pennyweight_machine::Observer;
use pennyweight_memory::timing::FlashTiming;

use crate::core::Options;
use crate::effects::{effects, entered, physical};
use crate::op::{Code, Op, Reg};
use crate::program::instruction;
use crate::run::{End, Run};
use crate::special::{self, Special};

impl<T: FlashTiming, W: Watch> Run<'_, '_, T, W> {
    /// As `run`, with the same outcome. `seen` is where the bus's guard notes accesses.
    pub fn observe(
        &mut self,
        stop: u32,
        budget: u64,
        seen: &RefCell<Vec<Accessed>>,
        observer: &mut dyn Observer,
    ) -> End {
        let mut from = self.state.pc;
        let mut learnt: HashMap<u32, Rc<Effects>> = HashMap::new();
        // A straight line of decoded code may run past the budget.
        let mut look = true;
        loop {
            let pc = self.state.pc;
            if pc == stop {
                return End::Stopped;
            }
            if look && self.tally.cycles >= budget {
                return End::OutOfCycles;
            }
            let known =
                self.program.position(pc).is_some() || self.program.extend(self.bus.flash, pc).is_some();
            let core = self.program.core();
            let (flash, ram) = (self.bus.flash, &*self.bus.ram);
            let found = instruction(flash, self.bus.flash_base, pc, core)
                .or_else(|| instruction(ram, self.bus.ram_base, pc, core));
            let (before, windows) = (self.tally, self.state.extra.windows);
            if let Err(fault) = self.step(from) {
                return End::Fault(fault);
            }
            from = pc;
            let accesses = seen.take();
            let Some((op, bytes)) = found else { continue };
            let spent = (self.tally.cycles - before.cycles) as u32;
            if self.tally.instructions == before.instructions {
                // Registers of the window are in use: their handler comes first, then the instruction.
                observer.instruction(pc, "exception", spent);
                look = true;
                continue;
            }
            for &(address, size, access) in &accesses {
                observer.access(address, size, access);
            }
            let special = (op.code == Code::Special).then(|| special::decode(op.imm, Options::ALL)).flatten();
            if observer.wants_effects() {
                let learn = || Rc::new(effects(&op));
                let effects = if known { learnt.entry(pc).or_insert_with(learn).clone() } else { learn() };
                let effects = entered(&op, &windows, &self.state.extra.windows)
                    .unwrap_or_else(|| physical(&effects, &windows));
                observer.effects(pc, &effects, &accesses);
            }
            observer.instruction(pc, &name(&op, special.as_ref()), spent);
            // The fast loop looks where it goes elsewhere, and where the other loop takes over.
            let changed = matches!(special, Some(Special::Write(..) | Special::Exchange(..)));
            let other = (windows.usable() == 4) != (self.state.extra.windows.usable() == 4);
            look = !known || self.state.pc != pc.wrapping_add(bytes) || changed || other;
            let stack = self.state.registers[Reg::SP];
            let returns = op.code == Code::Jx && op.s == Reg::A0 || special == Some(Special::Return);
            let calls = matches!(op.code, Code::Call0 | Code::Callx0)
                || matches!(special, Some(Special::Call(..) | Special::CallTo(..)));
            if calls {
                // The caller has its stack pointer again when it goes on: the function's is below.
                observer.called(self.state.pc, stack.wrapping_sub(1));
            } else if returns {
                observer.returned(stack);
            }
        }
    }
}

/// The operation in the manual's words.
fn name(op: &Op, special: Option<&Special>) -> String {
    match (op.code, special) {
        (_, Some(special)) => special.mnemonic().to_owned(),
        (Code::Constant, _) => "movi".to_owned(),
        (Code::Move, _) => "mov".to_owned(),
        (Code::Jx, _) if op.s == Reg::A0 => "ret".to_owned(),
        (code, _) => word(&format!("{code:?}"), &["Sp"]),
    }
}
