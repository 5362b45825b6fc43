//! Boards that are refused, with a sentence.

use super::program::{board, flash, M0, ONE_WAIT_STATE};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::Board;

#[track_caller]
fn refused(change: impl Fn(&mut Board), words: &[&str]) {
    let mut board = board(MemoryTiming::ZeroWait);
    change(&mut board);
    let error = M0::from_flash(&board, &flash(&[]), 0x100, 0).expect_err("refused").to_string();
    for word in words {
        assert!(error.contains(word), "{error:?} does not contain {word:?}");
    }
    assert!(!error.contains('\n'));
}

#[test]
fn unsuitable_boards() {
    refused(
        |b| b.core = pennyweight_bundled::core("cortex-m3"),
        &["cortex-m3.toml: instruction_set", "armv6-m"],
    );
    refused(|b| b.memories.truncate(1), &["test", "exactly one", "\"ram\""]);
    refused(|b| b.memories.push(b.memories[0].clone()), &["test", "exactly one", "\"flash\""]);
    refused(|b| b.memories[1].size = 0x1001, &["sram", "multiples of 4", "0x1001"]);
    refused(|b| b.memories[0].base = 0x0800_0002, &["flash", "multiples of 4", "0x8000002"]);
    refused(|b| b.memories[1].timing = ONE_WAIT_STATE, &["sram", "timing.model", "zero-wait"]);
    let cache = MemoryTiming::InstructionCache { size: 64, line: 16, ways: 1, miss: 9, data_read: 9 };
    refused(
        |b| b.memories[0].timing = cache.clone(),
        &["flash", "timing.model", "\"instruction-cache\"", "write \"zero-wait\", \"prefetch\""],
    );
    refused(|b| b.memories[0].size = 0x40, &["flash", "do not fit", "64"]);
}
