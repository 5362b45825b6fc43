//! Observed calls: one instruction at a time, each told to an observer.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use pennyweight_machine::effects::Effects;
use pennyweight_machine::guard::{Guard, Watch};
use pennyweight_machine::observe::{Accessed, Noting};
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::{CallOptions, Exit, Observer, Outcome};
use pennyweight_memory::timing::FlashTiming;

use crate::decode::decode;
use crate::effects::effects;
use crate::machine::MipsMachine;
use crate::op::{Code, Op, Reg};
use crate::run::Run;
use crate::run_short::back;
use crate::short::Kind;

/// An instruction about to be executed.
struct Seen {
    op: Op,
    name: &'static str,
    /// The return address, if it calls.
    back: u32,
    /// Has it a delay slot, if it jumps?
    delayed: bool,
}

/// Where a jump leads that has been executed, but for its delay slot.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Jump {
    None,
    Call,
    Return,
}

impl MipsMachine {
    /// Runs until the program counter is `stop`, with the outcome of a run that nobody observes. A call
    /// or return is told behind its delay slot.
    pub(crate) fn observe_as<T: FlashTiming>(
        &mut self,
        timing: T,
        guard: &Guard,
        stop: u32,
        options: &CallOptions,
        observer: &mut dyn Observer,
    ) -> (Outcome, T) {
        let seen: RefCell<Vec<Accessed>> = RefCell::default();
        let watch = StackWatch::new(options.stack_limit, self.state.registers[Reg::SP]);
        let mut run = self.prepare(timing, Noting::new(guard, &seen), watch);
        let mut behind = Jump::None;
        let mut learnt: HashMap<u32, Rc<Effects>> = HashMap::new();
        let exit = loop {
            let (pc, next) = (run.state.pc, run.state.next);
            if pc == stop && next == stop.wrapping_add(4) && run.state.slot_of.is_none() {
                break Exit::Returned;
            }
            let told = run.look();
            let address = pc & !1;
            let before = run.tally.cycles + run.bus.timing.stalls();
            let result = run.step();
            let spent = run.tally.cycles + run.bus.timing.stalls();
            let accesses = seen.take();
            if let Err(fault) = result {
                break Exit::Fault(fault);
            }
            for &(address, size, access) in &accesses {
                observer.access(address, size, access);
            }
            if let Some(told) = told.as_ref().filter(|_| observer.wants_effects()) {
                let learn = || Rc::new(effects(&told.op, told.back, run.core));
                // What lies in RAM may be another instruction the next time.
                let in_flash = pc.wrapping_sub(run.bus.flash_base) >> 2 < run.bus.flash.len() as u32;
                let effects = if in_flash { learnt.entry(pc).or_insert_with(learn).clone() } else { learn() };
                observer.effects(address, &effects, &accesses);
            }
            let name = told.as_ref().map_or("", |told| told.name);
            observer.instruction(address, name, (spent - before) as u32);
            let stack = run.state.registers[Reg::SP];
            let mut tell = |jump| match jump {
                // The caller has its stack pointer again when it goes on: the function's is below.
                Jump::Call => observer.called(run.state.pc & !1, stack.wrapping_sub(1)),
                Jump::Return => observer.returned(stack),
                Jump::None => {}
            };
            tell(behind);
            behind = told.as_ref().map_or(Jump::None, |told| jump(&told.op));
            if behind == Jump::Call && pc & 1 == 0 && run.state.next == pc.wrapping_add(8) {
                behind = Jump::None;
            }
            if told.is_some_and(|told| !told.delayed) {
                tell(behind);
                behind = Jump::None;
            }
            let jumped = run.state.pc != next || run.state.next != run.state.pc.wrapping_add(4);
            if jumped && spent >= options.budget {
                break Exit::OutOfCycles { pc: run.state.pc & !1 };
            }
        };
        let outcome = Outcome {
            exit,
            cycles: run.tally.cycles + run.bus.timing.stalls(),
            instructions: run.tally.instructions,
            stack: run.bus.watch.high_water(),
            result: run.state.registers[Reg::V0] as i32,
        };
        let timing = run.bus.timing;
        (outcome, timing)
    }
}

impl<T: FlashTiming, W: Watch> Run<'_, '_, T, W> {
    /// What is executed next, if a memory has it.
    fn look(&self) -> Option<Seen> {
        let pc = self.state.pc;
        if pc & 1 == 0 {
            let op = decode(self.word(pc)?, pc);
            return Some(Seen { op, name: op.code.mnemonic(), back: pc.wrapping_add(8), delayed: true });
        }
        let short = self.short(pc & !1, self.state.slot_of).ok()?;
        let delayed = short.kind != Kind::Compact;
        Some(Seen { op: short.op, name: short.mnemonic(), back: back(pc, &short), delayed })
    }
}

/// What `op` does if it is taken: one that is not goes on behind its delay slot.
fn jump(op: &Op) -> Jump {
    match op.code {
        Code::Jal | Code::Jalx | Code::Jalr | Code::Bltzal | Code::Bgezal | Code::Bltzall | Code::Bgezall => {
            Jump::Call
        }
        Code::Jr if op.s == Reg::RA => Jump::Return,
        _ => Jump::None,
    }
}
