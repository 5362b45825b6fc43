//! The special registers that MRS, MSR and CPS reach (DDI 0419, B1.4).
//!
//! The core is always in privileged Thread mode: an exception ends the run.

use crate::registers::{Flags, Reg, Registers};

/// PRIMASK, CONTROL, the stack pointer that is not in use, and the event register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// Interrupts masked. Nothing interrupts here; kept because programs read it back.
    pub primask: bool,
    /// CONTROL.SPSEL: SP is the process stack pointer.
    pub process_stack: bool,
    /// Whichever of MSP and PSP is not SP now.
    other_stack_pointer: u32,
    /// Set by SEV, used up by WFE.
    pub event: bool,
}

/// The special registers' numbers (SYSm).
const XPSR: u32 = 3;
const MSP: u32 = 8;
const PSP: u32 = 9;
const PRIMASK: u32 = 16;
const CONTROL: u32 = 20;

impl System {
    /// Is `number` a special register of ARMv6-M?
    #[must_use]
    pub fn exists(number: u32) -> bool {
        matches!(number, 0..=3 | 5..=9 | PRIMASK | CONTROL)
    }

    /// MRS. IPSR reads as zero in Thread mode, EPSR always.
    #[must_use]
    pub fn read(&self, number: u32, registers: &Registers, flags: &Flags) -> u32 {
        match number {
            0..=XPSR => flags.apsr(),
            MSP | PSP if (number == PSP) == self.process_stack => registers[Reg::Sp],
            MSP | PSP => self.other_stack_pointer,
            PRIMASK => u32::from(self.primask),
            CONTROL => u32::from(self.process_stack) << 1,
            _ => 0,
        }
    }

    /// MSR; returns the value that SP has afterwards. CONTROL.nPRIV reads as zero and ignores
    /// writes: the Cortex-M0 has no unprivileged mode (DDI 0432, 2.1).
    #[must_use]
    pub fn write(&mut self, number: u32, value: u32, sp: u32, flags: &mut Flags) -> u32 {
        match number {
            0..=XPSR => flags.set_apsr(value),
            MSP | PSP if (number == PSP) == self.process_stack => return value & !3,
            MSP | PSP => self.other_stack_pointer = value & !3,
            PRIMASK => self.primask = value & 1 != 0,
            CONTROL => {
                let process = value & 2 != 0;
                if process != self.process_stack {
                    self.process_stack = process;
                    return std::mem::replace(&mut self.other_stack_pointer, sp);
                }
            }
            _ => {}
        }
        sp
    }
}

#[cfg(test)]
mod tests {
    use super::System;
    use crate::registers::{Flags, Reg, Registers};

    #[test]
    fn control_swaps_the_stack_pointers() {
        let (mut system, mut flags) = (System::default(), Flags::default());
        let mut registers = Registers::default();
        registers[Reg::Sp] = 0x2000_1000;
        assert_eq!(system.write(9, 0x2000_0803, 0x2000_1000, &mut flags), 0x2000_1000);
        assert_eq!(system.read(9, &registers, &flags), 0x2000_0800);
        assert_eq!(system.read(8, &registers, &flags), 0x2000_1000);
        registers[Reg::Sp] = system.write(20, 3, 0x2000_1000, &mut flags);
        assert_eq!(registers[Reg::Sp], 0x2000_0800);
        assert_eq!(system.read(20, &registers, &flags), 2);
        assert_eq!(system.read(8, &registers, &flags), 0x2000_1000);
        assert_eq!(system.read(9, &registers, &flags), 0x2000_0800);
    }
}
