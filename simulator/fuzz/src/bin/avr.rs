//! AVR: any program on an AVRe+ with and without ELPM and on an AVRxt.
#![no_main]

use libfuzzer_sys::fuzz_target;

const BOARDS: [&str; 3] = [
    include_str!("../../../../boards/atmega328p.toml"),
    include_str!("../../../../boards/atmega128.toml"),
    include_str!("../../../../boards/atmega4809.toml"),
];
const EM_AVR: u16 = 83;

fuzz_target!(|data: &[u8]| pennyweight_fuzz::execute(&BOARDS, EM_AVR, data));
