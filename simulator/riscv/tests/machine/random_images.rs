//! Random flash images run to some end: no panic, no hang, budgets kept, the loops agree.

use super::program::{board, board_with, flash, CACHED, FLASH, FUNCTION, RAM, RAM_SIZE, READY};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Access, Arg, CallOptions, Exit, Machine as _, Observer, Outcome, Zone};
use pennyweight_riscv::registers::Reg;
use pennyweight_riscv::RiscvMachine;

const IMAGES: u64 = 3000;
const BUDGET: u64 = 5000;
/// No stretch without a taken jump costs more: 2048 halfwords, each a division or a miss.
const STRETCH: u64 = 200_000;

/// SplitMix64.
fn next(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Random words: all of them, or mostly instructions that continue, and a few returns.
fn code(seed: &mut u64) -> Vec<u8> {
    let tame = next(seed) & 3 != 0;
    let mut bytes = Vec::new();
    while bytes.len() < 512 {
        let word = next(seed) as u32;
        let word = match (tame, next(seed) & 15) {
            (false, _) => word,
            (_, 0..=5) => word & !0x7f | 0x13,
            (_, 6..=8) => word & 0x01ff_ff80 | 0x33,
            // Loads, stores and branches of short range.
            (_, 9) => word & 0x07ff_ff80 | 0x03,
            (_, 10) => word & 0x07ff_ff80 | 0x23,
            (_, 11) => word & 0x81ff_ff80 | 0x63,
            (_, 12) => word & 0x03ff_f0ef | 0x6f,
            (_, 13) => 0x0000_8067,
            _ => {
                bytes.extend((word as u16 & !3 | (1 + (word >> 30 & 1) as u16)).to_le_bytes());
                continue;
            }
        };
        bytes.extend(word.to_le_bytes());
    }
    bytes
}

fn call_of(timing: MemoryTiming, seed: u64, zones: &[Zone], budget: u64) -> (Outcome, RiscvMachine) {
    let (mut machine, args, options) = prepared(timing, seed, zones, budget);
    (machine.call(FUNCTION, &args, &options), machine)
}

fn prepared(
    timing: MemoryTiming,
    mut seed: u64,
    zones: &[Zone],
    budget: u64,
) -> (RiscvMachine, Vec<Arg>, CallOptions) {
    let bytes = flash(&code(&mut seed));
    let used = if next(&mut seed) & 1 == 0 { bytes.len() } else { 0x180 };
    // A core that predicts jumps, and one that waits for their targets.
    let board =
        if next(&mut seed).is_multiple_of(3) { board_with("esp32-c3", timing) } else { board(timing) };
    let mut machine = RiscvMachine::from_flash(&board, &bytes, used, FLASH).expect("the board is sound");
    machine.boot(READY, 1000);
    // Pointers where they do something: RAM, flash, the code.
    let mut pointer = || {
        let region = [RAM, RAM, FLASH, FUNCTION][(next(&mut seed) & 3) as usize];
        region + (next(&mut seed) as u32 & 0x1ff) * if next(&mut seed) & 7 == 0 { 1 } else { 4 }
    };
    let args: Vec<Arg> = (0..8).map(|_| Arg::Pointer(pointer())).collect();
    for i in 18..32 {
        machine.state_mut().registers[Reg::source(i)] = pointer();
    }
    let options = CallOptions { budget, stack_limit: 0, zones: zones.to_vec() };
    (machine, args, options)
}

#[test]
fn random_images_end_within_their_budget() {
    let zones = [Zone { start: RAM, end: RAM + 0x100, no_read: true, no_write: true }];
    let mut ends = [0; 3];
    for seed in 0..IMAGES {
        for (timing, zones) in [(MemoryTiming::ZeroWait, &zones[..0]), (CACHED, &zones[..])] {
            let (outcome, _) = call_of(timing, seed, zones, BUDGET);
            assert!(outcome.cycles <= BUDGET + STRETCH, "seed {seed}: {outcome:?}");
            assert!(outcome.instructions <= outcome.cycles, "seed {seed}: {outcome:?}");
            ends[match outcome.exit {
                Exit::Returned => 0,
                Exit::OutOfCycles { .. } => 1,
                Exit::Fault(_) => 2,
            }] += 1;
        }
    }
    // The images are worth something only if they end in every way.
    assert!(ends.iter().all(|&count| count > 3), "{ends:?}");
    assert_eq!(RAM_SIZE, 0x1000);
}

#[test]
fn zones_that_forbid_nothing_change_nothing() {
    let far = [Zone { start: RAM, end: RAM + 0x100, no_read: false, no_write: false }];
    for seed in 0..IMAGES / 4 {
        assert_eq!(call_of(CACHED, seed, &[], BUDGET).0, call_of(CACHED, seed, &far, BUDGET).0);
    }
}

#[test]
fn steps_lead_where_runs_lead() {
    for seed in 0..IMAGES {
        for timing in [MemoryTiming::ZeroWait, CACHED] {
            let (outcome, run) = call_of(timing.clone(), seed, &[], BUDGET);
            // A budget of nothing prepares the call and runs nothing.
            let (_, mut stepped) = call_of(timing, seed, &[], 0);
            let cycles: u64 =
                (0..outcome.instructions).map(|_| stepped.step().expect("what ran before runs again")).sum();
            assert_eq!(stepped.state().pc, run.state().pc, "seed {seed}");
            assert_eq!(stepped.state().registers, run.state().registers, "seed {seed}");
            // A faulting instruction may have waited, been fetched or read flash before it faulted.
            if !matches!(outcome.exit, Exit::Fault(_)) {
                assert_eq!(cycles, outcome.cycles, "seed {seed}");
            }
        }
    }
}

/// Adds up what is reported to it.
#[derive(Default)]
struct Sum {
    cycles: u64,
    instructions: u64,
}

impl Observer for Sum {
    fn access(&mut self, _: u32, _: u32, _: Access) {}

    fn instruction(&mut self, _: u32, _: &str, cycles: u32) {
        self.cycles += u64::from(cycles);
        self.instructions += 1;
    }

    fn called(&mut self, _: u32, _: u32) {}

    fn returned(&mut self, _: u32) {}
}

#[test]
fn observed_calls_end_as_others_do() {
    let zones = [Zone { start: RAM, end: RAM + 0x100, no_read: true, no_write: true }];
    for seed in 0..IMAGES / 2 {
        for (timing, zones) in [(MemoryTiming::ZeroWait, &zones[..0]), (CACHED, &zones[..])] {
            let (plain, unobserved) = call_of(timing.clone(), seed, zones, BUDGET);
            let (mut machine, args, options) = prepared(timing, seed, zones, BUDGET);
            let mut sum = Sum::default();
            let outcome = machine.call_observed(FUNCTION, &args, &options, &mut sum).expect("offered");
            assert_eq!(outcome.exit, plain.exit, "seed {seed}");
            assert_eq!(
                (outcome.instructions, outcome.stack),
                (plain.instructions, plain.stack),
                "seed {seed}"
            );
            assert_eq!(sum.instructions, plain.instructions, "seed {seed}");
            assert_eq!(machine.state().registers, unobserved.state().registers, "seed {seed}");
            // A faulting instruction may have waited, been fetched or read flash before it faulted.
            if !matches!(outcome.exit, Exit::Fault(_)) {
                assert_eq!((outcome.cycles, sum.cycles), (plain.cycles, plain.cycles), "seed {seed}");
            }
        }
    }
}
