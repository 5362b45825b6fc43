//! Registers, and a decoded instruction.

use std::ops::{Index, IndexMut};

/// A general register; 32 takes what is written to register 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reg(pub u8);

impl Reg {
    /// Always 0.
    pub const ZERO: Reg = Reg(0);
    /// The result.
    pub const V0: Reg = Reg(2);
    /// The first argument.
    pub const A0: Reg = Reg(4);
    /// The stack pointer.
    pub const SP: Reg = Reg(29);
    /// Where comparisons of 16-bit code leave their result (r24, there named T).
    pub const T: Reg = Reg(24);
    /// The return address.
    pub const RA: Reg = Reg(31);
    /// Nothing reads it.
    pub const SINK: Reg = Reg(32);
}

/// r0 to r31, and a place for what is written to r0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers([u32; 64]);

impl Default for Registers {
    fn default() -> Self {
        Registers([0; 64])
    }
}

impl Index<Reg> for Registers {
    type Output = u32;

    #[inline(always)]
    fn index(&self, reg: Reg) -> &u32 {
        &self.0[usize::from(reg.0 & 63)]
    }
}

impl IndexMut<Reg> for Registers {
    #[inline(always)]
    fn index_mut(&mut self, reg: Reg) -> &mut u32 {
        &mut self.0[usize::from(reg.0 & 63)]
    }
}

/// The operations, named as in the manual; `d` is the destination, `s` and `t` are `rs` and `rt`, `#`
/// is `imm`. Where an immediate form differs in nothing else, it ends in I.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Code {
    /// d = #: LUI, and ADDIU or ORI from register 0
    Constant,
    Addu,
    Addiu,
    /// With a trap on overflow
    Add,
    Addi,
    Subu,
    Sub,
    And,
    Andi,
    Or,
    Ori,
    Xor,
    Xori,
    Nor,
    Slt,
    Slti,
    Sltu,
    Sltiu,
    /// Shifts of t by #
    Sll,
    Srl,
    Sra,
    Rotr,
    /// Shifts of t by s
    Sllv,
    Srlv,
    Srav,
    Rotrv,
    Clz,
    Clo,
    Seb,
    Seh,
    Wsbh,
    /// d = bits of s: # is position and, from bit 8 on, number
    Ext,
    /// Bits of d = s: # as for Ext
    Ins,
    Movz,
    Movn,
    Mul,
    Mult,
    Multu,
    Madd,
    Maddu,
    Msub,
    Msubu,
    Div,
    Divu,
    Mfhi,
    Mflo,
    Mthi,
    Mtlo,
    Lb,
    Lbu,
    Lh,
    Lhu,
    Lw,
    Lwl,
    Lwr,
    Ll,
    Sb,
    Sh,
    Sw,
    Swl,
    Swr,
    Sc,
    /// Branches to #
    Beq,
    Bne,
    Blez,
    Bgtz,
    Bltz,
    Bgez,
    Bltzal,
    Bgezal,
    /// Branches that skip their delay slot if not taken
    Beql,
    Bnel,
    Blezl,
    Bgtzl,
    Bltzl,
    Bgezl,
    Bltzall,
    Bgezall,
    J,
    Jal,
    /// To code of the other size
    Jalx,
    Jr,
    Jalr,
    /// 16-bit code's way into and out of functions; # is a [`crate::frame::Frame`]
    Save,
    Restore,
    /// Traps if s and t, or s and #, compare so
    Tge,
    Tgei,
    Tgeu,
    Tgeiu,
    Tlt,
    Tlti,
    Tltu,
    Tltiu,
    Teq,
    Teqi,
    Tne,
    Tnei,
    /// SYNC, PREF
    Nop,
    /// SYSCALL, BREAK, SDBBP; # is the encoding
    Trap,
    Wait,
    /// d = Status, whose lowest bit is set if interrupts are on; Status = t
    FromStatus,
    ToStatus,
    /// d = Status, then interrupts off, on
    Di,
    Ei,
    /// Anything else; # is the encoding
    Undefined,
}

impl Code {
    /// Is a delay slot behind it?
    #[must_use]
    pub fn branches(self) -> bool {
        use Code::{
            Beq, Beql, Bgez, Bgezal, Bgezall, Bgezl, Bgtz, Bgtzl, Blez, Blezl, Bltz, Bltzal, Bltzall, Bltzl,
            Bne, Bnel, Jal, Jalr, Jalx, Jr, J,
        };
        matches!(
            self,
            Beq | Bne
                | Blez
                | Bgtz
                | Bltz
                | Bgez
                | Bltzal
                | Bgezal
                | Beql
                | Bnel
                | Blezl
                | Bgtzl
                | Bltzl
                | Bgezl
                | Bltzall
                | Bgezall
                | J
                | Jal
                | Jalx
                | Jr
                | Jalr
        )
    }
}

/// What makes an instruction's cost differ from one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// One cycle.
    Integer,
    /// A load: its result comes late.
    Load,
    /// MUL
    Mul,
    /// MULT to MSUBU
    Multiply,
    /// DIV
    Divide,
    /// DIVU
    DivideUnsigned,
    /// MFHI, MFLO
    FromHighLow,
    /// MTHI, MTLO
    ToHighLow,
    /// SAVE
    Save,
    /// RESTORE
    Restore,
}

/// One decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// What to do.
    pub code: Code,
    /// Destination.
    pub d: Reg,
    /// rs
    pub s: Reg,
    /// rt
    pub t: Reg,
    /// Immediate, target address, encoding: by `code`.
    pub imm: u32,
    /// What it costs.
    pub unit: Unit,
}

impl Op {
    /// An operation on no register.
    #[must_use]
    pub const fn new(code: Code, imm: u32) -> Self {
        Op { code, d: Reg::SINK, s: Reg::ZERO, t: Reg::ZERO, imm, unit: Unit::Integer }
    }
}

/// What an instruction does to the flow of control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// On to the next instruction.
    Next,
    /// To this address, behind the delay slot.
    To(u32),
    /// The delay slot is skipped.
    Skip,
    /// The core stops; the reason is stored separately, so that
    /// this fits into two of the host's registers.
    Fault,
}
