//! Where avr-gcc's calling convention puts the arguments of a call and finds its result.
//!
//! GCC wiki "avr-gcc", section "Calling Convention": arguments are handed out from r25 downwards,
//! each rounded up to an even number of bytes, its lowest byte in the lowest register; r8 is the
//! last. The first argument that does not fit, and all after it, lie on the stack, in order, above
//! the return address.

use pennyweight_machine::Arg;

/// Registers and stack bytes of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// r0 to r31; those that carry nothing, r1 among them, are 0.
    pub registers: [u8; 32],
    /// Stack bytes from the return address upwards.
    pub stack: Vec<u8>,
}

/// One past the highest register for arguments.
const ARGUMENTS_END: usize = 26;
/// The lowest register for arguments.
const ARGUMENTS_START: usize = 8;

/// Lays out the arguments. Pointers and sizes are cut to 16 bits.
pub(crate) fn layout(args: &[Arg]) -> Layout {
    let mut layout = Layout { registers: [0; 32], stack: Vec::new() };
    let mut next = Some(ARGUMENTS_END);
    for arg in args {
        let bytes = bytes(*arg);
        let start = next.and_then(|n| n.checked_sub(bytes.len())).filter(|&n| n >= ARGUMENTS_START);
        match start {
            Some(start) => layout.registers[start..start + bytes.len()].copy_from_slice(&bytes),
            None => layout.stack.extend_from_slice(&bytes),
        }
        next = start;
    }
    layout
}

/// An argument's bytes; all types have an even number of them.
fn bytes(arg: Arg) -> Vec<u8> {
    match arg {
        Arg::Pointer(value) | Arg::Size(value) => (value as u16).to_le_bytes().to_vec(),
        Arg::Int(value) => (value as i16).to_le_bytes().to_vec(),
        Arg::U64(value) => value.to_le_bytes().to_vec(),
    }
}

/// The `int` that a function returned, in r25:r24.
pub(crate) fn result(registers: &[u8]) -> i32 {
    i32::from(i16::from_le_bytes([registers[24], registers[25]]))
}

#[cfg(test)]
mod tests {
    use super::{layout, result};
    use pennyweight_machine::Arg;

    /// crypto_aead_encrypt(c, clen, m, mlen, ad, adlen, nsec, npub, k): five arguments fit.
    #[test]
    fn the_one_shot_call_spills_from_the_first_argument_that_does_not_fit() {
        let args = [
            Arg::Pointer(0x80_0201),
            Arg::Pointer(0x80_0303),
            Arg::Pointer(0x80_0405),
            Arg::U64(0x1122_3344_5566_7788),
            Arg::Pointer(0x80_0507),
            Arg::U64(0x99),
            Arg::Pointer(0),
            Arg::Pointer(0x80_0609),
            Arg::Pointer(0x80_070b),
        ];
        let l = layout(&args);
        assert_eq!(&l.registers[20..26], [0x05, 0x04, 0x03, 0x03, 0x01, 0x02]);
        assert_eq!(&l.registers[12..20], [0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11]);
        assert_eq!(&l.registers[10..12], [0x07, 0x05]);
        assert_eq!(&l.registers[..10], [0; 10], "r8 and r9 stay free: what follows a spill spills");
        assert_eq!(&l.registers[26..], [0; 6]);
        assert_eq!(l.stack, [0x99, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x09, 0x06, 0x0b, 0x07]);
    }

    #[test]
    fn the_last_registers_are_r8_and_r9() {
        let args = vec![Arg::Size(0x1234); 10];
        let l = layout(&args);
        assert_eq!(&l.registers[8..10], [0x34, 0x12]);
        assert_eq!(l.registers[7], 0);
        assert_eq!(l.stack, [0x34, 0x12]);
    }

    #[test]
    fn integers_are_signed_both_ways() {
        let l = layout(&[Arg::Int(-2)]);
        assert_eq!(&l.registers[24..26], [0xfe, 0xff]);
        assert_eq!(result(&l.registers), -2);
    }
}
