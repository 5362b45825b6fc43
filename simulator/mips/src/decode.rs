//! Decoding: MD00086, appendix A "Instruction Bit Encodings".

use crate::op::{Code, Op, Reg, Unit};

/// Decodes the instruction at `address`.
#[must_use]
#[allow(clippy::too_many_lines)] // The manual's tables, one after the other.
pub fn decode(word: u32, address: u32) -> Op {
    let field = |bit: u32| (word >> bit & 31) as u8;
    let to = |number: u8| if number == 0 { Reg::SINK } else { Reg(number) };
    let (s, t) = (Reg(field(21)), Reg(field(16)));
    let (rd, rt_to) = (to(field(11)), to(field(16)));
    let amount = word >> 6 & 31;
    let (signed, unsigned) = (word as i16 as u32, word & 0xffff);
    let delay = address.wrapping_add(4);
    let near = delay.wrapping_add(signed << 2);
    let far = delay & 0xf000_0000 | (word & 0x03ff_ffff) << 2;
    let op = |code, d, imm| Op { code, d, s, t, imm, unit: unit(code) };
    let three = |code| op(code, rd, 0);
    // With `rt` as destination, it is not a source.
    let immediate = |code, imm| Op { t: Reg::ZERO, ..op(code, rt_to, imm) };
    let branch = |code| op(code, Reg::SINK, near);
    let compare = |code| op(code, Reg::SINK, signed);
    let load = |code| immediate(code, signed);
    let store = |code| op(code, Reg::SINK, signed);
    let undefined = Op::new(Code::Undefined, word);
    match word >> 26 {
        0 => match (word & 63, field(21), field(6)) {
            (0, 0, _) => op(Code::Sll, rd, amount),
            (2, 0, _) => op(Code::Srl, rd, amount),
            (2, 1, _) => Op { s: Reg::ZERO, ..op(Code::Rotr, rd, amount) },
            (3, 0, _) => op(Code::Sra, rd, amount),
            (4, _, 0) => three(Code::Sllv),
            (6, _, 0) => three(Code::Srlv),
            (6, _, 1) => three(Code::Rotrv),
            (7, _, 0) => three(Code::Srav),
            // The hint in the shift field does not change what is done.
            (8, _, _) if field(11) == 0 && t == Reg::ZERO => op(Code::Jr, Reg::SINK, 0),
            (9, _, _) if t == Reg::ZERO => op(Code::Jalr, rd, 0),
            (10, _, 0) => three(Code::Movz),
            (11, _, 0) => three(Code::Movn),
            (12 | 13, _, _) => Op::new(Code::Trap, word),
            (15, 0, _) => Op::new(Code::Nop, 0),
            (16, 0, 0) => three(Code::Mfhi),
            (17, _, 0) => op(Code::Mthi, Reg::SINK, 0),
            (18, 0, 0) => three(Code::Mflo),
            (19, _, 0) => op(Code::Mtlo, Reg::SINK, 0),
            (24, _, 0) => op(Code::Mult, Reg::SINK, 0),
            (25, _, 0) => op(Code::Multu, Reg::SINK, 0),
            (26, _, 0) => op(Code::Div, Reg::SINK, 0),
            (27, _, 0) => op(Code::Divu, Reg::SINK, 0),
            (32, _, 0) => three(Code::Add),
            (33, _, 0) => three(Code::Addu),
            (34, _, 0) => three(Code::Sub),
            (35, _, 0) => three(Code::Subu),
            (36, _, 0) => three(Code::And),
            (37, _, 0) => three(Code::Or),
            (38, _, 0) => three(Code::Xor),
            (39, _, 0) => three(Code::Nor),
            (42, _, 0) => three(Code::Slt),
            (43, _, 0) => three(Code::Sltu),
            (48, _, _) => op(Code::Tge, Reg::SINK, 0),
            (49, _, _) => op(Code::Tgeu, Reg::SINK, 0),
            (50, _, _) => op(Code::Tlt, Reg::SINK, 0),
            (51, _, _) => op(Code::Tltu, Reg::SINK, 0),
            (52, _, _) => op(Code::Teq, Reg::SINK, 0),
            (54, _, _) => op(Code::Tne, Reg::SINK, 0),
            _ => undefined,
        },
        1 => {
            let link = |code| Op { d: Reg::RA, t: Reg::ZERO, ..branch(code) };
            let plain = |code| Op { t: Reg::ZERO, ..branch(code) };
            let trap = |code| Op { t: Reg::ZERO, ..compare(code) };
            match field(16) {
                0 => plain(Code::Bltz),
                1 => plain(Code::Bgez),
                2 => plain(Code::Bltzl),
                3 => plain(Code::Bgezl),
                8 => trap(Code::Tgei),
                9 => trap(Code::Tgeiu),
                10 => trap(Code::Tlti),
                11 => trap(Code::Tltiu),
                12 => trap(Code::Teqi),
                14 => trap(Code::Tnei),
                16 => link(Code::Bltzal),
                17 => link(Code::Bgezal),
                18 => link(Code::Bltzall),
                19 => link(Code::Bgezall),
                31 => Op::new(Code::Nop, 0),
                _ => undefined,
            }
        }
        2 => Op::new(Code::J, far),
        3 => Op { d: Reg::RA, ..Op::new(Code::Jal, far) },
        4 => branch(Code::Beq),
        5 => branch(Code::Bne),
        6 if t == Reg::ZERO => branch(Code::Blez),
        7 if t == Reg::ZERO => branch(Code::Bgtz),
        8 => immediate(Code::Addi, signed),
        9 if s == Reg::ZERO => immediate(Code::Constant, signed),
        9 => immediate(Code::Addiu, signed),
        10 => immediate(Code::Slti, signed),
        11 => immediate(Code::Sltiu, signed),
        12 => immediate(Code::Andi, unsigned),
        13 if s == Reg::ZERO => immediate(Code::Constant, unsigned),
        13 => immediate(Code::Ori, unsigned),
        14 => immediate(Code::Xori, unsigned),
        15 if s == Reg::ZERO => immediate(Code::Constant, unsigned << 16),
        16 if word == 0x4200_0020 => Op::new(Code::Wait, 0),
        // Of coprocessor 0, what turns interrupts off and on around a few instructions.
        16 => match word & 0xffe0_ffff {
            0x4000_6000 => Op { s: Reg::ZERO, ..immediate(Code::FromStatus, 0) },
            0x4080_6000 => Op { s: Reg::ZERO, ..op(Code::ToStatus, Reg::SINK, 0) },
            0x4160_6000 => Op { s: Reg::ZERO, ..immediate(Code::Di, 0) },
            0x4160_6020 => Op { s: Reg::ZERO, ..immediate(Code::Ei, 0) },
            _ => undefined,
        },
        20 => branch(Code::Beql),
        21 => branch(Code::Bnel),
        22 if t == Reg::ZERO => branch(Code::Blezl),
        23 if t == Reg::ZERO => branch(Code::Bgtzl),
        // Bit 0 of an address marks 16-bit code.
        29 => Op { d: Reg::RA, ..Op::new(Code::Jalx, far | 1) },
        28 => match (word & 63, field(6)) {
            (0, 0) if field(11) == 0 => op(Code::Madd, Reg::SINK, 0),
            (1, 0) if field(11) == 0 => op(Code::Maddu, Reg::SINK, 0),
            (2, 0) => three(Code::Mul),
            (4, 0) if field(11) == 0 => op(Code::Msub, Reg::SINK, 0),
            (5, 0) if field(11) == 0 => op(Code::Msubu, Reg::SINK, 0),
            // The manual wants `rt` to be `rd`; the core does not look.
            (32, 0) => Op { t: Reg::ZERO, ..three(Code::Clz) },
            (33, 0) => Op { t: Reg::ZERO, ..three(Code::Clo) },
            (63, _) => Op::new(Code::Trap, word),
            _ => undefined,
        },
        31 => special3(word).map_or(undefined, |(code, imm)| match code {
            Code::Ext => immediate(code, imm),
            // What is not replaced stays: it is a source too.
            Code::Ins => op(code, rt_to, imm),
            _ => Op { s: t, ..three(code) },
        }),
        32 => load(Code::Lb),
        33 => load(Code::Lh),
        34 => op(Code::Lwl, rt_to, signed),
        35 => load(Code::Lw),
        36 => load(Code::Lbu),
        37 => load(Code::Lhu),
        38 => op(Code::Lwr, rt_to, signed),
        40 => store(Code::Sb),
        41 => store(Code::Sh),
        42 => store(Code::Swl),
        43 => store(Code::Sw),
        46 => store(Code::Swr),
        48 => load(Code::Ll),
        51 => Op::new(Code::Nop, 0),
        56 => op(Code::Sc, rt_to, signed),
        _ => undefined,
    }
}

