//! Our side of the comparison with QEMU.

use std::marker::PhantomData;

use pennyweight_machine32::{Machine32, Processor};
use pennyweight_thumb::core::Core;
use pennyweight_thumb::registers::Reg;
use pennyweight_thumb::run::State;
use pennyweight_thumb::Thumb;

use super::qemu::{self, Entry, FLAGS};
use super::stream::{self, Set};
use super::{board, RAM_SIZE};
#[cfg(feature = "translator")]
use crate::qemu::lockstep::{whole_translated, Stepped};
use crate::qemu::lockstep::{Guest, StateOf};
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

impl<C: Core> Comparison for ThumbComparison<C>
where
    Thumb<C>: Guest<State = State>,
{
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

    fn reset<P: Processor<State = StateOf<Self>>>(&self, program: &Program) -> Result<Machine32<P>, String> {
        let board = board(C::MODEL, self.set);
        let mut machine = Machine32::<P>::from_flash(&board, &program.bytes, program.bytes.len(), 0)
            .map_err(|error| error.to_string())?;
        machine.state_mut().pc &= !1;
        // QEMU begins with Z set; the architecture leaves it open.
        machine.state_mut().flags.set_apsr(1 << 30);
        Ok(machine)
    }

    fn state(&self, state: &StateOf<Self>) -> Entry {
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

    fn same(&self, a: &StateOf<Self>, b: &StateOf<Self>) -> bool {
        a == b
    }

    #[cfg(feature = "translator")]
    fn translated(&self, program: &Program, stepped: &Stepped<'_, Thumb<C>>) -> Result<u64, String> {
        whole_translated(self, program, stepped)
    }
}

#[cfg(test)]
mod tests {
    use pennyweight_thumb::core::{Core, CortexM0, CortexM3, CortexM33, CortexM4};
    use pennyweight_thumb::run::State;
    use pennyweight_thumb::Thumb;

    use super::ThumbComparison;
    #[cfg(feature = "translator")]
    use crate::qemu::lockstep::check_translated;
    use crate::qemu::lockstep::{check_run, Guest};
    use crate::thumb::stream::Set;

    fn check<C: Core>(set: Set)
    where
        Thumb<C>: Guest<State = State>,
    {
        for seed in 0..3 {
            check_run(&ThumbComparison::<C>::new(set), seed, (8_000, 2), |_| false);
        }
    }

    #[cfg(feature = "translator")]
    #[test]
    fn translated_code_ends_as_steps_do() {
        check_translated(&ThumbComparison::<CortexM0>::new(Set::V6m), 1, (8_000, 2));
        check_translated(&ThumbComparison::<CortexM3>::new(Set::V7m), 1, (8_000, 2));
        check_translated(&ThumbComparison::<CortexM4>::new(Set::V7em), 1, (8_000, 2));
        check_translated(&ThumbComparison::<CortexM33>::new(Set::V8m), 1, (8_000, 2));
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
