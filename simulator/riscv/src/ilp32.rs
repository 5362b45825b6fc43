//! Argument passing: RISC-V ABIs Specification 1.0, "Integer Calling Convention", ILP32.

use pennyweight_machine::Arg;

/// Where the arguments of a call go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// a0 to a7.
    pub registers: [u32; 8],
    /// Words from the stack pointer up; a multiple of four, so that SP stays a multiple of 16.
    pub stack: Vec<u32>,
}

/// Lays out arguments: words in a0 to a7 and then on the stack. A 64-bit value takes two of
/// them, not aligned among registers; it may lie in a7 and on the stack, and all on the stack it
/// is aligned to eight bytes.
#[must_use]
pub fn layout(args: &[Arg]) -> Layout {
    let mut layout = Layout::default();
    let mut used = 0;
    for arg in args {
        match *arg {
            Arg::Pointer(word) | Arg::Size(word) => layout.put(&mut used, word),
            Arg::Int(value) => layout.put(&mut used, value as u32),
            Arg::U64(value) => {
                if used == layout.registers.len() && layout.stack.len() % 2 == 1 {
                    layout.stack.push(0);
                }
                layout.put(&mut used, value as u32);
                layout.put(&mut used, (value >> 32) as u32);
            }
        }
    }
    layout.stack.resize(layout.stack.len().next_multiple_of(4), 0);
    layout
}

impl Layout {
    fn put(&mut self, used: &mut usize, word: u32) {
        match self.registers.get_mut(*used) {
            Some(register) => {
                *register = word;
                *used += 1;
            }
            None => self.stack.push(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{layout, Layout};
    use pennyweight_machine::Arg::{Int, Pointer, Size, U64};

    // What gcc 12.2 does with -mabi=ilp32 was looked at for each of these.

    #[test]
    fn words_fill_registers_then_the_stack() {
        let args: Vec<_> = (1..=9).map(Pointer).collect();
        assert_eq!(layout(&args), Layout { registers: [1, 2, 3, 4, 5, 6, 7, 8], stack: vec![9, 0, 0, 0] });
        assert_eq!(layout(&[Int(-1), Size(2)]).registers[..2], [u32::MAX, 2]);
    }

    #[test]
    fn sixty_four_bits_begin_at_any_register() {
        // crypto_aead_encrypt(c, clen, m, mlen, ad, adlen, nsec, npub, k)
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
        assert_eq!(layout(&args), Layout { registers: [1, 2, 3, 4, 5, 6, 7, 8], stack: vec![9, 10, 11, 0] });
    }

    #[test]
    fn sixty_four_bits_are_split_at_the_last_register_and_aligned_on_the_stack() {
        let mut args: Vec<_> = (1..=7).map(Pointer).collect();
        args.extend([U64(8 | 9 << 32), U64(10 | 11 << 32)]);
        assert_eq!(layout(&args), Layout { registers: [1, 2, 3, 4, 5, 6, 7, 8], stack: vec![9, 0, 10, 11] });
    }
}
