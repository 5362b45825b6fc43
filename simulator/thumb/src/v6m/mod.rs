//! ARMv6-M: the Thumb instruction set of Cortex-M0, M0+ and M1.
//!
//! References: ARMv6-M Architecture Reference Manual (Arm DDI 0419), chapters A5 and A6.
//!
//! Encodings that the manual calls UNPREDICTABLE are treated as undefined where no assembler
//! makes them (a branch to PC, an empty register list, CMP with PC), so that a program with one
//! is reported instead of run in one of several possible ways. STM with its base register in the
//! list but not first, whose stored value the manual leaves open, stores the base's old value.

mod decode;
mod decode_wide;
mod execute;
mod flag_use;
pub(crate) mod name;

use pennyweight_machine::FaultKind;

pub(crate) use execute::{execute, interwork, load_multiple, set_sp, sign_byte, sign_half, store_multiple};

use crate::op::{flow, FlagUse, Flow, FlowKind, InstructionSet, ItState, Op, Reason};
use crate::registers::{Flags, Registers};
use crate::system::System;
use pennyweight_memory::bus::DataBus;

/// The operations. Registers are `d`, `n`, `m`; `#` is `imm`. A trailing `S` as in the manual:
/// sets flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Code {
    /// MOVS d, #
    MovsImm,
    /// MOVS d, m
    MovsReg,
    /// LSLS d, m, # (1 to 31)
    LslsImm,
    /// LSRS d, m, # (1 to 32)
    LsrsImm,
    /// ASRS d, m, # (1 to 32)
    AsrsImm,
    /// ADDS d, n, m
    AddsReg,
    /// SUBS d, n, m
    SubsReg,
    /// ADDS d, n, #
    AddsImm,
    /// SUBS d, n, #
    SubsImm,
    /// CMP n, #
    CmpImm,
    /// CMP n, m
    CmpReg,
    /// CMN n, m
    Cmn,
    /// TST n, m
    Tst,
    /// ANDS d, d, m
    Ands,
    /// EORS d, d, m
    Eors,
    /// ORRS d, d, m
    Orrs,
    /// BICS d, d, m
    Bics,
    /// MVNS d, m
    Mvns,
    /// LSLS d, d, m
    LslsReg,
    /// LSRS d, d, m
    LsrsReg,
    /// ASRS d, d, m
    AsrsReg,
    /// RORS d, d, m
    Rors,
    /// ADCS d, d, m
    Adcs,
    /// SBCS d, d, m
    Sbcs,
    /// RSBS d, n, #0
    Rsbs,
    /// MULS d, n, d
    Muls,
    /// MOV d, m; neither is PC, d is not SP
    Mov,
    /// ADD d, d, m; neither is PC, d is not SP
    Add,
    /// d = #: MOV d, PC and ADR
    Constant,
    /// d = d + #: ADD d, PC
    AddConstant,
    /// MOV SP, m
    MovSp,
    /// ADD SP, m
    AddSpReg,
    /// ADD SP, # and SUB SP, # (negative)
    AddSpImm,
    /// ADD d, SP, #
    AddFromSp,
    /// d = the word at address #, known when decoding
    LdrConstant,
    /// LDR d, [#]: a literal whose memory may change
    LdrLiteral,
    /// LDR d, [n, #]
    LdrImm,
    /// LDRH d, [n, #]
    LdrhImm,
    /// LDRB d, [n, #]
    LdrbImm,
    /// STR d, [n, #]
    StrImm,
    /// STRH d, [n, #]
    StrhImm,
    /// STRB d, [n, #]
    StrbImm,
    /// LDR d, [n, m]
    LdrReg,
    /// LDRH d, [n, m]
    LdrhReg,
    /// LDRB d, [n, m]
    LdrbReg,
    /// LDRSH d, [n, m]
    LdrshReg,
    /// LDRSB d, [n, m]
    LdrsbReg,
    /// STR d, [n, m]
    StrReg,
    /// STRH d, [n, m]
    StrhReg,
    /// STRB d, [n, m]
    StrbReg,
    /// LDM n!, {#} or LDM n, {#} when n is in the list
    Ldm,
    /// STM n!, {#}
    Stm,
    /// PUSH {#}
    Push,
    /// POP {#} without PC
    Pop,
    /// POP {#, PC}; the list has bit 15 set
    PopPc,
    /// SXTB d, m
    Sxtb,
    /// SXTH d, m
    Sxth,
    /// UXTB d, m
    Uxtb,
    /// UXTH d, m
    Uxth,
    /// REV d, m
    Rev,
    /// REV16 d, m
    Rev16,
    /// REVSH d, m
    Revsh,
    /// BEQ #
    Beq,
    /// BNE #
    Bne,
    /// BCS #
    Bcs,
    /// BCC #
    Bcc,
    /// BMI #
    Bmi,
    /// BPL #
    Bpl,
    /// BVS #
    Bvs,
    /// BVC #
    Bvc,
    /// BHI #
    Bhi,
    /// BLS #
    Bls,
    /// BGE #
    Bge,
    /// BLT #
    Blt,
    /// BGT #
    Bgt,
    /// BLE #
    Ble,
    /// B #
    B,
    /// BL #
    Bl,
    /// BX m
    Bx,
    /// BLX m
    Blx,
    /// MOV PC, m
    MovPc,
    /// ADD PC, m; # is the PC as the instruction reads it
    AddPc,
    /// MRS d, special register #
    Mrs,
    /// MSR special register #, n
    Msr,
    /// DMB, DSB, ISB
    Barrier,
    /// CPSIE i (# = 0), CPSID i (# = 1)
    Cps,
    /// NOP, YIELD and the unallocated hints
    Nop,
    /// SEV
    Sev,
    /// WFE
    Wfe,
    /// WFI
    Wfi,
    /// SVC, BKPT; # is the encoding
    Trap,
    /// Anything else; # is the encoding
    Undefined,
    /// Where predecoded code ends, or a run is to stop
    Leave,

    // The same without flags, for where nothing reads them: see `flag_use`.
    /// d = n + m
    AddReg,
    /// d = n - m
    SubReg,
    /// d = n + #
    AddImm,
    /// d = m << # (1 to 31)
    LslImm,
    /// d = m >> # (1 to 32), zeros shifted in
    LsrImm,
    /// d = m >> # (1 to 31), signs shifted in
    AsrImm,
    /// d = d << m
    LslReg,
    /// d = d >> m, zeros shifted in
    LsrReg,
    /// d = d rotated right by m
    Ror,
    /// d = d & m
    And,
    /// d = d ^ m
    Eor,
    /// d = d | m
    Orr,
    /// d = d & ~m
    Bic,
    /// d = ~m
    Mvn,
    /// d = n * d
    Mul,
    /// d = -n
    Neg,
    /// d = d + m + C
    Adc,
    /// d = d - m - not C
    Sbc,
}

