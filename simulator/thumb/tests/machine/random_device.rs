//! The part's random number generator, as programs read it.

use super::assembler::assemble;
use super::program::{board, flash, options, FLASH, FUNCTION, ONE_WAIT_STATE, RAM, READY};
use pennyweight_machine::board::MemoryTiming;
use pennyweight_machine::{
    Access, Arg, CoreFile, Drawn, Exit, Fault, FaultKind, Machine as _, Observer, Outcome, RandomSource,
};
use pennyweight_thumb::core::{Core, CortexM0, CortexM3, CortexM4};
use pennyweight_thumb::ThumbMachine;

const SOURCE: RandomSource = RandomSource {
    status: 0x400b_c01c,
    ready: 1,
    data: 0x400b_c050,
    bits: 32,
    cycles: 84,
    acknowledge: false,
};

/// Waits for a number and returns it.
const POLL: &str = "ldr r3, [r0]; cmp r3, #0; beq .-4; ldr r0, [r1]; bx lr";

fn machine<C: Core>(timing: MemoryTiming, code: &str, source: RandomSource) -> ThumbMachine<C> {
    let core: CoreFile = pennyweight_bundled::core(C::MODEL);
    let board = pennyweight_machine::Board { core, random: Some(source), ..board(timing) };
    let bytes = flash(&assemble(code));
    let mut machine = ThumbMachine::from_flash(&board, &bytes, bytes.len(), 0).expect("the board is sound");
    assert_eq!(machine.boot(READY, 1000).exit, Exit::Returned);
    machine.snapshot();
    machine
}

fn registers(source: RandomSource) -> [Arg; 2] {
    [Arg::Pointer(source.status), Arg::Pointer(source.data)]
}

/// Sums up what is reported to it.
#[derive(Default)]
struct Seen {
    cycles: u64,
    reads: Vec<u32>,
}

impl Observer for Seen {
    fn instruction(&mut self, _: u32, _: &str, cycles: u32) {
        self.cycles += u64::from(cycles);
    }

    fn access(&mut self, address: u32, _: u32, access: Access) {
        assert_eq!(access, Access::Read);
        self.reads.push(address);
    }

    fn called(&mut self, _: u32, _: u32) {}

    fn returned(&mut self, _: u32) {}
}

/// The outcome, which must be the same when the call is observed.
fn call<C: Core>(timing: MemoryTiming, code: &str, source: RandomSource) -> Outcome {
    let mut machine = machine::<C>(timing, code, source);
    let outcome = machine.call(FUNCTION, &registers(source), &options());
    machine.restore();
    let mut seen = Seen::default();
    let observed = machine.call_observed(FUNCTION, &registers(source), &options(), &mut seen);
    assert_eq!(observed, Some(outcome));
    assert_eq!(seen.cycles, outcome.cycles);
    assert!(seen.reads.contains(&source.data));
    outcome
}

#[test]
fn the_first_number_does_not_wait() {
    let outcome = call::<CortexM0>(MemoryTiming::ZeroWait, POLL, SOURCE);
    assert_eq!(outcome.exit, Exit::Returned);
    // Two loads of 2 cycles, comparison, branch that is not taken, return.
    assert_eq!((outcome.cycles, outcome.instructions), (2 + 1 + 1 + 2 + 3, 5));
    assert_eq!(outcome.random, Drawn { bits: 32, waited: 0 });
    assert_ne!(outcome.result, 0);
}

/// Twice the loop: the first number is read in cycle 4, so that the next one is ready in cycle 88.
const TWICE: &str = "ldr r3, [r0]; cmp r3, #0; beq .-4; ldr r5, [r1]; \
                     ldr r3, [r0]; cmp r3, #0; beq .-4; ldr r0, [r1]; bx lr";

#[test]
fn the_second_number_waits_for_its_time() {
    let outcome = call::<CortexM0>(MemoryTiming::ZeroWait, TWICE, SOURCE);
    // Reads the status in cycle 6, 12, ..., 90: each turn takes 2 + 1 + 3.
    let found = 90;
    assert_eq!(outcome.random, Drawn { bits: 64, waited: found + 2 + 1 + 1 - 6 });
    assert_eq!(outcome.cycles, found + 2 + 1 + 1 + 2 + 3);
}

