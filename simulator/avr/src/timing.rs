//! Core timing: how many cycles each instruction takes, apart from what it does.
//!
//! A core's table is asked once, when flash is decoded; the costs are then summed along each stretch
//! of straight-line code (see `program`), so that timing costs nothing per executed instruction.

use crate::op::Code;

/// A core: one column of the cycle tables in the instruction set manual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// AVRe+ with a 16-bit program counter: ATmega328P, ATmega128.
    AvrePlus,
}

impl Core {
    /// The core that a board file names.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Core> {
        match name {
            "avre+" => Some(Core::AvrePlus),
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
        }
    }
}

/// What a conditional branch takes more when it branches, on every core.
pub const TAKEN: u32 = 1;

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
