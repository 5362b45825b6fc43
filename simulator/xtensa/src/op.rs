//! Registers, and a decoded instruction, small enough that a cache line holds eight.

use std::ops::{Index, IndexMut};

use crate::core::Options;
use crate::special;

/// An address register: its low four bits count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reg(pub u8);

impl Reg {
    /// The return address.
    pub const A0: Reg = Reg(0);
    /// The stack pointer.
    pub const SP: Reg = Reg(1);
    /// The first argument and the result.
    pub const A2: Reg = Reg(2);
    /// None: equal to no register that an instruction names.
    pub const NONE: Reg = Reg(0xff);
}

/// a0 to a15.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers([u32; 16]);

impl Registers {
    /// In fours: what windows move by.
    pub fn fours_mut(&mut self) -> &mut [[u32; 4]] {
        self.0.as_chunks_mut().0
    }
}

impl Index<Reg> for Registers {
    type Output = u32;

    #[inline(always)]
    fn index(&self, reg: Reg) -> &u32 {
        &self.0[usize::from(reg.0 & 15)]
    }
}

impl IndexMut<Reg> for Registers {
    #[inline(always)]
    fn index_mut(&mut self, reg: Reg) -> &mut u32 {
        &mut self.0[usize::from(reg.0 & 15)]
    }
}

/// The operations, named as in the manual. Registers are `d` (destination), `s` and `t` (sources);
/// `#` is `imm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Code {
    /// d = #: MOVI, MOVI.N
    Constant,
    /// d = s: MOV.N
    Move,
    /// d = s + #: ADDI, ADDI.N, ADDMI
    Addi,
    Add,
    Addx2,
    Addx4,
    Addx8,
    Sub,
    Subx2,
    Subx4,
    Subx8,
    And,
    Or,
    Xor,
    /// d = -t
    Neg,
    /// d = |t|
    Abs,
    /// d = s << #
    Slli,
    /// d = t >> #, zeros shifted in
    Srli,
    /// d = t >> #, signs shifted in
    Srai,
    /// d = t >> (# & 31), then # >> 5 bits of it
    Extui,
    Sll,
    Srl,
    Sra,
    Src,
    Ssr,
    Ssl,
    Ssa8l,
    Ssa8b,
    Ssai,
    Nsa,
    Nsau,
    Mul16u,
    Mul16s,
    Mull,
    Muluh,
    Mulsh,
    Quou,
    Quos,
    Remu,
    Rems,
    Min,
    Max,
    Minu,
    Maxu,
    /// d = s, sign-extended from bit #
    Sext,
    /// d = s, clamped to # + 1 bits
    Clamps,
    Moveqz,
    Movnez,
    Movltz,
    Movgez,
    L8ui,
    L16ui,
    L16si,
    L32i,
    S8i,
    S16i,
    S32i,
    /// d = the word at address #
    L32r,
    /// sp = the word at address #
    L32rSp,
    /// sp = s + #: ADDI and MOV with sp as destination
    AddiSp,
    /// Any other instruction that writes sp; # is its encoding
    OtherSp,
    Beqz,
    Bnez,
    Bltz,
    Bgez,
    /// d is an index into the constants
    Beqi,
    Bnei,
    Blti,
    Bgei,
    Bltui,
    Bgeui,
    Beq,
    Bne,
    Blt,
    Bge,
    Bltu,
    Bgeu,
    Bany,
    Bnone,
    Ball,
    Bnall,
    /// The bit's number is in register t
    Bbc,
    Bbs,
    /// The bit's number is d
    Bbci,
    Bbsi,
    J,
    /// To register s: JX, RET, RET.N
    Jx,
    Call0,
    Callx0,
    RsrSar,
    WsrSar,
    XsrSar,
    /// The cycle count, which the run loop knows
    RsrCcount,
    /// The loop's count is in register s, its end is #
    Loop,
    Loopnez,
    Loopgtz,
    /// One of [`crate::special`]; # is its encoding
    Special,
    /// Barriers and NOP
    Nop,
    /// SYSCALL, SIMCALL, BREAK; # is the encoding
    Trap,
    Waiti,
    /// Anything else; # is the encoding
    Undefined,

    /// Not an instruction: some loop ends in front of address #
    LoopEnd,
    /// Not an instruction: code continues at address # elsewhere in the table
    GoOn,
    /// Not an instruction: decoded code ends, or a run is to stop
    Leave,
}

/// One decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// What to do.
    pub code: Code,
    /// Destination, or a small number.
    pub d: Reg,
    /// First source, base address.
    pub s: Reg,
    /// Second source, stored value.
    pub t: Reg,
    /// Immediate, target address, encoding: by `code`.
    pub imm: u32,
}

impl Op {
    /// An operation on no register.
    #[must_use]
    pub const fn new(code: Code, imm: u32) -> Self {
        Op { code, d: Reg(0), s: Reg(0), t: Reg(0), imm }
    }

    /// Does code in a straight line end here?
    #[must_use]
    pub fn ends_line(&self) -> bool {
        match self.code {
            Code::J | Code::Jx | Code::Undefined => true,
            Code::Special => special::decode(self.imm, Options::ALL).is_some_and(|it| it.ends_line()),
            _ => false,
        }
    }
}

/// What an instruction does to the flow of control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// On to the next instruction.
    Next,
    /// To `imm`.
    Taken,
    /// To this address.
    To(u32),
    /// To this address; the run loop puts the return address into a0.
    Call(u32),
    /// RSR.CCOUNT: the run loop knows.
    Ccount,
    /// LOOP, LOOPNEZ, LOOPGTZ: the run loop sets the loop up.
    Loop,
    /// One of [`crate::special`].
    Special,
    /// A loop may end here: no instruction.
    LoopEnd,
    /// Code continues at `imm`: no instruction.
    GoOn,
    /// The decoded code ends, or the run is to stop here: no instruction.
    Leave,
    /// The core stops; the reason is stored separately, so that
    /// this fits into two of the host's registers.
    Fault,
}
