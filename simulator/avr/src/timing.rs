//! Core timing: how many cycles each instruction takes, apart from what it does.
//!
//! A core's table is asked once, when flash is decoded; the costs are then summed along each stretch
//! of straight-line code (see `program`), so that timing costs nothing per executed instruction.

use crate::decode::Variant;
use crate::op::Code;

/// Bytes of flash that Z alone reaches; a part with more has RAMPZ.
const LOW_FLASH: usize = 1 << 16;

/// A core: one column of the cycle tables in the instruction set manual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// AVRe+ with a 16-bit program counter: ATmega328P, ATmega128.
    AvrePlus,
    /// AVRxt with a 16-bit program counter: ATmega4809 and its siblings.
    AvrXt,
}

impl Core {
    /// The core that a board file names.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Core> {
        match name {
            "avre+" => Some(Core::AvrePlus),
            "avrxt" => Some(Core::AvrXt),
            _ => None,
        }
    }

    /// Cycles of an instruction if it neither branches nor skips.
    ///
    /// A taken branch takes [`TAKEN`] more, a skip one more for each word skipped.
    #[must_use]
    pub fn cycles(self, code: Code) -> u32 {
        match self {
            Core::AvrePlus => avre_plus(code),
            Core::AvrXt => avr_xt(code),
        }
    }

    /// How words become instructions on a part with that many bytes of flash.
    #[must_use]
    pub fn variant(self, flash: usize) -> Variant {
        let io = if self.maps_registers() { 0x20 } else { 0 };
        Variant { extended: flash > LOW_FLASH, io }
    }

    /// Do data-space addresses 0 to 0x1f reach the registers? On AVRxt they are I/O (DS40002198,
    /// section 2; ATmega4809's datasheet, DS40002173, section 6.4).
    #[must_use]
    pub fn maps_registers(self) -> bool {
        self == Core::AvrePlus
    }
}

/// What a conditional branch takes more when it branches, on every core.
pub const TAKEN: u32 = 1;

/// What a load from flash through data space takes more than one from SRAM (AVRxt only). DS40002198,
/// at LD, LDD, LDS and POP: their cycles hold for internal RAM, and an access to non-volatile memory
/// takes at least one more.
pub const FROM_FLASH: u64 = 1;

/// DS40002198, chapter 6 "Appendix A", column AVRe; the same figures stand in the instruction set
/// summaries of the ATmega328P (DS40002061) and of the ATmega128 (doc2467).
fn avre_plus(code: Code) -> u32 {
    match code {
        Code::Outside | Code::Undefined | Code::Stop => 0,
        Code::Adiw | Code::Sbiw => 2,
        Code::Mul | Code::Muls | Code::Mulsu | Code::Fmul | Code::Fmuls | Code::Fmulsu => 2,
        Code::Ld | Code::LdInc | Code::LdDec | Code::Lds => 2,
        Code::St | Code::StInc | Code::StDec | Code::Sts => 2,
        Code::Push | Code::Pop | Code::Sbi | Code::Cbi => 2,
        Code::Lpm | Code::LpmInc | Code::Elpm | Code::ElpmInc => 3,
        Code::Rjmp | Code::Ijmp => 2,
        Code::Jmp | Code::Rcall | Code::Icall => 3,
        Code::Call | Code::Ret | Code::Reti => 4,
        _ => 1,
    }
}

/// The same appendix, column AVRxt, for a 16-bit program counter: where it differs from AVRe.
fn avr_xt(code: Code) -> u32 {
    match code {
        Code::St | Code::StInc | Code::StDec | Code::Push | Code::Sbi | Code::Cbi => 1,
        Code::Lds => 3,
        Code::Rcall | Code::Icall => 2,
        Code::Call => 3,
        _ => avre_plus(code),
    }
}
