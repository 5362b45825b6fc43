//! Our side of the comparison with QEMU.

use pennyweight_machine32::{Machine32, Processor};
use pennyweight_mips::op::Reg;
use pennyweight_mips::Mips;

use super::qemu::{self, Entry};
use super::{mipssim, stream, Set, FLASH_BASE, RAM_BASE, RAM_SIZE};
use crate::qemu::lockstep::StateOf;
use crate::qemu::{Comparison, Log, Program, Qemu};

/// An instruction set.
#[derive(Clone, Copy, Debug)]
pub struct MipsComparison(pub Set);

impl Comparison for MipsComparison {
    type Processor = Mips;
    type State = Entry;

    fn program(&self, seed: u64, words: usize, passes: u32) -> Program {
        let stream::Program { bytes, end } = stream::program(self.0, seed, words, passes);
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

    fn reset<P: Processor<State = StateOf<Self>>>(&self, program: &Program) -> Result<Machine32<P>, String> {
        Machine32::<P>::from_flash(&mipssim(), &program.bytes, program.bytes.len(), program.entry)
            .map_err(|error| error.to_string())
    }

    fn state(&self, state: &StateOf<Self>) -> Entry {
        let high_low = state.extra.high_low;
        let mut registers = [0; 32];
        for (number, register) in (0..).zip(&mut registers) {
            *register = state.registers[Reg(number)];
        }
        Entry { registers, high_low: [(high_low >> 32) as u32, high_low as u32], pc: state.pc & !1 }
    }

    fn pc(state: &Entry) -> u32 {
        state.pc
    }

    /// QEMU enters a delay slot that it then skips.
    fn skips(previous: u32, ours: &Entry, theirs: &Entry) -> bool {
        theirs.pc == previous.wrapping_add(4) && ours.pc == theirs.pc.wrapping_add(4)
    }
}

#[cfg(test)]
mod tests {
    use super::MipsComparison;
    use crate::mips::Set;
    use crate::qemu::lockstep::check_run;

    /// Without QEMU: steps and runs agree, to the cycle.
    #[test]
    fn runs_cost_what_steps_cost() {
        let sets = [Set::Mips32, Set::Mips16e];
        for (set, seed) in sets.into_iter().flat_map(|set| (0..20).map(move |seed| (set, seed))) {
            let short =
                check_run(&MipsComparison(set), seed, (1500, 3), |machine| machine.state().pc & 1 == 1);
            assert_eq!(short > 1_000, set == Set::Mips16e, "{short} instructions of 16 bits");
        }
    }
}
