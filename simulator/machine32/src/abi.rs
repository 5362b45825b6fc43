//! Argument passing on 32-bit cores: how their calling conventions differ.

use pennyweight_machine::{Arg, BoardError, CoreFile};

/// Where a 64-bit value may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairs {
    /// At an even word: a register with an even place among the argument registers, or a multiple of 8.
    Even,
    /// At any register, where it may be split between the last one and the stack; on the stack at a
    /// multiple of 8.
    EvenOnStack,
    /// Anywhere, split between the last register and the stack where it has to be.
    Anywhere,
}

/// A calling convention, as far as integers and pointers are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abi {
    /// Its name.
    pub name: &'static str,
    /// Registers that take arguments, in order; an even number.
    pub registers: usize,
    /// Where 64-bit values begin.
    pub pairs: Pairs,
    /// Does the stack also have space for the arguments that are passed in registers?
    pub home: bool,
    /// Alignment of the stack pointer at a call, in bytes.
    pub stack_alignment: u32,
}

/// Procedure Call Standard for the Arm Architecture (AAPCS32), section 6.5, base standard.
pub const AAPCS: Abi =
    Abi { name: "aapcs", registers: 4, pairs: Pairs::Even, home: false, stack_alignment: 8 };

/// RISC-V ABIs Specification 1.0, "Integer Calling Convention", ILP32.
pub const ILP32: Abi =
    Abi { name: "ilp32", registers: 8, pairs: Pairs::EvenOnStack, home: false, stack_alignment: 16 };

/// The same, ILP32E: for RV32E, with a stack aligned to words.
pub const ILP32E: Abi =
    Abi { name: "ilp32e", registers: 6, pairs: Pairs::Anywhere, home: false, stack_alignment: 4 };

/// System V ABI, MIPS RISC Processor Supplement, "Function Calling Sequence" (o32): the callee owns the
/// stack slots of the arguments that are passed in registers.
pub const O32: Abi = Abi { name: "o32", registers: 4, pairs: Pairs::Even, home: true, stack_alignment: 8 };

/// Xtensa: the call0 ABI (ISA Reference Manual, 8.1.2), as gcc has it (`config/xtensa/xtensa.cc`,
/// `xtensa_function_arg`). The windowed ABI passes the same words.
pub const CALL0: Abi =
    Abi { name: "call0", registers: 6, pairs: Pairs::Even, home: false, stack_alignment: 16 };

/// All of them.
const ALL: [&Abi; 5] = [&AAPCS, &ILP32, &ILP32E, &O32, &CALL0];

/// Where the arguments of a call go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    /// All argument registers, in order; 0 where there is no argument.
    pub registers: Vec<u32>,
    /// Words from the stack pointer up, padded to its alignment.
    pub stack: Vec<u32>,
}

impl Abi {
    /// The one that a core's file names, if it is among `known`.
    ///
    /// # Errors
    /// It is not.
    pub fn of_core(core: &CoreFile, known: &[&str]) -> Result<&'static Abi, BoardError> {
        let name = core.one_of("abi", &core.abi, known)?;
        let found = ALL.into_iter().find(|abi| abi.name == name);
        found.ok_or_else(|| core.error("abi", &format!("is {name:?}, which no 32-bit core has; correct it")))
    }

    /// Lays out arguments: words in registers and then on the stack.
    #[must_use]
    pub fn layout(&self, args: &[Arg]) -> Arguments {
        let mut words: Vec<u32> = Vec::new();
        for arg in args {
            match *arg {
                Arg::Pointer(word) | Arg::Size(word) => words.push(word),
                Arg::Int(value) => words.push(value as u32),
                Arg::U64(value) => {
                    let aligned = match self.pairs {
                        Pairs::Even => true,
                        Pairs::EvenOnStack => words.len() >= self.registers,
                        Pairs::Anywhere => false,
                    };
                    if aligned && words.len() % 2 == 1 {
                        words.push(0);
                    }
                    words.extend([value as u32, (value >> 32) as u32]);
                }
            }
        }
        words.resize(words.len().max(self.registers), 0);
        let registers = words[..self.registers].to_vec();
        let mut stack = if self.home { words } else { words.split_off(self.registers) };
        stack.resize(stack.len().next_multiple_of(self.stack_alignment as usize / 4), 0);
        Arguments { registers, stack }
    }
}

