//! What distinguishes the CPUs: the original one here, CPUX in `extended`.

use std::fmt;

use pennyweight_machine::guard::Watch;
use pennyweight_machine::FaultKind;
use pennyweight_memory::timing::{FlashTiming, Models};

use crate::core::Core;
use crate::decode;
use crate::flags::Flags;
use crate::instruction::{Extended, Instruction};
use crate::multiplier::{HardwareMultiplier, Multiplier};
use crate::timing;

/// A register of a CPU, and addresses made of it.
pub trait Register: Copy + Default + Eq + fmt::Debug + Send + Sync + 'static {
    /// How many bits it has.
    const WIDTH: u32;

    /// The register that holds these bits; those that it does not have are lost.
    fn of(bits: u32) -> Self;

    /// Its bits.
    fn bits(self) -> u32;

    /// Its lower 16 bits.
    fn word(self) -> u16;

    /// The sum with a small amount, which may be negative.
    fn plus(self, amount: i16) -> Self;

    /// The address of indexed mode in instructions without an extension word.
    fn indexed(self, distance: u16) -> Self;

    /// The address, if it is in the lower 64 KB, where all memories are.
    fn place(self) -> Option<u16>;
}

/// 16 bits: addresses wrap at 64 KB.
impl Register for u16 {
    const WIDTH: u32 = 16;

    #[inline(always)]
    fn of(bits: u32) -> u16 {
        bits as u16
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self.into()
    }

    #[inline(always)]
    fn word(self) -> u16 {
        self
    }

    #[inline(always)]
    fn plus(self, amount: i16) -> u16 {
        self.wrapping_add_signed(amount)
    }

    #[inline(always)]
    fn indexed(self, distance: u16) -> u16 {
        self.wrapping_add(distance)
    }

    #[inline(always)]
    fn place(self) -> Option<u16> {
        Some(self)
    }
}

/// A CPU: its registers, its instructions and their cycles, and the peripherals that belong to it.
pub trait Cpu: Copy + fmt::Debug + Send + Sync + 'static {
    /// The name of its instruction set and of its timing model in core files.
    const NAME: &'static str;
    /// Its name in sentences, with the article.
    const TITLE: &'static str;
    /// Peripherals and special function registers lie below.
    const PERIPHERALS_END: u32;
    /// The timing models that its flash can have.
    const MODELS: Models;
    /// Does RRC set V if C comes into a positive value? Otherwise it resets V.
    const RRC_OVERFLOWS: bool;
    /// A register.
    type Register: Register;
    /// The hardware multiplier of its parts.
    type Multiplier: HardwareMultiplier;

    /// Decodes the instruction at `address`, which is even, from its first word and those after it.
    fn decode(address: u16, words: [u16; 4]) -> Instruction;

    /// Cycles of an instruction, as far as its encoding gives them.
    fn cycles(instruction: &Instruction) -> u32;

    /// Cycles beyond those, for how often a register has it executed.
    fn repeated(instruction: &Instruction, registers: &[Self::Register; 16], flags: Flags) -> u32;

    /// The bits 19 to 16 of the program counter that RETI finds in the status register on the stack.
    fn page(status: u16) -> u32;

    /// Executes an instruction that only CPUX has; returns the next address.
    ///
    /// # Errors
    /// Its fault.
    fn extended<W: Watch, T: FlashTiming>(
        core: &mut Core<'_, W, T, Self>,
        instruction: &Extended,
        address: u16,
        next: u16,
    ) -> Result<u32, FaultKind>;
}

/// The CPU of the x1xx family.
#[derive(Clone, Copy, Debug)]
pub struct Original;

impl Cpu for Original {
    const NAME: &'static str = "msp430";
    const TITLE: &'static str = "an MSP430";
    /// SLAU049, figure 1-2.
    const PERIPHERALS_END: u32 = 0x0200;
    const MODELS: Models = Models::ZERO_WAIT;
    const RRC_OVERFLOWS: bool = true;
    type Register = u16;
    type Multiplier = Multiplier;

    fn decode(address: u16, [first, second, third, _]: [u16; 4]) -> Instruction {
        decode::decode(address, [first, second, third])
    }

    fn cycles(instruction: &Instruction) -> u32 {
        timing::cycles(instruction)
    }

    #[inline(always)]
    fn repeated(_: &Instruction, _: &[u16; 16], _: Flags) -> u32 {
        0
    }

    #[inline(always)]
    fn page(_: u16) -> u32 {
        0
    }

    fn extended<W: Watch, T: FlashTiming>(
        _: &mut Core<'_, W, T, Self>,
        _: &Extended,
        _: u16,
        _: u16,
    ) -> Result<u32, FaultKind> {
        // Its decoder makes none.
        Err(FaultKind::Undefined { opcode: 0 })
    }
}
