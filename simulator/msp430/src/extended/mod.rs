//! MSP430X: CPUX with its 20-bit registers (MSP430FR58xx, MSP430FR59xx, and MSP430FR6xx Family User's
//! Guide, SLAU367, chapter 4), in the form of its second version, CPUXV2.
//!
//! Registers have 20 bits. Instructions of the original CPU act on the lower 8 or 16 and clear those above,
//! so they run as the same ops. What CPUX adds, `execute` does in the general way.

pub mod alu;
pub mod decode;
pub mod execute;
pub mod instruction;
pub mod timing;

use pennyweight_machine::guard::Watch;
use pennyweight_machine::FaultKind;
use pennyweight_memory::timing::{FlashTiming, Models};

use crate::core::Core;
use crate::cpu::{Cpu, Register};
use crate::flags::Flags;
use crate::instruction::{Extended, Instruction, Kind};
use crate::multiplier32::Multiplier32;

/// The bits of a register.
pub const MASK: u32 = 0xf_ffff;

/// 20 bits.
impl Register for u32 {
    const WIDTH: u32 = 20;

    #[inline(always)]
    fn of(bits: u32) -> u32 {
        bits & MASK
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self
    }

    #[inline(always)]
    fn word(self) -> u16 {
        self as u16
    }

    #[inline(always)]
    fn plus(self, amount: i16) -> u32 {
        self.wrapping_add_signed(amount.into()) & MASK
    }

    /// Sections 4.4.2.1 and 4.4.2.2: from the lower 64 KB the sum stays there; above, the distance is
    /// signed.
    #[inline(always)]
    fn indexed(self, distance: u16) -> u32 {
        if self <= 0xffff {
            (self + u32::from(distance)) & 0xffff
        } else {
            self.plus(distance as i16)
        }
    }

    #[inline(always)]
    fn place(self) -> Option<u16> {
        u16::try_from(self).ok()
    }
}

/// CPUX.
#[derive(Clone, Copy, Debug)]
pub struct Cpux;

impl Cpu for Cpux {
    const NAME: &'static str = "msp430x";
    const TITLE: &'static str = "an MSP430X";
    /// MSP430FR599x datasheet (SLASE54), table "Memory Organization".
    const PERIPHERALS_END: u32 = 0x1000;
    const MODELS: Models = Models::ZERO_WAIT.union(Models::ASSOCIATIVE_CACHE);
    /// Table 4-5.
    const RRC_OVERFLOWS: bool = false;
    type Register = u32;
    type Multiplier = Multiplier32;

    fn decode(address: u16, words: [u16; 4]) -> Instruction {
        decode::decode(address, words)
    }

    fn cycles(instruction: &Instruction) -> u32 {
        timing::cycles(instruction)
    }

    #[inline(always)]
    fn repeated(instruction: &Instruction, registers: &[u32; 16], flags: Flags) -> u32 {
        match instruction.kind {
            Kind::Extended(extended) => timing::repeated(&extended, registers, flags),
            _ => 0,
        }
    }

    /// Section 4.2: bits 15 to 12.
    #[inline(always)]
    fn page(status: u16) -> u32 {
        u32::from(status >> 12) << 16
    }

    fn extended<W: Watch, T: FlashTiming>(
        core: &mut Core<'_, W, T, Self>,
        instruction: &Extended,
        address: u16,
        next: u16,
    ) -> Result<u32, FaultKind> {
        execute::extended(core, instruction, address, next)
    }
}
