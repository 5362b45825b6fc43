//! MSP430.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pennyweight_checks::robust::msp430(data));
