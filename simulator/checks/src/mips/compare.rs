//! Our side of the comparison with QEMU.

use pennyweight_machine32::{Machine32, Processor};
use pennyweight_mips::op::Reg;
use pennyweight_mips::Mips;

use super::qemu::{self, Entry};
use super::{mipssim, stream, Set, FLASH_BASE, RAM_BASE, RAM_SIZE};
use crate::qemu::lockstep::StateOf;
#[cfg(feature = "translator")]
use crate::qemu::lockstep::{whole_translated, Stepped};
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

    /// A run that its budget ends is in the delay slot of the jump to itself, which changes nothing.
    fn same(&self, a: &StateOf<Self>, b: &StateOf<Self>) -> bool {
        let [a, b] = [a, b].map(|state| match state.next {
            next if next == state.pc.wrapping_add(4) => self.state(state),
            next => Entry { pc: next, ..self.state(state) },
        });
        a == b
    }

    #[cfg(feature = "translator")]
    fn translated(&self, program: &Program, stepped: &Stepped<'_, Mips>) -> Result<u64, String> {
        whole_translated(self, program, stepped)
    }
}

#[cfg(test)]
mod tests {
    use super::MipsComparison;
    use crate::mips::Set;
    use crate::qemu::lockstep::check_run;
    #[cfg(feature = "translator")]
    use crate::qemu::lockstep::check_translated;

    #[cfg(feature = "translator")]
    #[test]
    fn translated_code_ends_as_steps_do() {
        check_translated(&MipsComparison(Set::Mips32), 1, (4_000, 4));
    }

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
