//! A set-associative cache for code and data, before both kinds of core.

use super::program::{self, FLASH, RAM};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::Arg;
use pennyweight_thumb::core::{Core, CortexM0Plus, CortexM4};

/// Two ways of 16 lines of 8 bytes.
const fn cache(miss: u32) -> MemoryTiming {
    MemoryTiming::AssociativeCache { size: 256, data_size: 0, line: 8, ways: 2, miss }
}

fn stalls<C: Core>(miss: u32, code: &str) -> (u64, u64) {
    program::stalls::<C>(cache(miss), code, &[Arg::Pointer(FLASH + 0x200), Arg::Pointer(RAM), Arg::Int(5)])
}

/// So many moves, then the return.
fn straight(moves: usize) -> String {
    format!("{}bx lr", "mov r0, r0; ".repeat(moves))
}

#[test]
fn a_miss_of_no_cycles_costs_nothing() {
    let code = "ldr r3, [r0]; ldr r3, [r1]; subs r2, #1; bne .-6; bx lr";
    assert_eq!(stalls::<CortexM0Plus>(0, code), (0, 0));
    assert_eq!(stalls::<CortexM4>(0, code), (0, 0));
}

#[test]
fn code_that_fits_waits_in_the_first_call_alone() {
    // Four instructions a line; the call itself fetches the first line.
    assert_eq!(stalls::<CortexM0Plus>(56, &straight(15)), (3 * 56, 0));
    assert_eq!(stalls::<CortexM4>(5, &straight(15)), (3 * 5, 0));
}

#[test]
fn code_larger_than_the_cache_waits_in_each_call() {
    // 64 lines, twice what the cache holds: least recently used finds none of them again. In the second
    // call, the first line is fetched by the call.
    assert_eq!(stalls::<CortexM0Plus>(10, &straight(255)), (630, 630));
}

#[test]
fn data_is_looked_up_as_code_is() {
    // Two lines of data, one of code.
    let code = "ldr r3, [r0]; ldr r3, [r0, #4]; ldr r3, [r0, #8]; bx lr";
    assert_eq!(stalls::<CortexM0Plus>(10, code), (20, 0));
    assert_eq!(stalls::<CortexM4>(10, code), (20, 0));
    // Data in RAM costs nothing.
    assert_eq!(stalls::<CortexM0Plus>(10, "ldr r3, [r1]; ldr r3, [r1]; bx lr"), (0, 0));
}
