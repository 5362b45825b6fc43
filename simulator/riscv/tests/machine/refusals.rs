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
        refusal(|b| {
            b.core = pennyweight_bundled::core("cortex-m0");
            b.extensions.clear();
        }),
        "cores/cortex-m0.toml: instruction_set is \"armv6-m\"; correct it to \"rv32i\" or \"rv32e\""
    );
    assert_eq!(
        refusal(|b| b.extensions = vec!["zbb".into(), "v".into()]),
        "board test: core.extensions has \"v\", which the core \"sifive-e31\" cannot have; correct it to \"zba\", \"zbb\" or \"zbkb\""
    );
    let prefetch = MemoryTiming::Prefetch { wait_states: 1, line: 4, lines: 1 };
    assert_eq!(
        refusal(|b| b.memories[0].timing = prefetch),
        "board test: [[memory]] flash: timing.model is \"prefetch\", which the core \"sifive-e31\" cannot have; write \"zero-wait\" or \"instruction-cache\""
    );
    let buffer = MemoryTiming::FetchBuffer { wait_states: 1, line: 4, lines: 3 };
    assert_eq!(
        refusal(|b| b.memories[0].timing = buffer),
        "board test: [[memory]] flash: timing.model is \"fetch-buffer\", which the core \"sifive-e31\" cannot have; write \"zero-wait\" or \"instruction-cache\""
    );
    let qingke = |b: &mut pennyweight_machine::Board| {
        b.core = pennyweight_bundled::core("qingke-v2a");
        b.extensions.clear();
    };
    assert_eq!(
        refusal(qingke),
        "board test: [[memory]] flash: timing.model is \"instruction-cache\", which the core \"qingke-v2a\" cannot have; write \"zero-wait\" or \"fetch-buffer\""
    );
    assert_eq!(
        refusal(|b| {
            qingke(b);
            b.core.extensions.push("m".into());
        }),
        "cores/qingke-v2a.toml: extensions has \"m\", which the timing model \"qingke-v2a\" does not support; remove it"
    );
    assert!(refusal(|b| b.memories[0].size = 8).contains("16 bytes do not fit 8"));
}