#[cfg(test)]
mod tests {
    use super::{Abi, AAPCS, CALL0, ILP32, ILP32E, O32};
    use pennyweight_machine::Arg::{self, Int, Pointer, Size, U64};

    /// crypto_aead_encrypt(c, clen, m, mlen, ad, adlen, nsec, npub, k)
    fn encrypt() -> Vec<Arg> {
        let (m, ad) = ([Pointer(3), U64(4 | 5 << 32)], [Pointer(6), U64(7 | 8 << 32)]);
        [&[Pointer(1), Pointer(2)][..], &m, &ad, &[Pointer(9), Pointer(10), Pointer(11)]].concat()
    }

    #[track_caller]
    fn check(abi: Abi, args: &[Arg], registers: &[u32], stack: &[u32]) {
        let found = abi.layout(args);
        assert_eq!((found.registers.as_slice(), found.stack.as_slice()), (registers, stack));
        assert_eq!(4 * found.stack.len() as u32 % abi.stack_alignment, 0);
    }

    #[test]
    fn aapcs_aligns_pairs_and_never_splits_them() {
        let five = [Pointer(1), Size(2), Int(-1), Pointer(4), Size(5)];
        check(AAPCS, &five, &[1, 2, u32::MAX, 4], &[5, 0]);
        check(AAPCS, &encrypt(), &[1, 2, 3, 0], &[4, 5, 6, 0, 7, 8, 9, 10, 11, 0]);
        check(AAPCS, &[Int(9), U64(1 << 32)], &[9, 0, 0, 1], &[]);
    }

    // Each case was compared with the code of gcc 12.2 with -mabi=ilp32.
    #[test]
    fn ilp32_splits_pairs_at_the_last_register_and_aligns_them_on_the_stack() {
        let nine: Vec<_> = (1..=9).map(Pointer).collect();
        check(ILP32, &nine, &[1, 2, 3, 4, 5, 6, 7, 8], &[9, 0, 0, 0]);
        check(ILP32, &[Int(-1), Size(2)], &[u32::MAX, 2, 0, 0, 0, 0, 0, 0], &[]);
        check(ILP32, &encrypt(), &[1, 2, 3, 4, 5, 6, 7, 8], &[9, 10, 11, 0]);
        let mut args: Vec<_> = (1..=7).map(Pointer).collect();
        args.extend([U64(8 | 9 << 32), U64(10 | 11 << 32)]);
        check(ILP32, &args, &[1, 2, 3, 4, 5, 6, 7, 8], &[9, 0, 10, 11]);
    }

    #[test]
    fn ilp32e_has_six_registers_and_aligns_nothing() {
        check(ILP32E, &encrypt(), &[1, 2, 3, 4, 5, 6], &[7, 8, 9, 10, 11]);
        let mut args: Vec<_> = (1..=7).map(Pointer).collect();
        args.push(U64(8 | 9 << 32));
        check(ILP32E, &args, &[1, 2, 3, 4, 5, 6], &[7, 8, 9]);
    }

    #[test]
    fn o32_leaves_room_for_what_is_in_registers() {
        check(O32, &encrypt(), &[1, 2, 3, 0], &[1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 10, 11, 0]);
        check(O32, &[Int(-1)], &[u32::MAX, 0, 0, 0], &[u32::MAX, 0, 0, 0]);
    }

    // Compared with the code of gcc 12.2.
    #[test]
    fn call0_has_six_registers() {
        check(CALL0, &encrypt(), &[1, 2, 3, 0, 4, 5], &[6, 0, 7, 8, 9, 10, 11, 0]);
        check(CALL0, &[Int(-1)], &[u32::MAX, 0, 0, 0, 0, 0], &[]);
    }
}
