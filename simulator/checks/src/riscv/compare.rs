//! Our side of the comparison with QEMU.

use pennyweight_riscv::registers::Reg;
use pennyweight_riscv::{Riscv, RiscvMachine};

use super::qemu::{self, Entry};
use super::{stream, virt, FLASH_BASE, RAM_BASE, RAM_SIZE};
use crate::qemu::{Comparison, Log, Program, Qemu};

/// RV32IMAC with Zba, Zbb and Zbkb.
#[derive(Clone, Copy, Debug)]
pub struct RiscvComparison;

impl Comparison for RiscvComparison {
    type Processor = Riscv;
    type State = Entry;

    fn program(&self, seed: u64, halfwords: usize, passes: u32) -> Program {
        let stream::Program { bytes, end } = stream::program(seed, halfwords, passes);
        Program {
            bytes,
            base: FLASH_BASE,
            entry: FLASH_BASE,
            end: FLASH_BASE + end,
            ram: (RAM_BASE, RAM_SIZE),
        }
    }

    fn start(&self, qemu: &Qemu, program: &Program, name: &str) -> Result<Log, String> {
        qemu::start(qemu, &program.bytes, name)
    }

    fn logged(&self, log: &mut Log) -> Result<Option<Entry>, String> {
        qemu::entry(log)
    }

    fn reset(&self, program: &Program) -> Result<RiscvMachine, String> {
        RiscvMachine::from_flash(&virt(), &program.bytes, program.bytes.len(), program.entry)
            .map_err(|error| error.to_string())
    }

    fn state(&self, machine: &RiscvMachine) -> Entry {
        let state = machine.state();
        let mut registers = [0; 32];
        for (number, register) in (0..).zip(&mut registers) {
            *register = state.registers[Reg::source(number)];
        }
        Entry { registers, pc: state.pc }
    }

    fn pc(state: &Entry) -> u32 {
        state.pc
    }
}

#[cfg(test)]
mod tests {
    use super::RiscvComparison;
    use crate::qemu::lockstep::check_run;

    /// Without QEMU: steps and runs agree, to the cycle.
    #[test]
    fn runs_cost_what_steps_cost() {
        for seed in 0..40 {
            check_run(&RiscvComparison, seed, (1500, 3), |_| false);
        }
    }
}
