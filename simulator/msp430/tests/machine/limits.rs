//! What bounds a call: the budget, the stack's limit, guard zones.

use std::slice;

use pennyweight_machine::{Access, Arg, CallOptions, Exit, Fault, FaultKind, Machine, Zone};
use pennyweight_msp430::Msp430Machine;

use crate::common::*;

/// Boots a machine whose start-up sets SP and is ready 4 bytes behind [`CODE`]; then this code.
fn booted(code: &[u16]) -> Msp430Machine {
    let start = [two(MOV, false, immediate(RAM.1), to(1)), vec![jump(7, -1)]].concat();
    let mut flash = vec![0xff; usize::from(CODE - FLASH)];
    flash.extend(start.iter().chain(code).flat_map(|w| w.to_le_bytes()));
    flash.resize(0x2000, 0xff);
    flash[0x1ffe..].copy_from_slice(&CODE.to_le_bytes());
    let mut m = Msp430Machine::with_flash(&board(), &flash).expect("a good board");
    m.boot(u32::from(CODE) + 4, 1000);
    m
}

fn options(budget: u64) -> CallOptions {
    CallOptions { budget, stack_limit: 0x1200, zones: Vec::new() }
}

#[test]
fn a_loop_without_end_uses_its_budget() {
    let mut m = booted(&[jump(7, -1)]);
    let outcome = m.call(u32::from(CODE) + 6, &[], &options(1001));
    assert_eq!(outcome.exit, Exit::OutOfCycles { pc: u32::from(CODE) + 6 });
    assert_eq!((outcome.cycles, outcome.instructions), (1002, 501));
}

#[test]
fn a_start_that_never_is_ready() {
    let mut m = booted(&[0x4303]);
    let outcome = m.boot(u32::from(CODE) + 6, 100);
    assert!(matches!(outcome.exit, Exit::OutOfCycles { .. }));
    for ready in [CODE as u32 + 1, 0x1_0000, 0x1200] {
        assert!(
            matches!(m.boot(ready, 100).exit, Exit::Fault(f) if matches!(f.kind, FaultKind::Unmapped { .. }))
        );
    }
}

#[test]
fn recursion_meets_the_limit() {
    let here = CODE + 6;
    let mut m = booted(&one(CALL, false, immediate(here)));
    let outcome = m.call(here.into(), &[], &options(1_000_000));
    let Exit::Fault(fault) = outcome.exit else { panic!("{:?}", outcome.exit) };
    assert_eq!(fault.kind, FaultKind::StackOverflow { address: 0x11fe, limit: 0x1200 });
    assert_eq!(outcome.cycles, u64::from(RAM.1 - 0x1202) / 2 * 5);
}

#[test]
fn the_stack_is_to_blame_where_it_grows_into_a_zone() {
    let here = CODE + 6;
    let zones = vec![Zone { start: 0x1100, end: 0x1200, no_read: true, no_write: true }];
    let guarded = CallOptions { zones, ..options(1_000_000) };
    for code in [one(CALL, false, immediate(here)), [one(PUSH, false, r(12)), vec![jump(7, -2)]].concat()] {
        let outcome = booted(&code).call(here.into(), &[], &guarded);
        let Exit::Fault(fault) = outcome.exit else { panic!("{:?}", outcome.exit) };
        assert_eq!(fault.kind, FaultKind::StackOverflow { address: 0x11fe, limit: 0x1200 });
    }
}

#[test]
fn space_below_the_limit_is_an_overflow() {
    let mut m = booted(&two(SUB, false, immediate(0x2800), to(1)));
    let outcome = m.call(u32::from(CODE) + 6, &[], &options(1000));
    assert!(matches!(outcome.exit, Exit::Fault(f) if matches!(f.kind, FaultKind::StackOverflow { .. })));
}

#[test]
fn a_frame_below_address_0_is_an_overflow() {
    for frame in [0x38fe, 0x3900, 0x9000, 0xe000] {
        let mut m = booted(&two(SUB, false, immediate(frame), to(1)));
        let outcome = m.call(u32::from(CODE) + 6, &[], &options(1000));
        let kind = FaultKind::StackOverflow { address: 0, limit: 0x1200 };
        assert_eq!(outcome.exit, Exit::Fault(Fault { kind, pc: u32::from(CODE) + 6 }), "{frame:#x}");
    }
}

#[test]
fn no_room_for_the_arguments() {
    let mut m = booted(&[]);
    let tight = CallOptions { budget: 10, stack_limit: 0x38f0, zones: Vec::new() };
    let args = [Arg::U64(0), Arg::U64(0), Arg::U64(0)];
    let outcome = m.call(u32::from(CODE) + 6, &args, &tight);
    assert!(matches!(outcome.exit, Exit::Fault(f) if matches!(f.kind, FaultKind::StackOverflow { .. })));
    for function in [0x1_e406, CODE as u32 + 7, 0x0100] {
        let outcome = m.call(function, &[], &options(10));
        assert!(matches!(outcome.exit, Exit::Fault(f) if matches!(f.kind, FaultKind::Unmapped { .. })));
    }
}

