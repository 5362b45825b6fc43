//! Observed runs: one instruction at a time, each told to an observer.

use std::cell::RefCell;
use std::rc::Rc;

use pennyweight_machine::account::Tally;
use pennyweight_machine::guard::Watch;
use pennyweight_machine::observe::{word, Accessed};
use pennyweight_machine::Observer;
use pennyweight_memory::timing::{Fetch, FlashTiming};

use crate::effects::{effects, Known};
use crate::op::{Code, Op};
use crate::registers::Reg;
use crate::run::{End, Run};

impl<T: FlashTiming, F: Fetch, W: Watch> Run<'_, '_, T, F, W> {
    /// As `run`, with the same outcome: how it ended, what was executed and how long the bus waited,
    /// the stack's high-water mark. `seen` is where the bus's guard notes accesses.
    pub fn observe(
        &mut self,
        stop: u32,
        budget: u64,
        seen: &RefCell<Vec<Accessed>>,
        observer: &mut dyn Observer,
    ) -> (End, (Tally, u64), u32) {
        let mut from = self.state.pc;
        // A straight line of decoded code may run past the budget.
        let mut look = true;
        let mut learnt = Known::default();
        let end = loop {
            let pc = self.state.pc;
            if pc == stop {
                break End::Stopped;
            }
            let before = self.tally.cycles + self.bus.timing.stalls();
            if look && before >= budget {
                break End::OutOfCycles;
            }
            let known =
                self.program.position(pc).is_some() || self.program.extend(self.bus.flash, pc).is_some();
            let single = match self.step(from) {
                Ok(single) => single,
                Err(fault) => break End::Fault(fault),
            };
            from = pc;
            if observer.wants_effects() {
                let learn = || Rc::new(effects(&single.op, self.program.core()));
                let found = if known { learnt.entry(pc).or_insert_with(learn).clone() } else { learn() };
                observer.effects(pc, &found, &seen.borrow());
            }
            look = single.jumped || !known;
            for (address, size, access) in seen.take() {
                observer.access(address, size, access);
            }
            let spent = self.tally.cycles + self.bus.timing.stalls() - before;
            observer.instruction(pc, &name(&single.op), spent as u32);
            let stack = self.state.registers[Reg::SP];
            match single.op.code {
                // The caller has its stack pointer again when it goes on: the function's is below.
                Code::Call | Code::CallReg => observer.called(self.state.pc, stack.wrapping_sub(1)),
                Code::Return => observer.returned(stack),
                _ => {}
            }
        };
        (end, (self.tally, self.bus.timing.stalls()), self.bus.watch.high_water())
    }
}

/// The operation in the manual's words; pseudo-instructions where only they are told apart.
fn name(op: &Op) -> String {
    let name = match op.code {
        Code::Constant => "li",
        Code::Move => "mv",
        Code::AddiSp => "addi",
        Code::AddSp => "add",
        Code::OtherSp => "sp",
        Code::Jump => "j",
        Code::Call => "jal",
        Code::JumpReg => "jr",
        Code::CallReg => "jalr",
        Code::Return => "ret",
        Code::LoadReserved => "lr.w",
        Code::StoreConditional => "sc.w",
        Code::FenceI => "fence.i",
        Code::SextB => "sext.b",
        Code::SextH => "sext.h",
        Code::ZextH => "zext.h",
        Code::OrcB => "orc.b",
        code => return word(&format!("{code:?}"), &[]),
    };
    name.to_owned()
}
