//! Which extensions beyond its base a part has.

use crate::op::{Code, Frame, Op};
use crate::registers::Reg;

/// The base, and those of these extensions that the part has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extensions {
    /// RV32E: no registers but x0 to x15.
    pub embedded: bool,
    /// M: multiplication and division.
    pub m: bool,
    /// A: atomic memory operations.
    pub a: bool,
    /// C: compressed instructions.
    pub c: bool,
    /// Zicsr: control and status registers.
    pub zicsr: bool,
    /// Zifencei: FENCE.I.
    pub zifencei: bool,
    /// Zba: shift and add.
    pub zba: bool,
    /// Zbb: basic bit manipulation.
    pub zbb: bool,
    /// Zbkb: bit manipulation for cryptography.
    pub zbkb: bool,
    /// Zbs: single bits.
    pub zbs: bool,
    /// Zcb: more compressed instructions; those of instructions of other extensions need these too.
    pub zcb: bool,
    /// Zcmp: compressed instructions that push, pop and move several registers.
    pub zcmp: bool,
    /// XW: WCH's compressed loads and stores of bytes and halfwords.
    pub xw: bool,
}

/// Zcmp's name.
pub const ZCMP: &str = "zcmp";
/// XW's name.
pub const XW: &str = "xw";
/// Their names in core files and board files.
pub const NAMES: [&str; 12] =
    ["m", "a", "c", "zicsr", "zifencei", "zba", "zbb", "zbkb", "zbs", "zcb", ZCMP, XW];

impl Extensions {
    /// RV32I with all of them.
    pub const EVERY: Extensions = Extensions {
        embedded: false,
        m: true,
        a: true,
        c: true,
        zicsr: true,
        zifencei: true,
        zba: true,
        zbb: true,
        zbkb: true,
        zbs: true,
        zcb: true,
        zcmp: true,
        xw: true,
    };

    /// RV32I, or RV32E if `embedded`, with those of these names that are among [`NAMES`].
    #[must_use]
    pub fn new(embedded: bool, names: &[String]) -> Extensions {
        names.iter().fold(Extensions { embedded, ..Extensions::default() }, |all, name| all.with(name))
    }

    /// These and the one of that name.
    #[must_use]
    pub fn with(mut self, name: &str) -> Extensions {
        match name {
            "m" => self.m = true,
            "a" => self.a = true,
            "c" => self.c = true,
            "zicsr" => self.zicsr = true,
            "zifencei" => self.zifencei = true,
            "zba" => self.zba = true,
            "zbb" => self.zbb = true,
            "zbkb" => self.zbkb = true,
            "zbs" => self.zbs = true,
            "zcb" => self.zcb = true,
            ZCMP => self.zcmp = true,
            XW => self.xw = true,
            _ => {}
        }
        self
    }

    /// Does the part have an operation of M, A, Zicsr or Zifencei, and its registers?
    #[must_use]
    pub fn allow(&self, op: &Op) -> bool {
        let registers = if op.code == Code::Csr && op.imm >> 14 & 1 == 1 {
            // The field has a number.
            [op.d, Reg::X0, Reg::X0]
        } else {
            [op.d, op.n, op.m]
        };
        if self.embedded && registers.iter().any(|&reg| reg >= Reg::X16 && reg != Reg::Sink) {
            return false;
        }
        match op.code {
            Code::Mul
            | Code::Mulh
            | Code::Mulhsu
            | Code::Mulhu
            | Code::Div
            | Code::Divu
            | Code::Rem
            | Code::Remu => self.m,
            Code::LoadReserved
            | Code::StoreConditional
            | Code::AmoSwap
            | Code::AmoAdd
            | Code::AmoXor
            | Code::AmoAnd
            | Code::AmoOr
            | Code::AmoMin
            | Code::AmoMax
            | Code::AmoMinu
            | Code::AmoMaxu => self.a,
            Code::Push | Code::Pop | Code::PopReturn | Code::PopReturnZero => {
                // RV32E has s0 and s1 only.
                self.zcmp && (!self.embedded || Frame::of(op.imm).registers <= 3)
            }
            Code::MoveToArguments | Code::MoveFromArguments => self.zcmp,
            Code::Csr => self.zicsr,
            Code::FenceI => self.zifencei,
            _ => true,
        }
    }
}
