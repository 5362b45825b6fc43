//! SAVE and RESTORE of 16-bit code (MD00076, "SAVE", "RESTORE"): registers go to the stack and the
//! stack pointer moves, in one instruction.

use pennyweight_machine::FaultKind;
use pennyweight_memory::bus::DataBus;

use crate::op::{Reg, Registers};

/// s2 to s8, in the order in which more of them are kept.
const MORE: [Reg; 7] = [Reg(18), Reg(19), Reg(20), Reg(21), Reg(22), Reg(23), Reg(30)];

/// What is kept where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Bytes by which the stack pointer moves.
    pub size: u32,
    /// Is the return address kept, and are s0 and s1?
    pub ra: bool,
    /// s0
    pub s0: bool,
    /// s1
    pub s1: bool,
    /// How many of s2 to s8.
    pub more: u8,
    /// How many of a0 to a3 go to the caller's places for them; SAVE only.
    pub arguments: u8,
    /// How many of a3 to a0 are kept as registers that the callee preserves.
    pub statics: u8,
}

impl Frame {
    /// How many arguments and static registers the field `aregs` encodes; `None`: reserved.
    #[must_use]
    pub fn aregs(field: u8) -> Option<(u8, u8)> {
        match field & 15 {
            11 => Some((0, 4)),
            14 => Some((4, 0)),
            15 => None,
            field => Some((field >> 2, field & 3)),
        }
    }

    /// As the immediate of an operation.
    #[must_use]
    pub fn pack(self) -> u32 {
        let bit = |set: bool, place: u32| u32::from(set) << place;
        self.size & 0xfff
            | bit(self.ra, 12)
            | bit(self.s0, 13)
            | bit(self.s1, 14)
            | u32::from(self.more & 7) << 15
            | u32::from(self.arguments & 7) << 18
            | u32::from(self.statics & 7) << 21
    }

    /// The opposite of `pack`.
    #[must_use]
    pub fn unpack(packed: u32) -> Self {
        let bit = |place: u32| packed >> place & 1 != 0;
        let number = |place: u32| (packed >> place & 7) as u8;
        Frame {
            size: packed & 0xfff,
            ra: bit(12),
            s0: bit(13),
            s1: bit(14),
            more: number(15),
            arguments: number(18),
            statics: number(21),
        }
    }

    /// The registers that lie below the caller's stack pointer, from the highest address down.
    pub fn saved(self) -> impl Iterator<Item = Reg> {
        let ra = self.ra.then_some(Reg::RA);
        let more = MORE.into_iter().take(self.more.into()).rev();
        let low = [self.s1.then_some(Reg(17)), self.s0.then_some(Reg(16))].into_iter().flatten();
        let statics = (0..self.statics.min(4)).map(|number| Reg(7 - number));
        ra.into_iter().chain(more).chain(low).chain(statics)
    }

    /// a0 to a3, as far as SAVE stores them, the last first.
    pub fn passed(self) -> impl Iterator<Item = Reg> {
        (0..self.arguments.min(4)).rev().map(|number| Reg(4 + number))
    }

    /// SAVE.
    ///
    /// # Errors
    /// A store's fault; or the stack pointer is below its limit.
    #[inline(never)]
    pub fn save<B: DataBus>(self, r: &mut Registers, bus: &mut B) -> Result<(), FaultKind> {
        let top = r[Reg::SP];
        let down = top.wrapping_sub(self.size);
        // The stack's limit before guard zones, which begin below it.
        bus.stack_pointer(down)?;
        for reg in self.passed() {
            bus.store_word(top.wrapping_add(u32::from(reg.0 - 4) * 4), r[reg])?;
        }
        let mut at = top;
        for reg in self.saved() {
            at = at.wrapping_sub(4);
            bus.store_word(at, r[reg])?;
        }
        r[Reg::SP] = down;
        Ok(())
    }

    /// RESTORE.
    ///
    /// # Errors
    /// A load's fault.
    #[inline(never)]
    pub fn restore<B: DataBus>(self, r: &mut Registers, bus: &mut B) -> Result<(), FaultKind> {
        let top = r[Reg::SP].wrapping_add(self.size);
        let mut at = top;
        for reg in self.saved() {
            at = at.wrapping_sub(4);
            r[reg] = bus.load_word(at)?;
        }
        r[Reg::SP] = top;
        bus.stack_pointer(top)
    }
}

#[cfg(test)]
mod tests {
    use super::Frame;

    #[test]
    fn frames_are_packed_whole() {
        let all = Frame { size: 2040, ra: true, s0: true, s1: true, more: 7, arguments: 4, statics: 0 };
        let statics = Frame { size: 8, statics: 4, ..Frame::default() };
        for frame in [all, statics, Frame::default()] {
            assert_eq!(Frame::unpack(frame.pack()), frame);
        }
    }

    #[test]
    fn registers_lie_in_the_order_of_the_manual() {
        let frame = Frame { ra: true, s0: true, s1: true, more: 7, arguments: 2, statics: 2, size: 64 };
        let saved: Vec<u8> = frame.saved().map(|reg| reg.0).collect();
        assert_eq!(saved, [31, 30, 23, 22, 21, 20, 19, 18, 17, 16, 7, 6]);
        let passed: Vec<u8> = frame.passed().map(|reg| reg.0).collect();
        assert_eq!(passed, [5, 4]);
    }

    #[test]
    fn the_field_for_argument_registers_has_two_exceptions() {
        let all: Vec<_> = (0..16).map(Frame::aregs).collect();
        let plain = |field: u8| Some((field >> 2, field & 3));
        for field in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13] {
            assert_eq!(all[usize::from(field)], plain(field));
        }
        assert_eq!(all[11], Some((0, 4)));
        assert_eq!(all[14], Some((4, 0)));
        assert_eq!(all[15], None);
    }
}
