//! Argument passing: System V ABI, MIPS RISC Processor Supplement, "Function Calling Sequence" (o32).

use pennyweight_machine::Arg;

/// Words of arguments as they would lie on the stack; those of the first four go to a0 to a3, and
/// their places on the stack are the callee's. A 64-bit value begins at an even word. A multiple of
/// two words, at least four, so that the stack pointer stays a multiple of 8.
#[must_use]
pub fn layout(args: &[Arg]) -> Vec<u32> {
    let mut words = Vec::new();
    for arg in args {
        match *arg {
            Arg::Pointer(word) | Arg::Size(word) => words.push(word),
            Arg::Int(value) => words.push(value as u32),
            Arg::U64(value) => {
                if words.len() % 2 == 1 {
                    words.push(0);
                }
                words.extend([value as u32, (value >> 32) as u32]);
            }
        }
    }
    words.resize(words.len().next_multiple_of(2).max(4), 0);
    words
}

#[cfg(test)]
mod tests {
    use super::layout;
    use pennyweight_machine::Arg::{Int, Pointer, U64};

    #[test]
    fn sixty_four_bits_are_aligned() {
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
        assert_eq!(layout(&args), [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 10, 11, 0]);
        assert_eq!(layout(&[Int(-1)]), [u32::MAX, 0, 0, 0]);
    }
}
