//! Observed calls: one instruction at a time, each told to an observer.

use std::cell::RefCell;
use std::rc::Rc;

use pennyweight_machine::account::Tally;
use pennyweight_machine::guard::Guard;
use pennyweight_machine::observe::{Accessed, Noting};
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::{CallOptions, Observer, Outcome};
use pennyweight_memory::bus::Bus;
use pennyweight_memory::timing::FlashTiming;

use crate::core::Core;
use crate::effects::{effects, Governed, Known};
use crate::machine::ThumbMachine;
use crate::op::{FlowKind, InstructionSet as _};
use crate::registers::Reg;
use crate::run::{step, End};

impl<C: Core> ThumbMachine<C> {
    /// As a run, with the same outcome.
    pub(crate) fn observe_as<T: FlashTiming>(
        &mut self,
        timing: T,
        guard: &Guard,
        stop: u32,
        options: &CallOptions,
        observer: &mut dyn Observer,
    ) -> (T, Outcome) {
        let seen: RefCell<Vec<Accessed>> = RefCell::default();
        let mut tally = Tally::default();
        let mut bus = Bus {
            ram: &mut self.memories.ram,
            ram_base: self.memories.ram_base,
            flash: &self.memories.flash,
            flash_base: self.memories.flash_base,
            watch: StackWatch::new(options.stack_limit, self.state.registers[Reg::Sp]),
            guard: Noting::new(guard, &seen),
            timing,
        };
        let state = &mut self.state;
        bus.timing.start(state.pc);
        let mut from = state.pc;
        // A straight line of decoded code may run past the budget.
        let mut look = true;
        let mut known = Known::default();
        let end = loop {
            let pc = state.pc;
            if pc == stop {
                break End::Stopped;
            }
            let before = tally.cycles + bus.timing.stalls();
            if look && before >= options.budget {
                break End::OutOfCycles;
            }
            let decoded = self.program.position(pc).is_some_and(|p| self.program.ops()[p] != C::Set::LEAVE);
            let conditional = state.it.active();
            let governed = conditional.then(|| {
                let condition = state.it.condition();
                Governed { condition, holds: state.flags.holds(condition) }
            });
            let single = match step::<C, T, _>(state, &mut bus, &mut tally, from) {
                Ok(single) => single,
                Err(fault) => break End::Fault(fault),
            };
            from = pc;
            if observer.wants_effects() {
                let learn = || Rc::new(effects::<C>(&single.op, governed));
                let found =
                    if decoded { known.entry((pc, governed)).or_insert_with(learn).clone() } else { learn() };
                observer.effects(pc, &found, &seen.borrow());
            }
            look = single.jumped || !decoded || conditional && !state.it.active();
            for (address, size, access) in seen.take() {
                observer.access(address, size, access);
            }
            let spent = tally.cycles + bus.timing.stalls() - before;
            observer.instruction(pc, &C::Set::name(&single.op), spent as u32);
            if single.jumped {
                let stack = state.registers[Reg::Sp];
                match C::Set::flow_kind(&single.op) {
                    // The caller has its stack pointer again when it goes on: the function's is below.
                    FlowKind::Call => observer.called(state.pc, stack.wrapping_sub(1)),
                    FlowKind::Return => observer.returned(stack),
                    FlowKind::Other => {}
                }
            }
        };
        let (timing, stack) = (bus.timing, bus.watch.high_water());
        (timing, self.outcome(end, tally, timing.stalls(), stack))
    }
}
