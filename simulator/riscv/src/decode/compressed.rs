//! Compressed instructions (chapter "C", version 2.0), expanded to their 32-bit meaning.

const RA: u32 = 1;
pub(super) const SP: u32 = 2;

pub(super) const LOAD: u32 = 0x03;
pub(super) const STORE: u32 = 0x23;
pub(super) const OP_IMM: u32 = 0x13;
const OP: u32 = 0x33;
const LUI: u32 = 0x37;
const JAL: u32 = 0x6f;
const JALR: u32 = 0x67;
const BRANCH: u32 = 0x63;

/// The instruction that a compressed one expands to; `None` if it is undefined or reserved, or
/// one of the floating-point loads and stores.
#[must_use]
pub fn expand(half: u16) -> Option<u32> {
    let c = u32::from(half);
    let (rd, rs2) = (c >> 7 & 31, c >> 2 & 31);
    // The registers of three bits are x8 to x15.
    let (rd_low, rs2_low) = (8 + (c >> 7 & 7), 8 + (c >> 2 & 7));
    // Six bits with sign, as ADDI, LI, ANDI and LUI have them.
    let imm6 = (c << 19 & 0x8000_0000) as i32 >> 26 | (c >> 2 & 31) as i32;
    let amount = c >> 2 & 31;
    Some(match (c & 3, c >> 13) {
        // C.ADDI4SPN; zero is reserved, and all zeros are undefined for good.
        (0, 0) => {
            let imm = c >> 7 & 0x30 | c >> 1 & 0x3c0 | c >> 4 & 4 | c >> 2 & 8;
            if imm == 0 {
                return None;
            }
            i_type(OP_IMM, 0, rs2_low, SP, imm)
        }
        // C.LW, C.SW
        (0, 2) => i_type(LOAD, 2, rs2_low, rd_low, offset_word(c)),
        (0, 6) => s_type(STORE, 2, rd_low, rs2_low, offset_word(c)),
        // C.NOP, C.ADDI
        (1, 0) => i_type(OP_IMM, 0, rd, rd, imm6 as u32),
        // C.JAL, C.J
        (1, 1) => j_type(RA, offset_jump(c)),
        (1, 5) => j_type(0, offset_jump(c)),
        // C.LI
        (1, 2) => i_type(OP_IMM, 0, rd, 0, imm6 as u32),
        // C.ADDI16SP
        (1, 3) if rd == SP => {
            let imm = (c << 19 & 0x8000_0000) as i32 >> 22
                | (c >> 2 & 0x10 | c << 1 & 0x40 | c << 4 & 0x180 | c << 3 & 0x20) as i32;
            if imm == 0 {
                return None;
            }
            i_type(OP_IMM, 0, SP, SP, imm as u32)
        }
        // C.LUI
        (1, 3) if imm6 != 0 => (imm6 as u32) << 12 | rd << 7 | LUI,
        // C.SRLI, C.SRAI, C.ANDI; a shift by 32 or more is reserved.
        (1, 4) => match c >> 10 & 7 {
            0 => i_type(OP_IMM, 5, rd_low, rd_low, amount),
            1 => i_type(OP_IMM, 5, rd_low, rd_low, amount | 0x400),
            2 | 6 => i_type(OP_IMM, 7, rd_low, rd_low, imm6 as u32),
            3 => match c >> 5 & 3 {
                0 => r_type(0x20, 0, rd_low, rd_low, rs2_low),
                1 => r_type(0, 4, rd_low, rd_low, rs2_low),
                2 => r_type(0, 6, rd_low, rd_low, rs2_low),
                _ => r_type(0, 7, rd_low, rd_low, rs2_low),
            },
            _ => return None,
        },
        // C.BEQZ, C.BNEZ
        (1, 6) => b_type(0, rd_low, offset_branch(c)),
        (1, 7) => b_type(1, rd_low, offset_branch(c)),
        // C.SLLI
        (2, 0) if c >> 12 & 1 == 0 => i_type(OP_IMM, 1, rd, rd, amount),
        // C.LWSP; into x0 it is reserved.
        (2, 2) if rd != 0 => i_type(LOAD, 2, rd, SP, c >> 7 & 0x20 | c >> 2 & 0x1c | c << 4 & 0xc0),
        // C.JR, C.MV, C.EBREAK, C.JALR, C.ADD
        (2, 4) => match (c >> 12 & 1, rd, rs2) {
            (0, 0, 0) => return None,
            (0, _, 0) => i_type(JALR, 0, 0, rd, 0),
            (0, ..) => r_type(0, 0, rd, 0, rs2),
            (_, 0, 0) => 0x0010_0073,
            (_, _, 0) => i_type(JALR, 0, RA, rd, 0),
            _ => r_type(0, 0, rd, rd, rs2),
        },
        // C.SWSP
        (2, 6) => s_type(STORE, 2, SP, rs2, c >> 7 & 0x3c | c >> 1 & 0xc0),
        _ => return None,
    })
}

/// C.LW and C.SW.
fn offset_word(c: u32) -> u32 {
    c >> 7 & 0x38 | c >> 4 & 4 | c << 1 & 0x40
}

/// C.J and C.JAL.
fn offset_jump(c: u32) -> u32 {
    let sign = (c << 19 & 0x8000_0000) as i32 >> 20;
    sign as u32
        | c >> 7 & 0x10
        | c >> 1 & 0x300
        | c << 2 & 0x400
        | c >> 1 & 0x40
        | c << 1 & 0x80
        | c >> 2 & 0xe
        | c << 3 & 0x20
}

/// C.BEQZ and C.BNEZ.
fn offset_branch(c: u32) -> u32 {
    let sign = (c << 19 & 0x8000_0000) as i32 >> 23;
    sign as u32 | c >> 7 & 0x18 | c << 1 & 0xc0 | c >> 2 & 6 | c << 3 & 0x20
}

pub(super) fn i_type(opcode: u32, funct3: u32, rd: u32, rs1: u32, imm: u32) -> u32 {
    imm << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode
}

pub(super) fn r_type(funct7: u32, funct3: u32, rd: u32, rs1: u32, rs2: u32) -> u32 {
    funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | OP
}

pub(super) fn s_type(opcode: u32, funct3: u32, rs1: u32, rs2: u32, imm: u32) -> u32 {
    imm >> 5 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (imm & 31) << 7 | opcode
}

fn b_type(funct3: u32, rs1: u32, offset: u32) -> u32 {
    let high = offset >> 6 & 0x40 | offset >> 5 & 0x3f;
    let low = offset & 0x1e | offset >> 11 & 1;
    high << 25 | rs1 << 15 | funct3 << 12 | low << 7 | BRANCH
}

fn j_type(rd: u32, offset: u32) -> u32 {
    (offset << 11 & 0x8000_0000)
        | (offset << 20 & 0x7fe0_0000)
        | (offset << 9 & 0x0010_0000)
        | (offset & 0x000f_f000)
        | rd << 7
        | JAL
}
