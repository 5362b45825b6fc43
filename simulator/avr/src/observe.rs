//! Observed calls: one instruction at a time, each reported to an observer.

use std::cell::RefCell;

use pennyweight_machine::guard::Guard;
use pennyweight_machine::observe::{Accessed, Noting};
use pennyweight_machine::{Arg, CallOptions, Exit, Fault, Observer, Outcome};

use crate::abi;
use crate::cpu::{DATA_BASE, REGISTERS};
use crate::effects::InstructionEffects;
use crate::execute::{culprit, run, Bounds, Stop};
use crate::machine::{faulted, AvrMachine};
use crate::op::{Code, Op};
use crate::program::INSTRUCTION;

impl AvrMachine {
    /// As a call, with the same outcome; accesses to registers and I/O are not reported.
    pub(crate) fn observed(
        &mut self,
        function: u32,
        args: &[Arg],
        options: &CallOptions,
        observer: &mut dyn Observer,
    ) -> Outcome {
        if let Err(kind) = self.enter(function, args, options.stack_limit) {
            return faulted(kind, function);
        }
        let top = u32::from(self.state.stack.pointer) + 2;
        let guard = self.guard(&options.zones);
        if self.xt() {
            self.observe_as::<true>(&guard, options.budget, top, observer)
        } else {
            self.observe_as::<false>(&guard, options.budget, top, observer)
        }
    }

    fn observe_as<const XT: bool>(
        &mut self,
        guard: &Guard,
        budget: u64,
        top: u32,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let memory = DATA_BASE + self.map.io_end;
        let seen: RefCell<Vec<Accessed>> = RefCell::default();
        let mut known: Option<InstructionEffects> = None;
        let mut jumped = self.state.pc;
        let mut outcome = Outcome::of(Exit::Returned);
        loop {
            let pc = self.state.pc;
            let op = self.program.ops[pc];
            // A straight line may run past the budget, which is checked where a jump is taken.
            let left = budget.saturating_sub(outcome.cycles).min(1 << 31) as u32;
            let bounds = Bounds { map: self.map, cycles: left, top };
            let watch = Noting::new(guard, &seen);
            let ops = &self.program.ops;
            let (stop, spent) = run::<_, XT, true>(&self.program, ops, &mut self.state, watch, &bounds);
            let (cycles, instructions) = (spent % INSTRUCTION, spent / INSTRUCTION);
            outcome.cycles += cycles;
            outcome.instructions += instructions;
            let accesses = seen.take();
            if instructions != 0 {
                if observer.wants_effects() {
                    let found = known.get_or_insert_with(InstructionEffects::new).at::<XT>(self, pc);
                    observer.effects(2 * pc as u32, &found, &accesses);
                }
                // Below SRAM, data space contains registers and I/O.
                let is_memory = |address: u32| !(DATA_BASE..memory).contains(&address);
                for (address, size, access) in accesses.into_iter().filter(|a| is_memory(a.0)) {
                    observer.access(address, size, access);
                }
                observer.instruction(2 * pc as u32, op.code.mnemonic(), cycles as u32);
                self.report_flow(op, observer);
                let skips = matches!(op.code, Code::Cpse | Code::Sbrc | Code::Sbrs | Code::Sbic | Code::Sbis);
                if !skips && self.state.pc != pc + op.words() as usize {
                    jumped = pc;
                }
            }
            outcome.exit = match stop {
                Stop::Stepped => continue,
                Stop::Done => Exit::Returned,
                // To blame is what led here, which a single step does not know.
                Stop::Fault(kind, _) if op.code == Code::Outside => {
                    let led = culprit(&self.program, jumped, pc);
                    Exit::Fault(Fault { kind, pc: 2 * led as u32 })
                }
                Stop::Fault(kind, pc) => Exit::Fault(Fault { kind, pc: 2 * pc as u32 }),
                Stop::Cycles if outcome.cycles < budget => continue,
                Stop::Cycles => Exit::OutOfCycles { pc: 2 * self.state.pc as u32 },
            };
            break;
        }
        outcome.stack = self.state.stack.watch.high_water();
        outcome.result = abi::result(&self.state.data[..REGISTERS]);
        outcome
    }

    /// Reports where a call or return has led.
    fn report_flow(&self, op: Op, observer: &mut dyn Observer) {
        let stack = DATA_BASE + u32::from(self.state.stack.pointer);
        match op.code {
            Code::Call | Code::Rcall | Code::Icall => observer.called(2 * self.state.pc as u32, stack),
            Code::Ret | Code::Reti => observer.returned(stack),
            _ => {}
        }
    }
}
