//! MIPS.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pennyweight_checks::robust::mips(data));
