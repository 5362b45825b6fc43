//! Translated code against the interpreter.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pennyweight_checks::translate::fuzz::engines(data));
