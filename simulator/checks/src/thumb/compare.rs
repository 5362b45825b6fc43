//! Our side of the comparison with QEMU.

use std::marker::PhantomData;

use pennyweight_thumb::core::Core;
use pennyweight_thumb::registers::Reg;
use pennyweight_thumb::{Thumb, ThumbMachine};

use super::qemu::{self, Entry, FLAGS};
use super::stream::{self, Set};
use super::{board, RAM_SIZE};
use crate::qemu::{Comparison, Log, Program, Qemu};

/// An instruction set, on a Pennyweight core that has it.
#[derive(Debug)]
pub struct ThumbComparison<C> {
    set: Set,
    core: PhantomData<C>,
}

impl<C> ThumbComparison<C> {
    /// The comparison of that set.
    #[must_use]
    pub fn new(set: Set) -> Self {
        ThumbComparison { set, core: PhantomData }
    }
}

impl<C: Core> Comparison for ThumbComparison<C> {
    type Processor = Thumb<C>;
    type State = Entry;

    const SHORT: usize = 8_000;

    fn program(&self, seed: u64, halfwords: usize, passes: u32) -> Program {
        let stream::Program { bytes, end } = stream::program(self.set, seed, halfwords, passes);
        let base = self.set.flash();
        Program { bytes, base, entry: base, end, ram: (self.set.ram(), RAM_SIZE) }
    }

    fn start(&self, qemu: &Qemu, program: &Program, name: &str) -> Result<Log, String> {
        qemu::start(qemu, self.set, &program.bytes, name)
    }

    fn logged(&self, log: &mut Log) -> Result<Option<Entry>, String> {
        qemu::entry(log)
    }

    fn reset(&self, program: &Program) -> Result<ThumbMachine<C>, String> {
        let board = board(C::MODEL, self.set);
        let mut machine = ThumbMachine::from_flash(&board, &program.bytes, program.bytes.len(), 0)
            .map_err(|error| error.to_string())?;
        machine.state_mut().pc &= !1;
        // QEMU begins with Z set; the architecture leaves it open.
        machine.state_mut().flags.set_apsr(1 << 30);
        Ok(machine)
    }

    fn state(&self, machine: &ThumbMachine<C>) -> Entry {
        let state = machine.state();
        let mut registers = [0; 16];
        for (number, register) in (0..15).zip(&mut registers) {
            *register = state.registers[Reg::from_bits(number)];
        }
        registers[15] = state.pc;
        Entry { registers, flags: state.flags.apsr() & FLAGS }
    }

    fn pc(state: &Entry) -> u32 {
        state.registers[15]
    }

    fn same(&self, a: &ThumbMachine<C>, b: &ThumbMachine<C>) -> bool {
        a.state() == b.state()
    }
}

#[cfg(test)]
mod tests {
    use pennyweight_thumb::core::{Core, CortexM0, CortexM3, CortexM33, CortexM4};

    use super::ThumbComparison;
    use crate::qemu::lockstep::check_run;
    use crate::thumb::stream::Set;

    fn check<C: Core>(set: Set) {
        for seed in 0..3 {
            check_run(&ThumbComparison::<C>::new(set), seed, (8_000, 2), |_| false);
        }
    }

    /// Without QEMU: steps and runs agree, to the cycle.
    #[test]
    fn runs_cost_what_steps_cost() {
        check::<CortexM0>(Set::V6m);
        check::<CortexM3>(Set::V7m);
        check::<CortexM4>(Set::V7em);
        check::<CortexM33>(Set::V8m);
    }
}
