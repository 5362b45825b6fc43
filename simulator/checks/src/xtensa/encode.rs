//! Encodings: Xtensa ISA Reference Manual, chapter 7, little-endian.

/// RRR: opcode bits op2, op1, op0 with registers r, s, t.
#[must_use]
pub fn rrr(op2: u32, op1: u32, r: u32, s: u32, t: u32) -> u32 {
    op2 << 20 | op1 << 16 | r << 12 | s << 8 | t << 4
}

/// RRI8 with op0 2: loads, stores, ADDI.
#[must_use]
pub fn lsai(r: u32, s: u32, t: u32, imm8: u32) -> u32 {
    (imm8 & 0xff) << 16 | r << 12 | s << 8 | t << 4 | 2
}

/// ADDI t, s, imm
#[must_use]
pub fn addi(t: u32, s: u32, imm: i32) -> u32 {
    lsai(12, s, t, imm as u32)
}

/// MOVI t, imm: 12 bits with sign.
#[must_use]
pub fn movi(t: u32, imm: i32) -> u32 {
    let imm = imm as u32;
    lsai(10, imm >> 8 & 15, t, imm)
}

/// L32I t, s, offset
#[must_use]
pub fn l32i(t: u32, s: u32, offset: u32) -> u32 {
    lsai(2, s, t, offset / 4)
}

/// S32I t, s, offset
#[must_use]
pub fn s32i(t: u32, s: u32, offset: u32) -> u32 {
    lsai(6, s, t, offset / 4)
}

/// L32R t: from the instruction's address and that of the literal, a multiple of 4 before it.
#[must_use]
pub fn l32r(t: u32, from: u32, literal: u32) -> u32 {
    let offset = literal.wrapping_sub((from + 3) & !3) >> 2 & 0xffff;
    offset << 8 | t << 4 | 1
}

/// J over a distance from its own address.
#[must_use]
pub fn j(distance: i32) -> u32 {
    ((distance - 4) as u32 & 0x3_ffff) << 6 | 6
}

/// CALL0 from one address to another, which is a multiple of 4.
#[must_use]
pub fn call0(from: u32, to: u32) -> u32 {
    (to.wrapping_sub((from & !3) + 4) >> 2 & 0x3_ffff) << 6 | 5
}

/// BEQZ, BNEZ, BLTZ, BGEZ (`m` 0 to 3).
#[must_use]
pub fn bz(m: u32, s: u32, distance: i32) -> u32 {
    ((distance - 4) as u32 & 0xfff) << 12 | s << 8 | m << 6 | 1 << 4 | 6
}

/// Branches with an immediate from the table: `n` 2 with `m` 0 to 3, `n` 3 with `m` 2 or 3.
#[must_use]
pub fn bi(n: u32, m: u32, s: u32, r: u32, distance: i32) -> u32 {
    ((distance - 4) as u32 & 0xff) << 16 | r << 12 | s << 8 | m << 6 | n << 4 | 6
}

/// Branches that compare registers or test bits.
#[must_use]
pub fn b(r: u32, s: u32, t: u32, distance: i32) -> u32 {
    ((distance - 4) as u32 & 0xff) << 16 | r << 12 | s << 8 | t << 4 | 7
}

/// The narrow form of op0 `op0`.
#[must_use]
pub fn narrow(op0: u32, r: u32, s: u32, t: u32) -> u32 {
    r << 12 | s << 8 | t << 4 | op0
}

#[cfg(test)]
mod tests {
    use super::{addi, b, bi, bz, call0, j, l32i, l32r, movi, narrow, rrr};

    // Against GNU as 2.40 (xtensa-lx106-elf).
    #[test]
    fn encodings() {
        assert_eq!(rrr(8, 0, 2, 3, 4), 0x80_2340); // add a2, a3, a4
        assert_eq!(addi(2, 3, -5), 0xfb_c322);
        assert_eq!(movi(2, -1000), 0x18_ac22);
        assert_eq!(l32i(5, 6, 100), 0x19_2652);
        assert_eq!(bz(1, 2, -8), 0xff_4256);
        assert_eq!(bi(2, 0, 3, 5, 20), 0x10_5326);
        assert_eq!(b(1, 2, 3, -4), 0xf8_1237);
        assert_eq!(j(100), 0x00_1806);
        assert_eq!(call0(0, 16), 0x00_00c5);
        assert_eq!(l32r(2, 8, 0), 0xff_fe21);
        assert_eq!(narrow(10, 2, 3, 4), 0x234a); // add.n a2, a3, a4
    }
}
