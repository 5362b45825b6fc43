//! Board files: any text, and a machine of every board that is accepted.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pennyweight_machine::{Board, Image};

const PROGRAM: &[u8] = include_bytes!("../../../machine/tests/data/lines.elf");

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(board) = Board::from_toml(text, "fuzz.toml") else { return };
    if let Ok(image) = Image::parse(PROGRAM) {
        let _ = pennyweight_boards::machine(&board, &image);
    }
});
