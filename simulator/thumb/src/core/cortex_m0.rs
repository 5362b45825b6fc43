//! Cortex-M0 r0p0: Technical Reference Manual (Arm DDI 0432), section 3.3, table 3-1, with the
//! single-cycle multiplier.

use super::Core;
use crate::op::Op;
use crate::v6m::{Code, V6m};

/// The core of the STM32F0.
#[derive(Clone, Copy, Debug)]
pub enum CortexM0 {}

impl Core for CortexM0 {
    type Set = V6m;

    const NAME: &'static str = "cortex-m0";

    /// A branch takes 1 cycle when not taken and 3 when taken.
    const TAKEN: u32 = 2;

    fn cycles(op: &Op<Code>) -> u32 {
        match op.code {
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
            Code::PopPc => 4 + op.imm.count_ones(),
            Code::B | Code::Bx | Code::Blx | Code::MovPc | Code::AddPc => 3,
            Code::Bl | Code::Mrs | Code::Msr | Code::Barrier => 4,
            Code::Wfe => 2,
            // Never executed to the end.
            Code::Wfi | Code::Trap | Code::Undefined | Code::Leave => 0,
            _ => 1,
        }
    }
}
