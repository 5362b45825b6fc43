//! Core files.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pennyweight_checks::robust::core(data));
