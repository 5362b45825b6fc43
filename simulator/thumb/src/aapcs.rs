//! Argument passing: Procedure Call Standard for the Arm Architecture (AAPCS32), section 6.5,
//! base standard without floating-point registers.

use pennyweight_machine::Arg;

/// Where the arguments of a call go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// r0 to r3.
    pub registers: [u32; 4],
    /// Words from the stack pointer up; their number is even, so that SP stays a multiple of 8.
    pub stack: Vec<u32>,
}

/// Lays out arguments: words in r0 to r3 and then on the stack; a 64-bit value begins at an even
/// register or a multiple of 8, and is never split.
#[must_use]
pub fn layout(args: &[Arg]) -> Layout {
    let mut words: Vec<u32> = Vec::new();
    for arg in args {
        match *arg {
            Arg::Pointer(word) | Arg::Size(word) => words.push(word),
            Arg::Int(value) => words.push(value as u32),
            Arg::U64(value) => {
                if words.len() % 2 == 1 {
                    words.push(0);
                }
                words.push(value as u32);
                words.push((value >> 32) as u32);
            }
        }
    }
    let mut layout = Layout::default();
    let in_registers = words.len().min(4);
    layout.registers[..in_registers].copy_from_slice(&words[..in_registers]);
    layout.stack.extend_from_slice(&words[in_registers..]);
    if layout.stack.len() % 2 == 1 {
        layout.stack.push(0);
    }
    layout
}

#[cfg(test)]
mod tests {
    use super::{layout, Layout};
    use pennyweight_machine::Arg::{Int, Pointer, Size, U64};

    #[test]
    fn words_fill_registers_then_the_stack() {
        assert_eq!(
            layout(&[Pointer(1), Size(2), Int(-1), Pointer(4), Size(5)]),
            Layout { registers: [1, 2, u32::MAX, 4], stack: vec![5, 0] }
        );
    }

    #[test]
    fn sixty_four_bits_are_aligned_and_not_split() {
        // crypto_aead_encrypt(c, clen, m, mlen, ad, adlen, nsec, npub, k)
        let args = [
            Pointer(1),
            Pointer(2),
            Pointer(3),
            U64(4),
            Pointer(5),
            U64(6),
            Pointer(0),
            Pointer(7),
            Pointer(8),
        ];
        assert_eq!(
            layout(&args),
            Layout { registers: [1, 2, 3, 0], stack: vec![4, 0, 5, 0, 6, 0, 0, 7, 8, 0] }
        );
        assert_eq!(layout(&[Int(9), U64(1 << 32)]).registers, [9, 0, 0, 1]);
    }
}
