//! Argument passing: the call0 ABI (ISA reference manual, 8.1.2), as gcc has it
//! (`config/xtensa/xtensa.cc`, `xtensa_function_arg`).

use pennyweight_machine::Arg;

/// Where the arguments of a call go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// a2 to a7.
    pub registers: [u32; 6],
    /// Words from the stack pointer up; a multiple of four, so that SP stays a multiple of 16.
    pub stack: Vec<u32>,
}

/// Lays out arguments: words in a2 to a7 and then on the stack; a 64-bit value begins at an even
/// register or a multiple of 8, and is never split.
#[must_use]
pub fn layout(args: &[Arg]) -> Layout {
    let mut words: Vec<u32> = Vec::new();
    for arg in args {
        match *arg {
            Arg::Pointer(word) | Arg::Size(word) => words.push(word),
            Arg::Int(value) => words.push(value as u32),
            // Six registers are an even number: aligned, it is never split.
            Arg::U64(value) => {
                if words.len() % 2 == 1 {
                    words.push(0);
                }
                words.extend([value as u32, (value >> 32) as u32]);
            }
        }
    }
    let mut layout = Layout::default();
    let in_registers = words.len().min(6);
    layout.registers[..in_registers].copy_from_slice(&words[..in_registers]);
    layout.stack.extend_from_slice(&words[in_registers..]);
    layout.stack.resize(layout.stack.len().next_multiple_of(4), 0);
    layout
}

#[cfg(test)]
mod tests {
    use super::{layout, Layout};
    use pennyweight_machine::Arg::{Int, Pointer, U64};

    #[test]
    fn sixty_four_bits_are_aligned() {
        // crypto_aead_encrypt(c, clen, m, mlen, ad, adlen, nsec, npub, k), as gcc 12.2 reads it.
        let args = [
            Pointer(1),
            Pointer(2),
            Pointer(3),
            U64(4 | 5 << 32),
            Pointer(6),
            U64(7 | 8 << 32),
            Pointer(9),
            Pointer(10),
            Pointer(11),
        ];
        assert_eq!(
            layout(&args),
            Layout { registers: [1, 2, 3, 0, 4, 5], stack: vec![6, 0, 7, 8, 9, 10, 11, 0] }
        );
        assert_eq!(layout(&[Int(-1)]).registers[0], u32::MAX);
    }
}
