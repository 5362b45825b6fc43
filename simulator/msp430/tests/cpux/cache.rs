//! FRAM behind its cache, and whole runs.

use pennyweight_machine::{Access, Arg, CallOptions, Machine, Observer, Zone};
use pennyweight_msp430::Msp430xMachine;

use crate::parts::*;

/// The MSP430FR5994's at 16 MHz.
const CACHE: &str = "{ model = \"associative-cache\", size = 32, line = 8, ways = 2, miss = 1 }";

/// Each new line of four words takes a cycle more, of code and of data; RAM does not.
#[test]
fn lines_that_are_not_cached_take_a_cycle_more() {
    let program: Vec<u16> = [
        vec![0x4303; 3],
        two(MOV, false, indexed(0, 6), to(10)),
        two(MOV, false, indexed(0, 7), to(10)),
        two(MOV, false, indexed(2, 6), to(10)),
    ]
    .concat();
    // CODE is the start of a line. R6 is in flash, R7 in RAM.
    let registers = [(6, u32::from(CODE) + 0x100), (7, AT.into())];
    let mut m = prepared_on(CACHE, &program, &registers, &[(AT, 1)]);
    let cycles: Vec<u64> = (0..6).map(|_| step(&mut m).cycles).collect();
    // The fourth is in two lines and reads a third one.
    assert_eq!(cycles, [2, 1, 1, 3 + 2, 3, 3 + 1]);
    // The cache still has all lines except those of code that data replaced: sets of two.
    let mut all = m.registers();
    all.0[PC] = CODE.into();
    m.set_registers(&all);
    let cycles: Vec<u64> = (0..3).map(|_| step(&mut m).cycles).collect();
    assert_eq!(cycles, [2, 1, 1]);
}

#[test]
fn without_wait_states_a_line_costs_nothing() {
    let mut m = prepared(&[0x4303; 6], &[], &[]);
    assert!((0..6).all(|_| step(&mut m).cycles == 1));
}

/// Boots a machine whose start-up sets SP and is ready 4 bytes behind [`CODE`]; then this code.
fn booted(timing: &str, code: &[u16]) -> Msp430xMachine {
    let start = [two(MOV, false, immediate(RAM.1), to(1)), vec![crate::common::jump(7, -1)]].concat();
    let mut flash = vec![0xff; usize::from(CODE - FLASH)];
    flash.extend(start.iter().chain(code).flat_map(|w| w.to_le_bytes()));
    flash.resize(0x2000, 0xff);
    flash[0x1ffe..].copy_from_slice(&CODE.to_le_bytes());
    let mut m = Msp430xMachine::with_flash(&board(timing), &flash).expect("a good board");
    m.boot(u32::from(CODE) + 4, 1000);
    m
}

/// A loop of 16 bytes is in the cache from its second turn on; the content stays from call to call.
#[test]
fn a_loop_is_cached() {
    let body = [
        vec![0x5c0d; 2],
        two(SUB, false, Source(1, 3, None), to(12)),
        vec![crate::common::jump(0, -4)],
        two(MOV, false, increment(1), to(0)),
    ]
    .concat();
    let options = CallOptions { budget: 10_000, stack_limit: 0x1d00, zones: Vec::new() };
    let function = u32::from(CODE) + 6;
    let run = |timing: &str| {
        let mut m = booted(timing, &body);
        m.snapshot();
        let mut calls: Vec<u64> =
            (0..2).map(|_| m.call(function, &[Arg::Int(10)], &options).cycles).collect();
        m.restore();
        calls.push(m.call(function, &[Arg::Int(10)], &options).cycles);
        calls
    };
    let plain = 10 * (1 + 1 + 1 + 2) + 4;
    assert_eq!(run(ZERO_WAIT), [plain; 3]);
    // Two lines, of which the call has read the first.
    assert_eq!(run(CACHE), [plain + 1, plain, plain + 1]);
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

/// With any content of flash, a run ends with an outcome, and an observed run with the same.
#[test]
fn random_flash_runs_to_some_end() {
    let mut random = Random(0x5994);
    for round in 0..150 {
        let mut flash: Vec<u8> = (0..0x2000).map(|_| random.next() as u8).collect();
        for pair in flash.chunks_exact_mut(4).step_by(5) {
            let target = FLASH | random.next() & 0x1ffe;
            let codes: [u16; 4] = [0x4030, 0x12b0, 0x0080, 0x13b0];
            let code = codes[usize::from(target >> 3 & 3)];
            pair[..2].copy_from_slice(&code.to_le_bytes());
            pair[2..].copy_from_slice(&target.to_le_bytes());
        }
        let timing = if round % 2 == 0 { CACHE } else { ZERO_WAIT };
        let mut m = Msp430xMachine::with_flash(&board(timing), &flash).expect("a good board");
        m.boot(u32::from(FLASH | random.next() & 0x1ffe), 5_000);
        m.snapshot();
        let zones = vec![Zone { start: 0x1d00, end: 0x1e00, no_read: true, no_write: round % 3 == 0 }];
        for zones in [Vec::new(), zones] {
            let options = CallOptions { budget: 5_000, stack_limit: 0x1c80, zones };
            let args = [Arg::Pointer(0x1f00), Arg::U64(7), Arg::Int(-1)];
            let function = u32::from(FLASH | random.next() & 0x1ffe);
            let outcome = m.call(function, &args, &options);
            assert!(outcome.cycles < 5_000 + 0x2000 * 12);
            m.restore();
            let mut sum = Sum::default();
            let observed = m.call_observed(function, &args, &options, &mut sum).expect("offered");
            assert_eq!(observed, outcome);
            assert_eq!((sum.cycles, sum.instructions), (outcome.cycles, outcome.instructions));
            m.restore();
        }
    }
}

/// Timing that CPUX cannot have, and memories that it has not.
#[test]
fn boards_that_no_msp430x_is_like() {
    let refusal = |board: pennyweight_machine::Board| {
        Msp430xMachine::with_flash(&board, &[])
            .err()
            .map_or_else(|| "taken".into(), |error| error.to_string())
    };
    let prefetch = "{ model = \"prefetch\", wait_states = 1, line = 4, lines = 3 }";
    let message = refusal(board(prefetch));
    assert!(message.contains("write \"zero-wait\" or \"associative-cache\""), "{message}");
    let mut low = board(ZERO_WAIT);
    low.memories[0].base = 0x0c00;
    assert!(refusal(low).contains("between 0x1000 and 0x10000"));
    let mut waiting = board(ZERO_WAIT);
    waiting.memories[0].timing = board(CACHE).memories[1].timing.clone();
    assert!(refusal(waiting).contains("RAM of an MSP430X has no wait states"));
    assert_eq!(refusal(board(CACHE)), "taken");
}
