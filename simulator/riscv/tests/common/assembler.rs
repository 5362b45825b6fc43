//! Encodings by name, written down here a second time: nothing comes from the decoder.
#![allow(dead_code)] // Each test program uses its part.

/// How operands go into the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// rd, rs1, rs2
    R,
    /// rd, rs1; the third operand is part of the encoding
    Unary,
    /// rd, rs1, amount of 5 bits
    Shift,
    /// rd, rs1, immediate of 12 bits
    I,
    /// rs2 at rs1 + immediate
    S,
    /// rs1, rs2, offset
    B,
}

use Format::{Shift, Unary, B, I, R, S};

/// Name, format, the word without operands.
const INSTRUCTIONS: &[(&str, Format, u32)] = &[
    ("add", R, 0x0000_0033),
    ("sub", R, 0x4000_0033),
    ("sll", R, 0x0000_1033),
    ("slt", R, 0x0000_2033),
    ("sltu", R, 0x0000_3033),
    ("xor", R, 0x0000_4033),
    ("srl", R, 0x0000_5033),
    ("sra", R, 0x4000_5033),
    ("or", R, 0x0000_6033),
    ("and", R, 0x0000_7033),
    ("addi", I, 0x0000_0013),
    ("slti", I, 0x0000_2013),
    ("sltiu", I, 0x0000_3013),
    ("xori", I, 0x0000_4013),
    ("ori", I, 0x0000_6013),
    ("andi", I, 0x0000_7013),
    ("slli", Shift, 0x0000_1013),
    ("srli", Shift, 0x0000_5013),
    ("srai", Shift, 0x4000_5013),
    ("mul", R, 0x0200_0033),
    ("mulh", R, 0x0200_1033),
    ("mulhsu", R, 0x0200_2033),
    ("mulhu", R, 0x0200_3033),
    ("div", R, 0x0200_4033),
    ("divu", R, 0x0200_5033),
    ("rem", R, 0x0200_6033),
    ("remu", R, 0x0200_7033),
    ("lb", I, 0x0000_0003),
    ("lh", I, 0x0000_1003),
    ("lw", I, 0x0000_2003),
    ("lbu", I, 0x0000_4003),
    ("lhu", I, 0x0000_5003),
    ("sb", S, 0x0000_0023),
    ("sh", S, 0x0000_1023),
    ("sw", S, 0x0000_2023),
    ("beq", B, 0x0000_0063),
    ("bne", B, 0x0000_1063),
    ("blt", B, 0x0000_4063),
    ("bge", B, 0x0000_5063),
    ("bltu", B, 0x0000_6063),
    ("bgeu", B, 0x0000_7063),
    ("jalr", I, 0x0000_0067),
    ("lr.w", Unary, 0x1000_202f),
    ("sc.w", R, 0x1800_202f),
    ("amoswap.w", R, 0x0800_202f),
    ("amoadd.w", R, 0x0000_202f),
    ("amoxor.w", R, 0x2000_202f),
    ("amoand.w", R, 0x6000_202f),
    ("amoor.w", R, 0x4000_202f),
    ("amomin.w", R, 0x8000_202f),
    ("amomax.w", R, 0xa000_202f),
    ("amominu.w", R, 0xc000_202f),
    ("amomaxu.w", R, 0xe000_202f),
    ("sh1add", R, 0x2000_2033),
    ("sh2add", R, 0x2000_4033),
    ("sh3add", R, 0x2000_6033),
    ("bclr", R, 0x4800_1033),
    ("bclri", Shift, 0x4800_1013),
    ("bext", R, 0x4800_5033),
    ("bexti", Shift, 0x4800_5013),
    ("binv", R, 0x6800_1033),
    ("binvi", Shift, 0x6800_1013),
    ("bset", R, 0x2800_1033),
    ("bseti", Shift, 0x2800_1013),
    ("andn", R, 0x4000_7033),
    ("orn", R, 0x4000_6033),
    ("xnor", R, 0x4000_4033),
    ("rol", R, 0x6000_1033),
    ("ror", R, 0x6000_5033),
    ("rori", Shift, 0x6000_5013),
    ("rev8", Unary, 0x6980_5013),
    ("clz", Unary, 0x6000_1013),
    ("ctz", Unary, 0x6010_1013),
    ("cpop", Unary, 0x6020_1013),
    ("sext.b", Unary, 0x6040_1013),
    ("sext.h", Unary, 0x6050_1013),
    ("zext.h", Unary, 0x0800_4033),
    ("min", R, 0x0a00_4033),
    ("minu", R, 0x0a00_5033),
    ("max", R, 0x0a00_6033),
    ("maxu", R, 0x0a00_7033),
    ("orc.b", Unary, 0x2870_5013),
    ("brev8", Unary, 0x6870_5013),
    ("pack", R, 0x0800_4033),
    ("packh", R, 0x0800_7033),
    ("zip", Unary, 0x08f0_1013),
    ("unzip", Unary, 0x08f0_5013),
];

