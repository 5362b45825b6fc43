//! Encodings that the generator needs by name (DDI 0419, A5); the rest it makes as bit patterns.

/// `MOVS rd, #imm`.
#[must_use]
pub fn movs(rd: u16, imm: u16) -> u16 {
    0x2000 | rd << 8 | imm & 0xff
}

/// `ADDS rd, #imm`.
#[must_use]
pub fn adds(rd: u16, imm: u16) -> u16 {
    0x3000 | rd << 8 | imm & 0xff
}

/// `SUBS rd, #imm`.
#[must_use]
pub fn subs(rd: u16, imm: u16) -> u16 {
    0x3800 | rd << 8 | imm & 0xff
}

/// `MOV rd, rm`, any registers, no flags.
#[must_use]
pub fn mov(rd: u16, rm: u16) -> u16 {
    0x4600 | (rd & 8) << 4 | rm << 3 | rd & 7
}

/// `ADD rd, rm`, any registers, no flags.
#[must_use]
pub fn add(rd: u16, rm: u16) -> u16 {
    0x4400 | (rd & 8) << 4 | rm << 3 | rd & 7
}

/// `LSLS rd, rm, #by`.
#[must_use]
pub fn lsls(rd: u16, rm: u16, by: u16) -> u16 {
    by << 6 | rm << 3 | rd
}

/// `LSRS rd, rm, #by` (1 to 31).
#[must_use]
pub fn lsrs(rd: u16, rm: u16, by: u16) -> u16 {
    0x0800 | by << 6 | rm << 3 | rd
}

/// `RSBS rd, rn, #0`.
#[must_use]
pub fn rsbs(rd: u16, rn: u16) -> u16 {
    0x4240 | rn << 3 | rd
}

/// `LDM rn!, {list}`.
#[must_use]
pub fn ldm(rn: u16, list: u16) -> u16 {
    0xc800 | rn << 8 | list
}

/// `STM rn!, {list}`.
#[must_use]
pub fn stm(rn: u16, list: u16) -> u16 {
    0xc000 | rn << 8 | list
}

/// `PUSH {list}`, with LR if `lr`.
#[must_use]
pub fn push(list: u16, lr: bool) -> u16 {
    0xb400 | u16::from(lr) << 8 | list
}

/// `POP {list}`, with PC if `pc`.
#[must_use]
pub fn pop(list: u16, pc: bool) -> u16 {
    0xbc00 | u16::from(pc) << 8 | list
}

/// `BX rm`.
#[must_use]
pub fn bx(rm: u16) -> u16 {
    0x4700 | rm << 3
}

/// `BLX rm`.
#[must_use]
pub fn blx(rm: u16) -> u16 {
    0x4780 | rm << 3
}

/// `CMP rn, rm` for low registers.
#[must_use]
pub fn cmp(rn: u16, rm: u16) -> u16 {
    0x4280 | rm << 3 | rn
}

/// `B` over so many halfwords: from the instruction at position `from` to that at `to`.
#[must_use]
pub fn b(from: usize, to: usize) -> u16 {
    0xe000 | (to as i64 - from as i64 - 2) as u16 & 0x7ff
}

/// `B<condition>` from position `from` to `to`.
#[must_use]
pub fn b_if(condition: u16, from: usize, to: usize) -> u16 {
    0xd000 | condition << 8 | (to as i64 - from as i64 - 2) as u16 & 0xff
}

/// `BL` from position `from` to `to`.
#[must_use]
pub fn bl(from: usize, to: usize) -> [u16; 2] {
    let offset = (to as i64 - from as i64 - 2) as u32;
    let s = offset >> 23 & 1;
    let (j1, j2) = (!(offset >> 22 ^ s) & 1, !(offset >> 21 ^ s) & 1);
    let first = 0xf000 | s << 10 | offset >> 11 & 0x3ff;
    let second = 0xd000 | j1 << 13 | j2 << 11 | offset & 0x7ff;
    [first as u16, second as u16]
}

/// `ADR rd` of the word at position `to`, which is even, from position `from` before it.
#[must_use]
pub fn adr(rd: u16, from: usize, to: usize) -> u16 {
    0xa000 | rd << 8 | ((to - ((from + 2) & !1)) / 2) as u16
}

/// `MRS rd, number`.
#[must_use]
pub fn mrs(rd: u16, number: u16) -> [u16; 2] {
    [0xf3ef, 0x8000 | rd << 8 | number]
}

/// `MSR number, rn`.
#[must_use]
pub fn msr(number: u16, rn: u16) -> [u16; 2] {
    [0xf380 | rn, 0x8800 | number]
}
