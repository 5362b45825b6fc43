//! Which flags an operation reads and sets, and what it is without them.
//!
//! Nearly every Thumb instruction sets flags, and nearly none is ever read: half of the work
//! of an addition would be for nothing. Where the instructions that follow in a straight line set
//! the same flags again before any reads them, the operation without flags takes the instruction's place.

use super::Code;
use crate::op::flag_set::{ALL, C, NZ};
use crate::op::{FlagUse, Op};

/// What `code` does with the flags.
pub fn flags(code: Code) -> FlagUse {
    let uses = |reads, writes| FlagUse { reads, writes, keeps: 0 };
    match code {
        Code::AddsReg
        | Code::SubsReg
        | Code::AddsImm
        | Code::SubsImm
        | Code::CmpImm
        | Code::CmpReg
        | Code::Cmn
        | Code::Rsbs => uses(0, ALL),
        Code::Adcs | Code::Sbcs => uses(C, ALL),
        Code::LslsImm | Code::LsrsImm | Code::AsrsImm => uses(0, NZ | C),
        // By 0 they leave the carry.
        Code::LslsReg | Code::LsrsReg | Code::AsrsReg | Code::Rors => {
            FlagUse { reads: 0, writes: NZ | C, keeps: C }
        }
        Code::MovsImm
        | Code::MovsReg
        | Code::Tst
        | Code::Ands
        | Code::Eors
        | Code::Orrs
        | Code::Bics
        | Code::Mvns
        | Code::Muls => uses(0, NZ),
        Code::Mov
        | Code::Add
        | Code::Constant
        | Code::AddConstant
        | Code::MovSp
        | Code::AddSpReg
        | Code::AddSpImm
        | Code::AddFromSp
        | Code::LdrConstant
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
        | Code::StrbReg
        | Code::Ldm
        | Code::Stm
        | Code::Push
        | Code::Pop
        | Code::Sxtb
        | Code::Sxth
        | Code::Uxtb
        | Code::Uxth
        | Code::Rev
        | Code::Rev16
        | Code::Revsh
        | Code::Barrier
        | Code::Cps
        | Code::Nop
        | Code::Sev => uses(0, 0),
        Code::Adc | Code::Sbc => uses(C, 0),
        code if code as u8 > Code::Leave as u8 => uses(0, 0),
        // Branches, whose targets may read anything, MRS, MSR, and what ends a run.
        _ => uses(ALL, 0),
    }
}

/// `op` without the flags that it sets; itself if it has no such form.
pub fn without_flags(op: &Op<Code>) -> Op<Code> {
    let to = |code| Op { code, ..*op };
    match op.code {
        Code::MovsImm => to(Code::Constant),
        Code::MovsReg => to(Code::Mov),
        Code::LslsImm => to(Code::LslImm),
        Code::LsrsImm => to(Code::LsrImm),
        Code::AsrsImm => Op { imm: op.imm.min(31), ..to(Code::AsrImm) },
        Code::AddsReg => to(Code::AddReg),
        Code::SubsReg => to(Code::SubReg),
        Code::AddsImm => to(Code::AddImm),
        Code::SubsImm => Op { imm: op.imm.wrapping_neg(), ..to(Code::AddImm) },
        Code::Ands => to(Code::And),
        Code::Eors => to(Code::Eor),
        Code::Orrs => to(Code::Orr),
        Code::Bics => to(Code::Bic),
        Code::Mvns => to(Code::Mvn),
        Code::Muls => to(Code::Mul),
        Code::LslsReg => to(Code::LslReg),
        Code::LsrsReg => to(Code::LsrReg),
        Code::Rors => to(Code::Ror),
        Code::Adcs => to(Code::Adc),
        Code::Sbcs => to(Code::Sbc),
        Code::Rsbs => to(Code::Neg),
        _ => *op,
    }
}

#[cfg(test)]
mod tests {
    use super::{flags, without_flags};
    use crate::op::flag_set::NZ;
    use crate::op::{InstructionSet as _, Op};
    use crate::v6m::{Code, V6m};

    #[test]
    fn an_operation_without_flags_sets_none_and_reads_no_others() {
        for word in 0..0xe800 {
            let op = V6m::decode(word, 0, 0x100, false);
            let replaced = without_flags(&op);
            if replaced != op {
                assert_eq!(flags(replaced.code).writes, 0, "{op:?}");
                assert_eq!(flags(replaced.code).reads, flags(op.code).reads, "{op:?}");
                assert_ne!(flags(op.code).writes & NZ, 0, "{op:?}");
                assert_eq!((replaced.d, replaced.n, replaced.m), (op.d, op.n, op.m));
            }
        }
        assert_eq!(without_flags(&Op::new(Code::CmpImm, 0)).code, Code::CmpImm);
    }
}
