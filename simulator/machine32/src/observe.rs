//! Observed runs: one instruction at a time, each reported to an observer.

use std::cell::RefCell;

use pennyweight_machine::guard::Watch;
use pennyweight_machine::observe::Accessed;
use pennyweight_machine::Observer;
use pennyweight_memory::timing::{Fetch, FlashTiming};

use crate::processor::{End, FlowKind, Processor, Run};

/// The name reported when an exception is taken instead of an instruction.
const EXCEPTION: &str = "exception";

/// Like [`Processor::run`], with the same outcome. The bus's guard records accesses in `seen`.
pub(crate) fn observe<P: Processor, T: FlashTiming, F: Fetch, W: Watch>(
    run: &mut Run<'_, '_, P, T, F, W>,
    stop: u32,
    budget: u64,
    seen: &RefCell<Vec<Accessed>>,
    observer: &mut dyn Observer,
) -> End {
    let mut from = P::pc(run.state);
    // A straight line of decoded code may run past the budget.
    let mut checks_budget = true;
    let mut notes = P::Notes::default();
    loop {
        let pc = P::pc(run.state);
        if P::is_at(run.state, stop) {
            return End::Stopped;
        }
        let spent = run.tally.cycles + run.bus.timing.stalls();
        if checks_budget && spent >= budget {
            return End::OutOfCycles;
        }
        let instructions = run.tally.instructions;
        let ahead = P::ahead(run);
        let step = match P::step(run, from) {
            Ok(step) => step,
            Err(fault) => return End::Fault(fault),
        };
        from = pc;
        let accesses = seen.take();
        let cycles = (run.tally.cycles + run.bus.timing.stalls() - spent) as u32;
        if run.tally.instructions == instructions {
            observer.instruction(pc, EXCEPTION, cycles);
            checks_budget = true;
            continue;
        }
        let report = P::report(run, ahead, step, &mut notes, observer.wants_effects());
        for &(address, size, access) in &accesses {
            observer.access(address, size, access);
        }
        if let Some(effects) = &report.effects {
            observer.effects(pc, effects, &accesses);
        }
        observer.instruction(pc, &report.name, cycles);
        let stack = P::stack_pointer(run.state);
        match report.flow {
            // The caller continues with this stack pointer again: the function's stack is below it.
            FlowKind::Call => observer.called(P::pc(run.state), stack.wrapping_sub(1)),
            FlowKind::Return => observer.returned(stack),
            FlowKind::Other => {}
        }
        checks_budget = report.checks_budget;
    }
}