/// The format of a name.
pub fn format(name: &str) -> Format {
    find(name).1
}

fn find(name: &str) -> &'static (&'static str, Format, u32) {
    INSTRUCTIONS.iter().find(|entry| entry.0 == name).unwrap_or_else(|| panic!("no instruction {name}"))
}

/// The word for `name` with its operands in the order of the assembler: `rd, rs1, rs2`,
/// `rd, rs1, immediate`; for stores `rs1, rs2, immediate`, for branches `rs1, rs2, offset`.
pub fn word(name: &str, a: u32, b: u32, c: i32) -> u32 {
    let &(_, format, base) = find(name);
    let imm = c as u32;
    base | match format {
        R => a << 7 | b << 15 | (imm & 31) << 20,
        Unary => a << 7 | b << 15,
        Shift => a << 7 | b << 15 | (imm & 31) << 20,
        I => a << 7 | b << 15 | imm << 20,
        S => a << 15 | b << 20 | (imm & 31) << 7 | (imm >> 5 & 0x7f) << 25,
        B => {
            a << 15
                | b << 20
                | (imm >> 11 & 1) << 7
                | (imm >> 1 & 15) << 8
                | (imm >> 5 & 0x3f) << 25
                | (imm >> 12 & 1) << 31
        }
    }
}

/// LUI and AUIPC: the upper 20 bits of `value`.
pub fn lui(rd: u32, value: u32) -> u32 {
    value & 0xffff_f000 | rd << 7 | 0x37
}

/// AUIPC.
pub fn auipc(rd: u32, value: u32) -> u32 {
    value & 0xffff_f000 | rd << 7 | 0x17
}

/// JAL.
pub fn jal(rd: u32, offset: i32) -> u32 {
    let imm = offset as u32;
    (imm >> 12 & 0xff) << 12
        | (imm >> 11 & 1) << 20
        | (imm >> 1 & 0x3ff) << 21
        | (imm >> 20 & 1) << 31
        | rd << 7
        | 0x6f
}

/// CSRRS rd, csr, x0.
pub fn csrr(rd: u32, csr: u32) -> u32 {
    csr << 20 | 2 << 12 | rd << 7 | 0x73
}

/// The halfwords of a 32-bit instruction.
pub fn wide(word: u32) -> [u16; 2] {
    [word as u16, (word >> 16) as u16]
}

/// The halfwords of 32-bit instructions.
pub fn wides(words: &[u32]) -> Vec<u16> {
    words.iter().flat_map(|&word| wide(word)).collect()
}

/// C.J over so many bytes from its own address, forwards or backwards.
pub fn c_jump(distance: i32) -> u16 {
    let d = distance as u16;
    0xa001
        | (d >> 11 & 1) << 12
        | (d >> 4 & 1) << 11
        | (d >> 8 & 3) << 9
        | (d >> 10 & 1) << 8
        | (d >> 6 & 1) << 7
        | (d >> 7 & 1) << 6
        | (d >> 1 & 7) << 3
        | (d >> 5 & 1) << 2
}
