//! Bit manipulation: Zba, Zbb, Zbkb, Zbs.

use crate::extensions::Extensions;
use crate::op::Code;

/// Opcode OP-IMM, what the base set leaves of it.
pub fn immediate(word: u32, x: Extensions) -> Option<Code> {
    let (both, zbb, zbkb) = (x.zbb || x.zbkb, x.zbb, x.zbkb);
    Some(match (word >> 20, word >> 12 & 7) {
        (0x600, 1) if zbb => Code::Clz,
        (0x601, 1) if zbb => Code::Ctz,
        (0x602, 1) if zbb => Code::Cpop,
        (0x604, 1) if zbb => Code::SextB,
        (0x605, 1) if zbb => Code::SextH,
        (0x08f, 1) if zbkb => Code::Zip,
        (0x08f, 5) if zbkb => Code::Unzip,
        (0x287, 5) if zbb => Code::OrcB,
        (0x687, 5) if zbkb => Code::Brev8,
        (0x698, 5) if both => Code::Rev8,
        (0x600..=0x61f, 5) if both => Code::Rori,
        (0x480..=0x49f, 1) if x.zbs => Code::Bclri,
        (0x480..=0x49f, 5) if x.zbs => Code::Bexti,
        (0x680..=0x69f, 1) if x.zbs => Code::Binvi,
        (0x280..=0x29f, 1) if x.zbs => Code::Bseti,
        _ => return None,
    })
}

/// Opcode OP, what the base set and M leave of it.
pub fn register(word: u32, x: Extensions) -> Option<Code> {
    let (both, zbb, zbkb) = (x.zbb || x.zbkb, x.zbb, x.zbkb);
    Some(match (word >> 25, word >> 12 & 7) {
        (0x10, 2) if x.zba => Code::Sh1add,
        (0x10, 4) if x.zba => Code::Sh2add,
        (0x10, 6) if x.zba => Code::Sh3add,
        (0x20, 7) if both => Code::Andn,
        (0x20, 6) if both => Code::Orn,
        (0x20, 4) if both => Code::Xnor,
        (0x30, 1) if both => Code::Rol,
        (0x30, 5) if both => Code::Ror,
        (0x05, 4) if zbb => Code::Min,
        (0x05, 5) if zbb => Code::Minu,
        (0x05, 6) if zbb => Code::Max,
        (0x05, 7) if zbb => Code::Maxu,
        // PACK d, n, x0 and ZEXT.H are one encoding.
        (0x04, 4) if zbkb => Code::Pack,
        (0x04, 4) if zbb && word >> 20 & 31 == 0 => Code::ZextH,
        (0x04, 7) if zbkb => Code::Packh,
        (0x24, 1) if x.zbs => Code::Bclr,
        (0x24, 5) if x.zbs => Code::Bext,
        (0x34, 1) if x.zbs => Code::Binv,
        (0x14, 1) if x.zbs => Code::Bset,
        _ => return None,
    })
}
