//! WCH's extension XW: compressed loads and stores of bytes and halfwords, in the encodings that C leaves to
//! floating-point loads and stores and reserves.
//!
//! References: QingKeV2 Microprocessor Manual V1.0, table 1-1, names the extension and has no encodings.
//! They are those of LLVM's extension Xwchc 2.2 (`RISCVInstrInfoXwch.td`), and agree with jnk0le, "pipeline
//! cycle test", `doc/ch32v003_(qkv2).md`, which has those without the stack pointer. Offsets are unsigned, in
//! bytes.

use super::compressed::{i_type, s_type, LOAD, SP, STORE};

/// FUNCT3 of LBU and LHU, SB and SH.
const LBU: u32 = 4;
const LHU: u32 = 5;
const SB: u32 = 0;
const SH: u32 = 1;

/// The instruction that a compressed one expands to; `None` if it is not in the extension.
#[must_use]
pub fn expand(half: u16) -> Option<u32> {
    let c = u32::from(half);
    // The registers of three bits are x8 to x15.
    let (base, data) = (8 + (c >> 7 & 7), 8 + (c >> 2 & 7));
    let byte = c >> 12 & 1 | c >> 4 & 6 | c >> 7 & 0x18;
    let half = c >> 4 & 6 | c >> 7 & 0x38;
    let (stack_byte, stack_half) = (c >> 7 & 15, c >> 7 & 0xe | c >> 3 & 0x10);
    Some(match (c & 3, c >> 13) {
        (0, 1) => i_type(LOAD, LBU, data, base, byte),
        (2, 1) => i_type(LOAD, LHU, data, base, half),
        (0, 5) => s_type(STORE, SB, base, data, byte),
        (2, 5) => s_type(STORE, SH, base, data, half),
        (0, 4) if c >> 11 & 3 == 0 => match c >> 5 & 3 {
            0 => i_type(LOAD, LBU, data, SP, stack_byte),
            1 => i_type(LOAD, LHU, data, SP, stack_half),
            2 => s_type(STORE, SB, SP, data, stack_byte),
            _ => s_type(STORE, SH, SP, data, stack_half),
        },
        _ => return None,
    })
}
