//! Where the MSP430 EABI puts the arguments of a call and finds its result.
//!
//! SLAA534, section 3.3: R12 to R15 carry arguments. One of 16 bits takes the first register that is
//! free, one of 64 bits all four or none; arguments without a register are on the stack, in order, above the
//! return address. A later argument still gets a register that an earlier one could not use.

use pennyweight_machine::Arg;

/// The first register for arguments, and the one for results.
pub const FIRST: u8 = 12;
/// Registers for arguments.
const COUNT: usize = 4;

/// Registers and stack words of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// R12 to R15; those that carry nothing are 0.
    pub registers: [u16; COUNT],
    /// Stack words from the return address upwards.
    pub stack: Vec<u16>,
}

/// Lays out the arguments. Pointers and sizes are cut to 16 bits.
pub fn layout(args: &[Arg]) -> Layout {
    let mut layout = Layout::default();
    // All types have one word or as many as there are registers: those in use are the first ones.
    let mut used = 0;
    for arg in args {
        let words = words(*arg);
        if used + words.len() <= COUNT {
            layout.registers[used..used + words.len()].copy_from_slice(&words);
            used += words.len();
        } else {
            layout.stack.extend(words);
        }
    }
    layout
}

/// An argument's words, the lowest first.
fn words(arg: Arg) -> Vec<u16> {
    match arg {
        Arg::Pointer(value) | Arg::Size(value) => vec![value as u16],
        Arg::Int(value) => vec![value as u16],
        Arg::U64(value) => (0..4).map(|i| (value >> (16 * i)) as u16).collect(),
    }
}

/// The `int` that a function returned, in R12.
pub fn result(register: u16) -> i32 {
    i32::from(register as i16)
}

#[cfg(test)]
mod tests {
    use super::{layout, result};
    use pennyweight_machine::Arg;

    /// crypto_aead_encrypt(c, clen, m, mlen, ad, adlen, nsec, npub, k), as msp430-elf-gcc 12.2.0
    /// takes it: `ad` is in R15.
    #[test]
    fn the_one_shot_call_fills_the_register_that_a_length_cannot_use() {
        let args = [
            Arg::Pointer(0x1201),
            Arg::Pointer(0x1303),
            Arg::Pointer(0x1405),
            Arg::U64(0x1122_3344_5566_7788),
            Arg::Pointer(0x1507),
            Arg::U64(0x99),
            Arg::Pointer(0),
            Arg::Pointer(0x1609),
            Arg::Pointer(0x170b),
        ];
        let l = layout(&args);
        assert_eq!(l.registers, [0x1201, 0x1303, 0x1405, 0x1507]);
        assert_eq!(l.stack, [0x7788, 0x5566, 0x3344, 0x1122, 0x99, 0, 0, 0, 0, 0x1609, 0x170b]);
    }

    #[test]
    fn a_length_that_comes_first_takes_all_registers() {
        let l = layout(&[Arg::U64(0x1_0002_0003), Arg::Int(-2)]);
        assert_eq!(l.registers, [3, 2, 1, 0]);
        assert_eq!(l.stack, [0xfffe]);
    }

    #[test]
    fn a_result_is_signed() {
        assert_eq!(result(0xfffe), -2);
    }
}