#[test]
fn observed_calls_agree_on_every_core_and_timing() {
    let bus =
        MemoryTiming::BusMatrix { wait_states: 4, line: 16, pause_wait_states: 3, connect_wait_states: 1 };
    let cache = MemoryTiming::AssociativeCache { size: 4096, data_size: 4096, line: 16, ways: 4, miss: 6 };
    let stream = MemoryTiming::Stream { wait_states: 5, line: 16, cached_lines: 64, data_lines: 8 };
    assert!(call::<CortexM0>(ONE_WAIT_STATE, TWICE, SOURCE).random.waited > 60);
    assert!(call::<CortexM3>(bus, TWICE, SOURCE).random.waited > 60);
    for timing in [MemoryTiming::ZeroWait, cache, stream] {
        assert!(call::<CortexM4>(timing, TWICE, SOURCE).random.waited > 60);
    }
}

#[test]
fn a_read_takes_as_long_as_one_of_ram() {
    let code = "ldr r3, [r0]; cmp r3, #0; movs r0, #1; bx lr";
    let mut machine = machine::<CortexM0>(ONE_WAIT_STATE, code, SOURCE);
    let device = machine.call(FUNCTION, &registers(SOURCE), &options()).cycles;
    machine.restore();
    assert_eq!(machine.call(FUNCTION, &[Arg::Pointer(RAM); 2], &options()).cycles, device);
}

#[test]
fn numbers_repeat_after_a_restore_and_go_on_without() {
    let mut machine = machine::<CortexM4>(MemoryTiming::ZeroWait, POLL, SOURCE);
    let mut number = || {
        let result = machine.call(FUNCTION, &registers(SOURCE), &options()).result;
        (result, machine.call(FUNCTION, &registers(SOURCE), &options()).result)
    };
    let (first, second) = number();
    let (third, _) = number();
    assert!(first != second && second != third && first != third);
    machine.restore();
    assert_eq!(machine.call(FUNCTION, &registers(SOURCE), &options()).result, first);
}

#[test]
fn a_read_may_be_conditional() {
    // r2 and r3 are equal: the reads happen, and what follows in the block too.
    let code = "cmp r2, #0; itt eq; ldr r0, [r1]; adds r0, #2; bx lr";
    let read = call::<CortexM4>(MemoryTiming::ZeroWait, "ldr r0, [r1]; bx lr", SOURCE);
    let outcome = call::<CortexM4>(MemoryTiming::ZeroWait, code, SOURCE);
    assert_eq!(outcome.result, read.result.wrapping_add(2));
    assert_eq!(outcome.random.bits, 32);
}

#[test]
fn clearing_the_status_is_allowed_where_the_part_wants_it() {
    let code = "str r3, [r0]; ldr r0, [r1]; bx lr";
    let bytes = RandomSource { bits: 8, acknowledge: true, ..SOURCE };
    let mut wants = machine::<CortexM4>(MemoryTiming::ZeroWait, code, bytes);
    let outcome = wants.call(FUNCTION, &registers(bytes), &options());
    assert_eq!((outcome.exit, outcome.random.bits), (Exit::Returned, 8));
    assert!((0..256).contains(&outcome.result));
    let mut other = machine::<CortexM4>(MemoryTiming::ZeroWait, code, SOURCE);
    let kind = FaultKind::Unmapped { address: SOURCE.status, size: 4, access: Access::Write };
    assert_eq!(
        other.call(FUNCTION, &registers(SOURCE), &options()).exit,
        Exit::Fault(Fault { kind, pc: FUNCTION })
    );
}

#[test]
fn everything_else_outside_the_memories_still_faults() {
    let mut machine = machine::<CortexM4>(MemoryTiming::ZeroWait, POLL, SOURCE);
    let kind = FaultKind::Unmapped { address: SOURCE.data + 4, size: 4, access: Access::Read };
    let args = [Arg::Pointer(SOURCE.status), Arg::Pointer(SOURCE.data + 4)];
    let outcome = machine.call(FUNCTION, &args, &options());
    assert_eq!(outcome.exit, Exit::Fault(Fault { kind, pc: FUNCTION + 6 }));
    let args = [Arg::Pointer(SOURCE.status), Arg::Pointer(FLASH)];
    assert_eq!(machine.call(FUNCTION, &args, &options()).exit, Exit::Returned);
}
