//! Boards that this simulator refuses, each in one sentence.

use super::program::{board, CACHED};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_riscv::RiscvMachine;

fn refusal(change: impl FnOnce(&mut pennyweight_machine::Board)) -> String {
    let mut board = board(CACHED);
    change(&mut board);
    RiscvMachine::from_flash(&board, &[0; 16], 16, 0).expect_err("refused").to_string()
}

#[test]
fn each_has_its_sentence() {
    assert_eq!(
        refusal(|b| b.core = "cortex-m0".into()),
        "board test: core.name is \"cortex-m0\", but the RISC-V simulator has only sifive-e31, sifive-e31-g000; correct it"
    );
    assert_eq!(
        refusal(|b| b.extensions = vec!["zbb".into(), "v".into()]),
        "board test: core.extensions has \"v\", which is none of \"zba\", \"zbb\", \"zbkb\"; correct it"
    );
    let prefetch = MemoryTiming::Prefetch { wait_states: 1, line: 4, lines: 1 };
    assert_eq!(
        refusal(|b| b.memories[0].timing = prefetch),
        "board test: [[memory]] flash: timing.model is \"prefetch\", which the core \"sifive-e31\" cannot have; write \"zero-wait\" or \"instruction-cache\""
    );
    assert!(refusal(|b| b.memories[0].size = 8).contains("16 bytes do not fit 8"));
}