/// EXT, INS, SEB, SEH, WSBH.
fn special3(word: u32) -> Option<(Code, u32)> {
    let (high, low) = (word >> 11 & 31, word >> 6 & 31);
    match (word & 63, low) {
        (0, _) if low + high < 32 => Some((Code::Ext, low | (high + 1) << 8)),
        (4, _) if high >= low => Some((Code::Ins, low | (high - low + 1) << 8)),
        (32, 2) if word >> 21 & 31 == 0 => Some((Code::Wsbh, 0)),
        (32, 16) if word >> 21 & 31 == 0 => Some((Code::Seb, 0)),
        (32, 24) if word >> 21 & 31 == 0 => Some((Code::Seh, 0)),
        _ => None,
    }
}

/// What decides an operation's cost.
pub(crate) fn unit(code: Code) -> Unit {
    match code {
        Code::Lb
        | Code::Lbu
        | Code::Lh
        | Code::Lhu
        | Code::Lw
        | Code::Lwl
        | Code::Lwr
        | Code::Ll
        | Code::Sc => Unit::Load,
        Code::Mul => Unit::Mul,
        Code::Mult | Code::Multu | Code::Madd | Code::Maddu | Code::Msub | Code::Msubu => Unit::Multiply,
        Code::Div => Unit::Divide,
        Code::Divu => Unit::DivideUnsigned,
        Code::Mfhi | Code::Mflo => Unit::FromHighLow,
        Code::Mthi | Code::Mtlo => Unit::ToHighLow,
        Code::Save => Unit::Save,
        Code::Restore => Unit::Restore,
        _ => Unit::Integer,
    }
}
