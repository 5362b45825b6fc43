//! Encodings: RISC-V Instruction Set Manual, Volume I, instruction set listings.

/// Opcode OP and AMO: base word, rd, rs1, rs2.
#[must_use]
pub fn r(base: u32, rd: u32, rs1: u32, rs2: u32) -> u32 {
    base | rd << 7 | rs1 << 15 | rs2 << 20
}

/// Loads, OP-IMM and JALR: base word, rd, rs1, immediate of 12 bits.
#[must_use]
pub fn i(base: u32, rd: u32, rs1: u32, imm: i32) -> u32 {
    base | rd << 7 | rs1 << 15 | (imm as u32) << 20
}

/// Stores: base word, base register, stored register, offset.
#[must_use]
pub fn store(base: u32, rs1: u32, rs2: u32, offset: i32) -> u32 {
    let offset = offset as u32;
    base | rs1 << 15 | rs2 << 20 | (offset & 31) << 7 | (offset >> 5 & 0x7f) << 25
}

/// Conditional branch: condition, operands, distance in bytes.
#[must_use]
pub fn branch(condition: u32, rs1: u32, rs2: u32, distance: i32) -> u32 {
    let d = distance as u32;
    0x63 | condition << 12
        | rs1 << 15
        | rs2 << 20
        | (d >> 11 & 1) << 7
        | (d >> 1 & 15) << 8
        | (d >> 5 & 0x3f) << 25
        | (d >> 12 & 1) << 31
}

/// JAL.
#[must_use]
pub fn jal(rd: u32, distance: i32) -> u32 {
    let d = distance as u32;
    0x6f | rd << 7
        | (d >> 12 & 0xff) << 12
        | (d >> 11 & 1) << 20
        | (d >> 1 & 0x3ff) << 21
        | (d >> 20 & 1) << 31
}

/// ADDI.
#[must_use]
pub fn addi(rd: u32, rs1: u32, imm: i32) -> u32 {
    i(0x13, rd, rs1, imm)
}

/// ADD.
#[must_use]
pub fn add(rd: u32, rs1: u32, rs2: u32) -> u32 {
    r(0x33, rd, rs1, rs2)
}

/// LUI or AUIPC (`opcode` 0x37, 0x17): the upper 20 bits of `value`.
#[must_use]
pub fn upper(opcode: u32, rd: u32, value: u32) -> u32 {
    opcode | rd << 7 | value & 0xffff_f000
}

/// LW.
#[must_use]
pub fn lw(rd: u32, rs1: u32, offset: i32) -> u32 {
    i(0x2003, rd, rs1, offset)
}

/// SW.
#[must_use]
pub fn sw(rs1: u32, rs2: u32, offset: i32) -> u32 {
    store(0x2023, rs1, rs2, offset)
}

/// C.ADDI, C.LI, C.ANDI and their like: base half, six bits of immediate.
#[must_use]
pub fn c_imm6(base: u16, imm: i32) -> u16 {
    let imm = imm as u16;
    base | (imm >> 5 & 1) << 12 | (imm & 31) << 2
}

/// C.BEQZ (`base` 0xc001) and C.BNEZ (0xe001): a register from 8 to 15, distance.
#[must_use]
pub fn c_branch(base: u16, rs1: u16, distance: i32) -> u16 {
    let d = distance as u16;
    base | (rs1 & 7) << 7
        | (d >> 8 & 1) << 12
        | (d >> 3 & 3) << 10
        | (d >> 6 & 3) << 5
        | (d >> 1 & 3) << 3
        | (d >> 5 & 1) << 2
}

/// C.J (`base` 0xa001) and C.JAL (0x2001).
#[must_use]
pub fn c_jump(base: u16, distance: i32) -> u16 {
    let d = distance as u16;
    base | (d >> 11 & 1) << 12
        | (d >> 4 & 1) << 11
        | (d >> 8 & 3) << 9
        | (d >> 10 & 1) << 8
        | (d >> 6 & 1) << 7
        | (d >> 7 & 1) << 6
        | (d >> 1 & 7) << 3
        | (d >> 5 & 1) << 2
}

#[cfg(test)]
mod tests {
    use super::{branch, c_branch, c_imm6, c_jump, jal, store};

    // Against GNU as 2.40.
    #[test]
    fn encodings() {
        assert_eq!(store(0x2023, 2, 10, 12), 0x00a1_2623);
        assert_eq!(branch(1, 10, 11, -4), 0xfeb5_1ee3);
        assert_eq!(jal(1, 0x7fe), 0x7fe0_00ef);
        assert_eq!(jal(0, -4), 0xffdf_f06f);
        assert_eq!(c_imm6(0x1441 & !0x107c, -16), 0x1441);
        assert_eq!(c_branch(0xc001, 10, -256), 0xd101);
        assert_eq!(c_branch(0xe001, 10, 254), 0xed7d);
        assert_eq!(c_jump(0x2001, 0x7fe), 0x2ffd);
        assert_eq!(c_jump(0xa001, -2048), 0xb001);
    }
}
