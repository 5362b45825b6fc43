//! Observed calls: one instruction at a time, each told to an observer.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use pennyweight_machine::effects::Effects;
use pennyweight_machine::guard::Guard;
use pennyweight_machine::observe::{Accessed, Noting};
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::{CallOptions, Exit, Observer, Outcome};
use pennyweight_memory::timing::FlashTiming;

use crate::decode::decode;
use crate::effects::effects;
use crate::machine::MipsMachine;
use crate::op::{Code, Op, Reg};

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
            if pc == stop && next == stop.wrapping_add(4) {
                break Exit::Returned;
            }
            let op = run.word(pc).map(|word| decode(word, pc));
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
            if let Some(op) = op.filter(|_| observer.wants_effects()) {
                let learn = || Rc::new(effects(&op, pc, run.core));
                // What lies in RAM may be another instruction the next time.
                let in_flash = pc.wrapping_sub(run.bus.flash_base) >> 2 < run.bus.flash.len() as u32;
                let effects = if in_flash { learnt.entry(pc).or_insert_with(learn).clone() } else { learn() };
                observer.effects(pc, &effects, &accesses);
            }
            observer.instruction(pc, op.map_or("", |op| op.code.mnemonic()), (spent - before) as u32);
            let stack = run.state.registers[Reg::SP];
            match behind {
                // The caller has its stack pointer again when it goes on: the function's is below.
                Jump::Call => observer.called(run.state.pc, stack.wrapping_sub(1)),
                Jump::Return => observer.returned(stack),
                Jump::None => {}
            }
            behind = op.map_or(Jump::None, |op| jump(&op));
            if behind == Jump::Call && run.state.next == pc.wrapping_add(8) {
                behind = Jump::None;
            }
            let jumped = run.state.pc != next || run.state.next != run.state.pc.wrapping_add(4);
            if jumped && spent >= options.budget {
                break Exit::OutOfCycles { pc: run.state.pc };
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

/// What `op` does if it is taken: one that is not goes on behind its delay slot.
fn jump(op: &Op) -> Jump {
    match op.code {
        Code::Jal | Code::Jalr | Code::Bltzal | Code::Bgezal | Code::Bltzall | Code::Bgezall => Jump::Call,
        Code::Jr if op.s == Reg::RA => Jump::Return,
        _ => Jump::None,
    }
}
