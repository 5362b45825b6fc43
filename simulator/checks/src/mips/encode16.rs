//! Assembling 16-bit code (MD00076, chapter 3): what the generator needs, written from the manual's
//! formats and without the decoder. Registers are numbers of three bits here, as the encodings have them.

/// MOVE r0, s0
pub const NOP: u16 = 0x6500;

/// RI: five bits of opcode, a register, eight bits.
#[must_use]
pub fn ri(op: u32, x: u32, imm: i32) -> u16 {
    (op << 11 | x << 8 | imm as u32 & 0xff) as u16
}

/// RRI: two registers, five bits.
#[must_use]
pub fn rri(op: u32, x: u32, y: u32, imm: u32) -> u16 {
    (op << 11 | x << 8 | y << 5 | imm & 31) as u16
}

/// RR: two registers, a function.
#[must_use]
pub fn rr(function: u32, x: u32, y: u32) -> u16 {
    rri(29, x, y, function)
}

/// RRR: z = x op y; 1 is ADDU, 3 SUBU.
#[must_use]
pub fn rrr(function: u32, z: u32, x: u32, y: u32) -> u16 {
    rri(28, x, y, z << 2 | function)
}

/// MOVE y, r: from any register.
#[must_use]
pub fn from_any(y: u32, r: u32) -> u16 {
    rri(12, 7, y, r)
}

/// MOVE r, z: to any register.
#[must_use]
pub fn to_any(r: u32, z: u32) -> u16 {
    rri(12, 5, r & 7, r >> 3 << 3 | z)
}

/// EXTEND with the upper eleven of sixteen bits, and the instruction with the lower five.
#[must_use]
pub fn extend(instruction: u16, imm: i32) -> [u16; 2] {
    let imm = imm as u32;
    let prefix = 30 << 11 | imm & 0x7e0 | imm >> 11 & 31;
    [prefix as u16, instruction & !31 | (imm & 31) as u16]
}

/// EXTEND of ADDIU y, x, imm: fifteen bits, of which the instruction has four.
#[must_use]
pub fn extend_rria(x: u32, y: u32, imm: i32) -> [u16; 2] {
    let bits = imm as u32;
    let prefix = 30 << 11 | bits & 0x7f0 | bits >> 11 & 15;
    [prefix as u16, rri(8, x, y, bits & 15)]
}

/// EXTEND of SLL, SRL, SRA x, y, amount of five bits.
#[must_use]
pub fn extend_shift(function: u32, x: u32, y: u32, amount: u32) -> [u16; 2] {
    [(30 << 11 | amount << 6) as u16, rri(6, x, y, function)]
}

/// JAL, or JALX to 32-bit code; the target is a multiple of four.
#[must_use]
pub fn jal(exchange: bool, target: u32) -> [u16; 2] {
    let index = target >> 2 & 0x03ff_ffff;
    let first = 3 << 11 | u32::from(exchange) << 10 | (index >> 16 & 31) << 5 | index >> 21;
    [first as u16, index as u16]
}

/// JR, JALR, JRC, JALRC; the register is ra without one.
#[must_use]
pub fn jump(x: Option<u32>, link: bool, compact: bool) -> u16 {
    let bits = u32::from(compact) << 2 | u32::from(link) << 1 | u32::from(x.is_none());
    rr(0, x.unwrap_or(0), bits)
}

/// SAVE or RESTORE of ra, s0, s1 by three bits, with a frame of 8 to 128 bytes.
#[must_use]
pub fn frame(save: bool, registers: u32, size: u32) -> u16 {
    ri(12, 4, (u32::from(save) << 7 | registers << 4 | (size / 8) & 15) as i32)
}

/// The same extended: s2 to s8, the field for arguments, frames of up to 2040 bytes.
#[must_use]
pub fn extend_frame(save: bool, registers: u32, more: u32, arguments: u32, size: u32) -> [u16; 2] {
    let eighths = size / 8;
    let prefix = 30 << 11 | more << 8 | eighths & 0xf0 | arguments;
    [prefix as u16, frame(save, registers, 8 * (eighths & 15))]
}

#[cfg(test)]
mod tests {
    use super::{
        extend, extend_frame, extend_rria, extend_shift, frame, from_any, jal, jump, ri, rr, rri, rrr, to_any,
    };

    // Against GNU as 2.40 (mipsel-linux-gnu-as -mips16 -march=m4k): registers s0 s1 v0 v1 a0 a1 a2 a3 are
    // 0 to 7.
    #[test]
    fn encodings() {
        assert_eq!(ri(9, 4, -5), 0x4cfb); // addiu a0, -5
        assert_eq!(rri(19, 4, 5, 1), 0x9ca1); // lw a1, 4(a0)
        assert_eq!(rr(7, 4, 5), 0xeca7); // srav a1, a0
        assert_eq!(rrr(3, 2, 4, 5), 0xe4ab); // subu v0, a0, a1
        assert_eq!(from_any(2, 15), 0x674f); // move v0, t7
        assert_eq!(to_any(8, 4), 0x650c); // move t0, a0
        assert_eq!(extend(ri(13, 2, 0), 0xfedc), [0xf6df, 0x6a1c]); // li v0, 0xfedc
        assert_eq!(extend(rri(16, 4, 5, 0), -3), [0xf7ff, 0x84bd]); // lb a1, -3(a0)
        assert_eq!(extend_rria(4, 5, -0x1234), [0xf5cd, 0x44ac]); // addiu a1, a0, -0x1234
        assert_eq!(extend_shift(3, 2, 4, 31), [0xf7c0, 0x3283]); // sra v0, a0, 31
        assert_eq!(jal(false, 0x9d00_0040), [0x181a, 0x0010]);
        assert_eq!(jal(true, 0x9d00_0040), [0x1c1a, 0x0010]); // jalx
        assert_eq!(jump(None, false, true), 0xe8a0); // jrc ra
        assert_eq!(jump(Some(4), true, false), 0xec40); // jalr a0
        assert_eq!(frame(true, 7, 32), 0x64f4); // save 32, ra, s0, s1
                                                // save a0-a2, 0x120, ra, s0-s8, a3
        assert_eq!(extend_frame(true, 7, 7, 13, 0x120), [0xf72d, 0x64f4]);
    }
}