/// The instruction set.
#[derive(Clone, Copy, Debug)]
pub enum V6m {}

impl InstructionSet for V6m {
    type Code = Code;

    const NAME: &'static str = "armv6-m";
    const LEAVE: Op<Code> = Op::new(Code::Leave, 0);

    fn is_wide(first: u16) -> bool {
        first >> 11 >= 0b11101
    }

    fn decode(first: u16, second: u16, address: u32, _: bool) -> Op<Code> {
        if Self::is_wide(first) {
            decode_wide::decode(first, second, address)
        } else {
            decode::decode(first, address)
        }
    }

    #[inline(always)]
    fn width(op: &Op<Code>) -> u32 {
        match op.code {
            Code::Bl | Code::Mrs | Code::Msr | Code::Barrier => 2,
            Code::Undefined if op.imm > 0xffff => 2,
            _ => 1,
        }
    }

    #[inline(always)]
    fn advance(_: &Op<Code>) -> usize {
        1
    }

    fn block(_: &Op<Code>) -> Option<ItState> {
        None
    }

    fn flags(op: &Op<Code>) -> FlagUse {
        flag_use::flags(op.code)
    }

    fn without_flags(op: &Op<Code>) -> Op<Code> {
        flag_use::without_flags(op)
    }

    fn name(op: &Op<Code>) -> String {
        name::name(op.code)
    }

    fn flow_kind(op: &Op<Code>) -> FlowKind {
        name::flow_kind(op)
    }

    fn is_undefined(op: &Op<Code>) -> bool {
        op.code == Code::Undefined
    }

    fn branches(op: &Op<Code>) -> bool {
        name::branches(op.code)
    }

    fn literal(op: &Op<Code>) -> Option<u32> {
        (op.code == Code::LdrLiteral).then_some(op.imm)
    }

    fn with_literal(op: &Op<Code>, value: u32) -> Op<Code> {
        Op { code: Code::LdrConstant, imm: value, ..*op }
    }

    const FAULTS_WITHIN: bool = false;

    #[inline(always)]
    fn execute<B: DataBus, R: Reason>(
        op: &Op<Code>,
        pc: u32,
        registers: &mut Registers,
        flags: &mut Flags,
        system: &mut System,
        bus: &mut B,
        fault: &mut FaultKind,
    ) -> Flow<R> {
        flow(execute(op, pc, registers, flags, system, bus), fault)
    }
}

/// The 16-bit instruction `word` at `address`.
pub(crate) fn decode_narrow(word: u16, address: u32) -> Op<Code> {
    decode::decode(word, address)
}

/// `op` without the flags that it sets, unless it is a comparison.
pub(crate) fn without_flags(op: &Op<Code>) -> Op<Code> {
    flag_use::without_flags(op)
}

/// An undefined instruction, as an operation.
const fn undefined(encoding: u32) -> Op<Code> {
    Op::new(Code::Undefined, encoding)
}

type Step<R> = Result<Flow<R>, FaultKind>;
