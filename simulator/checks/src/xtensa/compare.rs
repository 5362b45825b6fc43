//! Our side of the comparison with QEMU.

use pennyweight_machine32::{Machine32, Processor};
use pennyweight_xtensa::op::Reg;
use pennyweight_xtensa::Xtensa;

use super::qemu::{self, Entry};
use super::{stream, Set, RAM_SIZE};
use crate::qemu::lockstep::StateOf;
#[cfg(feature = "translator")]
use crate::qemu::lockstep::{whole_translated, Stepped};
use crate::qemu::{Comparison, Log, Program, Qemu};

/// An instruction set.
#[derive(Clone, Copy, Debug)]
pub struct XtensaComparison(pub Set);

impl Comparison for XtensaComparison {
    type Processor = Xtensa;
    type State = Entry;

    fn program(&self, seed: u64, length: usize, passes: u32) -> Program {
        let stream::Program { bytes, entry, end } = stream::program(self.0, seed, length, passes);
        let base = self.0.flash();
        Program { bytes, base, entry: base + entry, end: base + end, ram: (self.0.ram(), RAM_SIZE) }
    }

    fn start(&self, qemu: &Qemu, program: &Program, name: &str) -> Result<Log, String> {
        qemu::start(qemu, self.0, &program.bytes, program.entry, name)
    }

    fn logged(&self, log: &mut Log) -> Result<Option<Entry>, String> {
        qemu::entry(log, self.0)
    }

    fn reset<P: Processor<State = StateOf<Self>>>(&self, program: &Program) -> Result<Machine32<P>, String> {
        let board = self.0.board();
        let mut machine =
            Machine32::<P>::from_flash(&board, &program.bytes, program.bytes.len(), program.entry)
                .map_err(|error| error.to_string())?;
        if self.0 == Set::Windowed {
            // What the peer's configuration has after reset.
            machine.state_mut().extra.windows.vectors = 0x2000;
        }
        Ok(machine)
    }

    fn state(&self, state: &StateOf<Self>) -> Entry {
        let windows = self.0 == Set::Windowed;
        let mut entry = Entry { sar: state.sar, pc: state.pc, windows, ..Entry::default() };
        for (number, register) in (0..).zip(&mut entry.registers) {
            *register = state.registers[Reg(number)];
        }
        if entry.windows {
            let extra = &state.extra;
            let (windows, loops, mac) = (&extra.windows, &extra.loops, &extra.mac);
            let [m0, m1, m2, m3] = mac.data;
            entry.special = [
                loops.begin,
                loops.end,
                loops.count,
                extra.booleans,
                mac.low(),
                mac.high(),
                m0,
                m1,
                m2,
                m3,
                windows.vectors,
                windows.epc,
                windows.save,
                windows.cause,
                windows.base,
                windows.start,
                windows.ps,
                extra.compare,
                extra.thread,
            ];
            for (to, four) in entry.file.chunks_mut(4).zip(windows.physical(state.registers)) {
                to.copy_from_slice(&four);
            }
        }
        entry
    }

    fn pc(state: &Entry) -> u32 {
        state.pc
    }

    #[cfg(feature = "translator")]
    fn translated(&self, program: &Program, stepped: &Stepped<'_, Xtensa>) -> Result<u64, String> {
        whole_translated(self, program, stepped)
    }
}

#[cfg(test)]
mod tests {
    use super::XtensaComparison;
    use crate::qemu::lockstep::check_run;
    #[cfg(feature = "translator")]
    use crate::qemu::lockstep::check_translated;
    use crate::xtensa::Set;

    #[cfg(feature = "translator")]
    #[test]
    fn translated_code_ends_as_steps_do() {
        check_translated(&XtensaComparison(Set::Call0), 1, (8_000, 2));
        check_translated(&XtensaComparison(Set::Windowed), 2, (8_000, 6));
    }

    /// Without QEMU: steps and runs agree, to the cycle.
    #[test]
    fn runs_cost_what_steps_cost() {
        for seed in 0..40 {
            let comparison = XtensaComparison(if seed % 2 == 0 { Set::Call0 } else { Set::Windowed });
            check_run(&comparison, seed, (3000, 3), |_| false);
        }
    }
}
