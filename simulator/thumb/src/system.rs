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
    /// The local monitor: an exclusive load waits for its store. It covers all of memory, as on
    /// Cortex-M3 and M4.
    pub exclusive: bool,
    /// FAULTMASK; ARMv7-M only.
    faultmask: bool,
    /// BASEPRI, all eight bits; ARMv7-M only.
    basepri: u8,
    /// CONTROL.nPRIV: Thread mode is unprivileged; ARMv7-M only.
    unprivileged: bool,
    /// MSPLIM and PSPLIM, which limit nothing here; Armv8-M only.
    stack_limits: [u32; 2],
}

/// The special registers' numbers (SYSm).
const XPSR: u32 = 3;
const MSP: u32 = 8;
const PSP: u32 = 9;
const MSPLIM: u32 = 10;
const PSPLIM: u32 = 11;
const PRIMASK: u32 = 16;
const BASEPRI: u32 = 17;
const BASEPRI_MAX: u32 = 18;
const FAULTMASK: u32 = 19;
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

    /// Is `number` a special register of ARMv7-M (DDI 0403, B5.1.1)?
    #[must_use]
    pub fn exists_in_v7m(number: u32) -> bool {
        Self::exists(number) || matches!(number, BASEPRI..=FAULTMASK)
    }

    /// Is `number` a special register of Armv8-M with the Main Extension, but not of ARMv7-M (DDI 0553,
    /// B3.8)?
    #[must_use]
    pub fn exists_in_v8m_only(number: u32) -> bool {
        matches!(number, MSPLIM | PSPLIM)
    }

    /// TT, or with `unprivileged` TTT: what a part without memory protection answers on the access to
    /// `address`. R and RW (bits 18 and 19) are set where it is allowed; code without privilege gets no
    /// answer, and would have no access to the private peripheral bus (DDI 0553, B11.1, `TTResp`).
    #[must_use]
    pub fn test_target(&self, address: u32, unprivileged: bool) -> u32 {
        let private = address >> 20 == 0xe00;
        if self.unprivileged || unprivileged && private {
            0
        } else {
            3 << 18
        }
    }

    /// MRS of ARMv7-M. Without privilege, only the status register and CONTROL can be read.
    #[must_use]
    pub fn read_v7m(&self, number: u32, registers: &Registers, flags: &Flags) -> u32 {
        match number {
            CONTROL => u32::from(self.process_stack) << 1 | u32::from(self.unprivileged),
            MSP.. if self.unprivileged => 0,
            MSPLIM | PSPLIM => self.stack_limits[(number & 1) as usize],
            BASEPRI | BASEPRI_MAX => self.basepri.into(),
            FAULTMASK => self.faultmask.into(),
            _ => self.read(number, registers, flags),
        }
    }

    /// MSR of ARMv7-M; `mask` chooses NZCVQ (2) and GE (1) of the status register. Returns the
    /// value that SP has afterwards. Without privilege, only the status register can be written.
    #[must_use]
    pub fn write_v7m(&mut self, number: u32, mask: u8, value: u32, sp: u32, flags: &mut Flags) -> u32 {
        match number {
            0..=XPSR => {
                if mask & 2 != 0 {
                    flags.set_apsr(value);
                    flags.q = value >> 27 & 1 != 0;
                }
                if mask & 1 != 0 {
                    flags.ge = (value >> 16) as u8 & 15;
                }
            }
            _ if self.unprivileged => {}
            MSPLIM | PSPLIM => self.stack_limits[(number & 1) as usize] = value & !7,
            BASEPRI => self.basepri = value as u8,
            BASEPRI_MAX => {
                let new = value as u8;
                if new != 0 && (new < self.basepri || self.basepri == 0) {
                    self.basepri = new;
                }
            }
            FAULTMASK => self.faultmask = value & 1 != 0,
            CONTROL => {
                self.unprivileged = value & 1 != 0;
                return self.write(CONTROL, value, sp, flags);
            }
            _ => return self.write(number, value, sp, flags),
        }
        sp
    }

    /// CPS of ARMv7-M: `which` has 1 for FAULTMASK and 2 for PRIMASK.
    pub fn change_state(&mut self, disable: bool, which: u8) {
        if self.unprivileged {
            return;
        }
        if which & 1 != 0 {
            self.faultmask = disable;
        }
        if which & 2 != 0 {
            self.primask = disable;
        }
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