/// A zone far away, below the stack's limit: what it forbids is forbidden in free stack.
#[test]
fn accesses_below_the_stack_pointer_fault_like_those_in_zones() {
    let function = u32::from(CODE) + 6;
    let run = |code: &[Vec<u16>], no_read: bool, no_write: bool| {
        let ret = two(MOV, false, increment(1), to(0));
        let zones = vec![Zone { start: 0x1180, end: 0x1182, no_read, no_write }];
        let options = CallOptions { budget: 1000, stack_limit: 0x1200, zones };
        booted(&[code.concat(), ret].concat()).call(function, &[], &options).exit
    };
    let free = |address, size, access, pc| {
        Exit::Fault(Fault { kind: FaultKind::FreeStack { address, size, access }, pc })
    };
    // In the function SP is at the return address.
    let sp = RAM.1 - 2;
    let (write, read) = (Access::Write, Access::Read);
    let minus = |n: u16| 0u16.wrapping_sub(n);
    for (code, address, size, access) in [
        (two(MOV, false, r(12), to_indexed(minus(2), 1)), sp - 2, 2, write),
        (two(MOV, true, r(12), to_absolute(0x1200)), 0x1200, 1, write),
        (two(MOV, true, absolute(sp - 1), to(12)), sp - 1, 1, read),
        // The general way: DADD reads its target, SWPB what it swaps.
        (two(DADD, false, r(12), to_absolute(0x1200)), 0x1200, 2, read),
        (one(SWPB, false, indexed(minus(4), 1)), sp - 4, 2, read),
    ] {
        let expected = free(address.into(), size, access, function);
        assert_eq!(run(slice::from_ref(&code), true, true), expected, "{code:x?}");
        assert_eq!(run(slice::from_ref(&code), access == read, access == write), expected, "{code:x?}");
    }
    // Where only the other kind is forbidden: DADD and SWPB write where they read.
    let store = two(MOV, false, r(12), to_indexed(minus(2), 1));
    assert_eq!(run(&[store], true, false), Exit::Returned);
    let load = two(MOV, true, absolute(sp - 1), to(12));
    assert_eq!(run(&[load], false, true), Exit::Returned);
    let swap = one(SWPB, false, indexed(minus(4), 1));
    assert_eq!(run(&[swap], false, true), free(u32::from(sp) - 4, 2, write, function));
    let push = one(PUSH, false, r(12));
    let pop = two(MOV, false, increment(1), to(12));
    let store = two(MOV, false, r(12), to_absolute(sp - 2));
    let frame = two(SUB, false, immediate(16), to(1));
    let unframe = two(ADD, false, immediate(16), to(1));
    let at_sp = two(MOV, false, r(12), to_indexed(0, 1));
    assert_eq!(run(&[push.clone(), store.clone(), pop.clone()], true, true), Exit::Returned);
    assert_eq!(run(&[frame, at_sp, unframe], true, true), Exit::Returned);
    assert_eq!(run(&[push, pop, store], true, true), free(u32::from(sp) - 2, 2, write, function + 4));
    assert_eq!(run(&[two(MOV, false, r(12), to_absolute(0x11fe))], true, true), Exit::Returned);
}

#[test]
fn guard_zones_fault() {
    let function = u32::from(CODE) + 6;
    let zone = Zone { start: 0x1301, end: 0x1303, no_read: true, no_write: true };
    let write_only = Zone { start: 0x1400, end: 0x1402, no_read: true, no_write: false };
    let guarded = CallOptions { budget: 1000, stack_limit: 0x1500, zones: vec![zone, write_only] };
    let run = |code: Vec<u16>, options: &CallOptions| {
        let ret = two(MOV, false, increment(1), to(0));
        booted(&[code, ret].concat()).call(function, &[], options).exit
    };
    let at = |address: u16| two(MOV, false, absolute(address), to(12));
    let fault = |exit| match exit {
        Exit::Fault(fault) => fault.kind,
        exit => panic!("{exit:?}"),
    };
    let read = FaultKind::Guard { address: 0x1300, size: 2, access: Access::Read };
    assert_eq!(fault(run(at(0x1300), &guarded)), read);
    assert_eq!(run(at(0x1300), &options(1000)), Exit::Returned);
    assert_eq!(run(two(MOV, true, absolute(0x1300), to(12)), &guarded), Exit::Returned);
    let write = FaultKind::Guard { address: 0x1302, size: 1, access: Access::Write };
    assert_eq!(fault(run(two(MOV, true, r(12), to_absolute(0x1302)), &guarded)), write);
    assert_eq!(run(two(MOV, false, r(12), to_absolute(0x1400)), &guarded), Exit::Returned);
    // An addition reads its target.
    let read = FaultKind::Guard { address: 0x1400, size: 2, access: Access::Read };
    assert_eq!(fault(run(two(ADD, false, r(12), to_absolute(0x1400)), &guarded)), read);
    // The general way checks too: DADD.
    assert_eq!(fault(run(two(DADD, false, r(12), to_absolute(0x1400)), &guarded)), read);
}
