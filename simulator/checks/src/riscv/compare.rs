//! Our side of the comparison with QEMU.

use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine32::{Machine32, Processor};
use pennyweight_riscv::registers::Reg;
use pennyweight_riscv::Riscv;

use super::qemu::{self, Entry};
use super::{stream, virt, Set, FLASH_BASE, RAM_BASE, RAM_SIZE};
use crate::qemu::lockstep::StateOf;
#[cfg(feature = "translator")]
use crate::qemu::lockstep::{whole_translated, Stepped};
use crate::qemu::{Comparison, Log, Program, Qemu};

/// A set, and the flash of our board.
#[derive(Clone, Debug)]
pub struct RiscvComparison(pub Set, pub MemoryTiming);

impl RiscvComparison {
    /// With a flash without wait states.
    #[must_use]
    pub fn of(set: Set) -> Self {
        RiscvComparison(set, MemoryTiming::ZeroWait)
    }
}

impl Comparison for RiscvComparison {
    type Processor = Riscv;
    type State = Entry;

    fn program(&self, seed: u64, halfwords: usize, passes: u32) -> Program {
        let stream::Program { bytes, end } = stream::program(self.0, seed, halfwords, passes);
        Program {
            bytes,
            base: FLASH_BASE,
            entry: FLASH_BASE,
            end: FLASH_BASE + end,
            ram: (RAM_BASE, RAM_SIZE),
        }
    }

    fn start(&self, qemu: &Qemu, program: &Program, name: &str) -> Result<Log, String> {
        qemu::start(qemu, self.0, &program.bytes, name)
    }

    fn logged(&self, log: &mut Log) -> Result<Option<Entry>, String> {
        qemu::entry(log)
    }

    fn reset<P: Processor<State = StateOf<Self>>>(&self, program: &Program) -> Result<Machine32<P>, String> {
        let board = virt(self.0, self.1.clone());
        Machine32::<P>::from_flash(&board, &program.bytes, program.bytes.len(), program.entry)
            .map_err(|error| error.to_string())
    }

    fn state(&self, state: &StateOf<Self>) -> Entry {
        let mut registers = [0; 32];
        for (number, register) in (0..).zip(&mut registers) {
            *register = state.registers[Reg::source(number)];
        }
        Entry { registers, pc: state.pc }
    }

    fn pc(state: &Entry) -> u32 {
        state.pc
    }

    #[cfg(feature = "translator")]
    fn translated(&self, program: &Program, stepped: &Stepped<'_, Riscv>) -> Result<u64, String> {
        whole_translated(self, program, stepped)
    }
}

#[cfg(test)]
mod tests {
    use pennyweight_machine::account::Tally;
    use pennyweight_machine::board::MemoryTiming;
    use pennyweight_machine::{CallOptions, Exit};
    use pennyweight_riscv::Riscv;

    use super::{RiscvComparison, Set};
    use crate::qemu::lockstep::check_run;
    #[cfg(feature = "translator")]
    use crate::qemu::lockstep::check_translated;
    use crate::qemu::Comparison as _;

    /// A flash like the CH32V003's.
    fn buffered(wait_states: u32) -> MemoryTiming {
        MemoryTiming::FetchBuffer { wait_states, line: 4, lines: 3 }
    }

    /// Without QEMU: steps and runs agree, to the cycle.
    #[test]
    fn runs_cost_what_steps_cost() {
        for seed in 0..40 {
            check_run(&RiscvComparison::of(Set::Rv32imac), seed, (1500, 3), |_| false);
        }
        for (set, seed) in [Set::Rv32imc, Set::Rv32ec, Set::Zbs, Set::Hazard3]
            .into_iter()
            .flat_map(|set| (0..20).map(move |seed| (set, seed)))
        {
            check_run(&RiscvComparison::of(set), seed, (1500, 3), |_| false);
        }
    }

    #[cfg(feature = "translator")]
    #[test]
    fn translated_code_ends_as_steps_do() {
        for set in [Set::Rv32imac, Set::Rv32imc, Set::Rv32ec, Set::Zbs, Set::Hazard3] {
            check_translated(&RiscvComparison::of(set), 1, (4_000, 2));
        }
        check_translated(&RiscvComparison(Set::Rv32ec, buffered(1)), 1, (4_000, 2));
    }

    #[test]
    fn runs_cost_what_steps_cost_with_wait_states() {
        for seed in 0..10 {
            for wait_states in [0, 1, 5] {
                let comparison = RiscvComparison(Set::Rv32ec, buffered(wait_states));
                check_run(&comparison, seed, (1500, 3), |_| false);
            }
        }
    }

    #[test]
    fn a_buffer_without_wait_states_costs_nothing() {
        let cost = |flash: MemoryTiming, seed| {
            let comparison = RiscvComparison(Set::Rv32ec, flash);
            let program = comparison.program(seed, 3000, 3);
            let mut machine = comparison.reset::<Riscv>(&program).expect("the board takes the program");
            let options = CallOptions { budget: 10_000_000, ..CallOptions::default() };
            let outcome = machine.run_to(program.end, &options);
            assert_eq!(outcome.exit, Exit::Returned);
            Tally { cycles: outcome.cycles, instructions: outcome.instructions }
        };
        for seed in 0..20 {
            let free = cost(MemoryTiming::ZeroWait, seed);
            assert_eq!(cost(buffered(0), seed), free, "seed {seed}");
            assert!(cost(buffered(1), seed).cycles > free.cycles, "seed {seed}");
        }
    }
}
