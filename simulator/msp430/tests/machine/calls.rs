//! Boot and calls by the ABI.

use pennyweight_machine::{Arg, CallOptions, Exit, Machine, Outcome};
use pennyweight_msp430::Msp430Machine;

use crate::common::*;

/// A machine that boots: SP to the end of RAM, then a jump to itself. Functions follow.
fn booted(functions: &[u16]) -> Msp430Machine {
    let mut flash = vec![0xff; usize::from(CODE - FLASH)];
    let start = [two(MOV, false, immediate(RAM.1), to(1)), vec![jump(7, -1)]].concat();
    flash.extend(start.iter().chain(functions).flat_map(|w| w.to_le_bytes()));
    flash.resize(0x2000, 0xff);
    flash[0x1ffe..].copy_from_slice(&CODE.to_le_bytes());
    let mut m = Msp430Machine::with_flash(&board(), &flash).expect("a good board");
    let outcome = m.boot(u32::from(CODE) + 4, 1000);
    assert_eq!((outcome.exit, outcome.cycles, outcome.instructions), (Exit::Returned, 2, 1));
    m
}

/// Where functions begin.
const FUNCTION: u32 = CODE as u32 + 6;

fn ret() -> Vec<u16> {
    two(MOV, false, increment(1), to(0))
}

fn call(m: &mut Msp430Machine, args: &[Arg]) -> Outcome {
    m.call(FUNCTION, args, &CallOptions { budget: 10_000, stack_limit: 0x1200, zones: Vec::new() })
}

#[test]
fn cycles_are_those_of_the_function_and_its_return() {
    let mut m = booted(&[two(SUB, false, r(13), to(12)), ret()].concat());
    assert_eq!(m.stack_top(), 0x3900);
    let outcome = call(&mut m, &[Arg::Int(3), Arg::Int(5)]);
    assert_eq!((outcome.exit, outcome.result), (Exit::Returned, -2));
    assert_eq!((outcome.cycles, outcome.instructions, outcome.stack), (1 + 3, 2, 2));
}

/// A length without registers is above the return address, and so are the arguments after it.
#[test]
fn arguments_on_the_stack() {
    let code = [
        two(MOV, false, indexed(2, 1), to(12)),
        two(ADD, false, indexed(8, 1), to(12)),
        two(ADD, false, indexed(10, 1), to(12)),
        two(ADD, false, r(13), to(12)),
        ret(),
    ]
    .concat();
    let mut m = booted(&code);
    let args = [
        Arg::Pointer(0),
        Arg::U64(0x2000_0000_0000_0100),
        Arg::Size(3),
        Arg::Int(0),
        Arg::Int(0),
        Arg::Pointer(0x1000),
    ];
    let outcome = call(&mut m, &args);
    assert_eq!(outcome.result, 0x100 + 0x2000 + 0x1000 + 3);
    assert_eq!(outcome.stack, 2, "the caller's arguments do not count");
}

#[test]
fn the_high_water_mark_counts_space_and_stores() {
    let code = [
        one(PUSH, false, r(10)),
        two(SUB, false, immediate(0x20), to(1)),
        two(MOV, false, r(12), to_indexed(0xfffc, 1)),
        two(ADD, false, immediate(0x20), to(1)),
        two(MOV, false, increment(1), to(10)),
        ret(),
    ]
    .concat();
    let mut m = booted(&code);
    assert_eq!(call(&mut m, &[]).stack, 2 + 2 + 0x20 + 4);
}

/// A function that calls another: cycles of both.
#[test]
fn nested_calls() {
    let code =
        [one(CALL, false, immediate(FUNCTION as u16 + 6)), ret(), two(ADD, false, r(12), to(12)), ret()]
            .concat();
    let mut m = booted(&code);
    let outcome = call(&mut m, &[Arg::Int(21)]);
    assert_eq!((outcome.result, outcome.cycles, outcome.instructions), (42, 5 + 1 + 3 + 3, 4));
    assert_eq!(outcome.stack, 4);
}

/// A return through a register, as BR does it.
#[test]
fn a_return_by_any_means_is_one() {
    let mut m = booted(&[two(MOV, false, increment(1), to(11)), two(MOV, false, r(11), to(0))].concat());
    let outcome = call(&mut m, &[]);
    assert_eq!((outcome.exit, outcome.cycles), (Exit::Returned, 2 + 2));
}

#[test]
fn what_a_call_leaves_is_taken_back() {
    let code = [
        two(ADD, false, immediate(1), to_absolute(0x1200)),
        two(MOV, false, absolute(0x1200), to(12)),
        ret(),
    ];
    let mut m = booted(&code.concat());
    m.write(0x1200, &[41, 0]).expect("in RAM");
    m.snapshot();
    assert_eq!(call(&mut m, &[]).result, 42);
    assert_eq!(call(&mut m, &[]).result, 43);
    m.restore();
    assert_eq!(call(&mut m, &[]).result, 42);
    // The multiplier is part of the state.
    assert_eq!(m.multiplier(0x130), 0);
}

#[test]
fn memory_from_outside() {
    let mut m = booted(&ret());
    assert!(m.write(0x1100, &[1; 0x2800]).is_ok());
    assert!(m.write(0x1100, &[1; 0x2801]).is_err());
    assert!(m.write(0x10ff, &[1]).is_err());
    assert!(m.write(u32::from(FLASH), &[1]).is_err());
    let mut bytes = [0; 2];
    assert!(m.read(0xfffe, &mut bytes).is_ok());
    assert_eq!(bytes, CODE.to_le_bytes());
    assert!(m.read(0xffff, &mut bytes).is_err());
    assert!(m.read(0xffff_ffff, &mut bytes).is_err());
    assert!(m.read(0xdfff, &mut bytes).is_err());
}
