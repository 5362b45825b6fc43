//! The cycles that the two ARMv6-M cores have in common: their manuals' tables 3-1 differ only in
//! what refills the pipeline, and by the same number in the system instructions.

use pennyweight_machine::{BoardError, Parameters};

use crate::op::Op;
use crate::v6m::Code;

/// Cycles of MULS: who makes the part chooses the fast multiplier or the small one (both tables).
pub(super) fn multiply(parameters: &mut Parameters<'_>) -> Result<u32, BoardError> {
    parameters.choice("multiply", 1, &[1, 32], "the cycles of MULS")
}

/// Cycles of an instruction on a core that takes `refill` cycles more where the flow of control goes
/// elsewhere, and `multiply` for a multiplication; of a conditional branch when it is not taken.
pub(super) fn cycles(op: &Op<Code>, refill: u32, multiply: u32) -> u32 {
    match op.code {
        // Decoding counts before it replaces operations by those without flags.
        Code::Muls | Code::Mul => multiply,
        Code::LdrConstant
        | Code::LdrLiteral
        | Code::LdrImm
        | Code::LdrhImm
        | Code::LdrbImm
        | Code::StrImm
        | Code::StrhImm
        | Code::StrbImm
        | Code::LdrReg
        | Code::LdrhReg
        | Code::LdrbReg
        | Code::LdrshReg
        | Code::LdrsbReg
        | Code::StrReg
        | Code::StrhReg
        | Code::StrbReg => 2,
        // N counts the registers of the list.
        Code::Ldm | Code::Stm | Code::Push | Code::Pop => 1 + op.imm.count_ones(),
        // N counts PC too.
        Code::PopPc => 2 + refill + op.imm.count_ones(),
        Code::B | Code::Bx | Code::Blx | Code::MovPc | Code::AddPc => 1 + refill,
        Code::Bl | Code::Mrs | Code::Msr | Code::Barrier => 2 + refill,
        Code::Wfe => 2,
        // Never executed to the end.
        Code::Wfi | Code::Trap | Code::Undefined | Code::Leave => 0,
        _ => 1,
    }
}
