//! Random flash images run to some end: no panic, no hang, budgets kept, the loops agree.

use super::assembler::assemble;
use super::program::{board, flash, FLASH, FUNCTION, M0, ONE_WAIT_STATE, RAM, RAM_SIZE, READY};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{Access, Arg, CallOptions, Exit, Machine as _, Observer, Outcome, Zone};

const IMAGES: u64 = 3000;
const BUDGET: u64 = 5000;
/// No stretch without a taken branch costs more: 2048 halfwords, none above 20 cycles.
const STRETCH: u64 = 40_000;

const NO_WAIT_STATE: MemoryTiming = MemoryTiming::Prefetch { wait_states: 0, line: 4, lines: 3 };

/// SplitMix64.
fn next(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Random halfwords: all of them, or mostly instructions that continue, and a few returns.
fn code(seed: &mut u64) -> Vec<u16> {
    let tame = next(seed) & 3 != 0;
    let returning = assemble("bx lr; push {r0, r1}; pop {r2, r3}; mov r0, pc");
    (0..256)
        .map(|_| {
            let word = next(seed) as u16;
            match (tame, word >> 12) {
                (false, _) => word,
                // Loads and stores seldom, branches short, the rest as data processing.
                (_, 0x5..=0x9 | 0xc) if next(seed) & 7 != 0 => word & 0x1fff,
                (_, 0xd) => word & 0xfd0f,
                (_, 0x4 | 0xb) => 0x4000 | word & 0x03ff,
                (_, 0xe | 0xf) => returning[usize::from(word & 3)],
                _ => word,
            }
        })
        .collect()
}

fn random_call(timing: MemoryTiming, seed: u64, zones: &[Zone]) -> Outcome {
    call_of(timing, seed, zones, BUDGET).0
}

fn call_of(timing: MemoryTiming, seed: u64, zones: &[Zone], budget: u64) -> (Outcome, M0) {
    let (mut machine, args, options) = prepared(timing, seed, zones, budget);
    (machine.call(FUNCTION, &args, &options), machine)
}

fn prepared(timing: MemoryTiming, mut seed: u64, zones: &[Zone], budget: u64) -> (M0, Vec<Arg>, CallOptions) {
    let bytes = flash(&code(&mut seed));
    let used = if next(&mut seed) & 1 == 0 { bytes.len() } else { 0x180 };
    let mut machine = M0::from_flash(&board(timing), &bytes, used, 0).expect("the board is sound");
    machine.boot(READY, 100);
    // Pointers where they do something: RAM, flash, the code.
    let mut pointer = || {
        let region = [RAM, RAM, FLASH, FUNCTION][(next(&mut seed) & 3) as usize];
        region + (next(&mut seed) as u32 & 0x3ff) * if next(&mut seed) & 7 == 0 { 1 } else { 4 }
    };
    let args: Vec<Arg> = (0..4).map(|_| Arg::Pointer(pointer())).collect();
    for i in 4..13 {
        machine.state_mut().registers[pennyweight_thumb::registers::Reg::from_bits(i)] = pointer();
    }
    let options = CallOptions { budget, stack_limit: RAM + 0x400, zones: zones.to_vec() };
    (machine, args, options)
}

#[test]
fn random_images_end_within_their_budget() {
    let zones = [Zone { start: RAM, end: RAM + 0x100, no_read: true, no_write: true }];
    let mut ends = [0; 3];
    for seed in 0..IMAGES {
        for (timing, zones) in [(MemoryTiming::ZeroWait, &zones[..0]), (ONE_WAIT_STATE, &zones[..])] {
            let outcome = random_call(timing, seed, zones);
            assert!(outcome.cycles <= BUDGET + STRETCH, "seed {seed}: {outcome:?}");
            assert!(outcome.instructions <= outcome.cycles, "seed {seed}: {outcome:?}");
            assert!(outcome.stack <= RAM_SIZE - 0x400, "seed {seed}: {outcome:?}");
            ends[match outcome.exit {
                Exit::Returned => 0,
                Exit::OutOfCycles { .. } => 1,
                Exit::Fault(_) => 2,
            }] += 1;
        }
    }
    // The images are worth something only if they end in every way.
    assert!(ends.iter().all(|&count| count > 10), "{ends:?}");
}

#[test]
fn a_prefetch_buffer_without_wait_states_costs_nothing() {
    for seed in 0..IMAGES {
        let zero = random_call(MemoryTiming::ZeroWait, seed, &[]);
        let buffered = random_call(NO_WAIT_STATE, seed, &[]);
        assert_eq!(zero, buffered, "seed {seed}");
    }
}

#[test]
fn zones_that_forbid_nothing_change_nothing() {
    let far = [Zone { start: RAM, end: RAM + 0x100, no_read: false, no_write: false }];
    for seed in 0..IMAGES / 4 {
        assert_eq!(random_call(ONE_WAIT_STATE, seed, &[]), random_call(ONE_WAIT_STATE, seed, &far));
    }
}

#[test]
fn steps_lead_where_runs_lead() {
    for seed in 0..IMAGES / 4 {
        let (outcome, run) = call_of(MemoryTiming::ZeroWait, seed, &[], BUDGET);
        // A budget of nothing prepares the call and runs nothing.
        let (_, mut stepped) = call_of(MemoryTiming::ZeroWait, seed, &[], 0);
        let cycles: u64 =
            (0..outcome.instructions).map(|_| stepped.step().expect("what ran before runs again")).sum();
        assert_eq!((cycles, stepped.state().pc), (outcome.cycles, run.state().pc), "seed {seed}");
        // A fault may leave an LDM partly done.
        if !matches!(outcome.exit, Exit::Fault(_)) {
            assert_eq!(stepped.state(), run.state(), "seed {seed}");
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
        for (timing, zones) in [(MemoryTiming::ZeroWait, &zones[..0]), (ONE_WAIT_STATE, &zones[..])] {
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
