//! Instructions that move the window, translated, against the interpreter on random states.

use pennyweight_machine::guard::{Guard, Watch};
use pennyweight_machine::stack::StackWatch;
use pennyweight_machine::Zone;
use pennyweight_memory::bus::{Bus, Word};
use pennyweight_memory::timing::ZeroWait;
use pennyweight_xtensa::core::{Core, Options};
use pennyweight_xtensa::decode::plain;
use pennyweight_xtensa::op::{Op, Reg, Registers};
use pennyweight_xtensa::special::{execute, Effect, Extra};

use super::at::{At, Known, Mode};
use super::lower::number;
use super::windows::{call, is_usual, leave, lower, repeated, translates, BASE, LIVE, LOWEST, STEP};
use crate::code::{Code, Compiler, State};
use crate::copies::Blocks;
use crate::ir::{Block, Expr, Step};
use crate::layout::{Shape, FIRST_BANKED};
use crate::processor::Values;
use crate::trial::{region, Random};

const RAM: u32 = 0x3ffb_0000;
const FLASH: u32 = 0x400d_0000;
const SIZE: u32 = 64;
/// The stack's limit.
const LIMIT: u32 = RAM + 16;
/// Where the instruction is, and the one behind it.
const PLACE: (u32, u32) = (FLASH + 8, FLASH + 11);

/// Registers for results that have none: where a jump goes, and whether the instruction is usual.
const TARGET: u8 = 30;
const USUAL: u8 = 31;

/// The operation of this encoding, and the step that its usual case is for.
struct Case {
    op: Op,
    by: u8,
}

fn case(word: u32, by: u8) -> Case {
    Case { op: plain(word, PLACE.0, Options::ALL), by }
}

/// The steps of the usual case.
fn steps(case: &Case, core: &Core) -> Vec<Step> {
    let mode = Some(Mode { windows: true, loops: true });
    let at = At { mode, step: Some(case.by), known: Known::Holds(case.by), ..At::default() };
    assert!(translates(&case.op, &at), "{:?}", case.op);
    let mut steps = Vec::new();
    let usual = is_usual(&case.op, case.by).unwrap_or(Expr::Constant(1));
    steps.push(Step::Set(USUAL, Expr::choice(usual, Expr::Constant(1), Expr::Constant(0))));
    steps.push(Step::Set(TARGET, Expr::Constant(0)));
    if let Some((_, (register, back))) = call(&case.op, PLACE.1, &mut steps) {
        steps.push(Step::Set(register, Expr::Constant(back)));
    } else if let Some(target) = leave(&case.op, PLACE.0, core, &at, &mut steps) {
        steps.push(Step::Set(TARGET, target));
    } else {
        assert!(lower(&case.op, core, &at, &mut steps), "{:?}", case.op);
    }
    steps
}

/// Random registers and windows, none of whose visible registers belong to another call.
fn random_state(random: &mut Random, core: &Core, by: u8) -> (Registers, Extra) {
    let mut registers = Registers::default();
    let mut extra = Extra::new(core);
    let fours = core.registers / 4;
    for four in extra.windows.file_mut() {
        four.iter_mut().for_each(|register| *register = random.value());
    }
    extra.windows.base = random.next() & (fours - 1);
    // Calls by four, by eight and by twelve, below the window.
    let mut below = 0;
    let mut seen = 1u32;
    while below < fours - 3 {
        below += if random.next() & 1 == 0 { u32::from(by.max(1)) } else { 1 + random.next() % 3 };
        seen |= if below < fours - 3 { 1 << (fours - below) } else { 0 };
    }
    if random.next() & 7 == 0 {
        seen = 1;
    }
    seen >>= u32::from(random.next() & 3 == 0);
    seen = (seen | 1) & !0b1110 & ((1 << fours) - 1);
    extra.windows.start = repeated(seen, fours).rotate_left(extra.windows.base) & ((1 << fours) - 1);
    extra.windows.ps = 1 << 18;
    extra.windows.set_callinc(by.into());
    extra.windows.rotate(&mut registers, 0);
    let base = extra.windows.base;
    extra.windows.set_base(&mut registers, base);
    (0..16).for_each(|number| registers[Reg(number)] = random.value());
    // What a return takes.
    let step = if random.next() & 3 == 0 { random.next() & 3 } else { by.into() };
    registers[Reg::A0] = step << 30 | random.next() & 0x3fff_ffff;
    let pointer = |random: &mut Random| LIMIT - 4 + random.next() % (SIZE - 8);
    registers[Reg(3)] = pointer(random);
    for four in extra.windows.file_mut() {
        four[1] = pointer(random);
    }
    (registers, extra)
}

/// Runs `case` on both sides with random states. Returns how often it was usual and how often it failed.
fn compare(case: &Case, core: &Core) -> (u32, u32) {
    let zones = [Zone { start: RAM, end: RAM + 4, no_read: true, no_write: true }];
    let guard = Guard::new(RAM, SIZE as usize, &zones);
    let watched = &guard;
    let fours = core.registers / 4;
    let shape = Shape {
        code_shift: 0,
        lowest: LOWEST.into(),
        banks: fours,
        ..Shape::new(32, number(Reg::SP).into(), (RAM, SIZE), (FLASH, SIZE))
    };
    let block = Block { steps: steps(case, core), ..Block::new(None) };
    let flash = vec![[0; 4]; SIZE as usize / 4];
    let compiled = Code::new(Compiler::Host, &region(block), &shape, true, flash.as_flattened());
    let mut code = compiled.expect("the host compiles");
    let mut random = Random(u64::from(case.op.imm));
    let (mut usual, mut failed) = (0, 0);
    for _ in 0..400 {
        let (mut registers, mut extra) = random_state(&mut random, core, case.by);
        let mut values: Values = [0; 128];
        (0..16).map(Reg).for_each(|reg| values[usize::from(number(reg))] = registers[reg]);
        let start = repeated(extra.windows.start, fours).rotate_right(extra.windows.base);
        let window =
            [(BASE, extra.windows.base), (LIVE, start), (STEP, extra.windows.callinc()), (LOWEST, LIMIT)];
        window.into_iter().for_each(|(register, value)| values[usize::from(register)] = value);
        values[FIRST_BANKED as usize..].copy_from_slice(extra.windows.file().as_flattened());
        let mut ram: Vec<Word> = vec![[0; 4]; SIZE as usize / 4];
        let mut copied = ram.clone();
        let (mut cycles, mut instructions) = (100, 50);
        code.ram_changed(&Blocks::ALL);
        let mut state = State {
            registers: &mut values[..shape.words() as usize],
            ram: copied.as_flattened_mut(),
            forbidden: watched.forbidden(),
            free_stack: [true; 2],
            stack: (LIMIT, RAM + SIZE),
            cycles: &mut cycles,
            instructions: &mut instructions,
            budget: 1000,
            held: &mut [],
            predictor: None,
            stream: None,
            ahead: None,
            matrix: None,
        };
        let left = code.run(0, &mut state);
        let mut bus = Bus {
            ram: &mut ram,
            ram_base: RAM,
            flash: &flash,
            flash_base: FLASH,
            watch: StackWatch::new(LIMIT, RAM + SIZE),
            guard: watched,
            timing: ZeroWait,
        };
        let before = (registers, extra);
        let done = execute(case.op.imm, PLACE, &mut registers, &mut extra, &mut bus);
        let is_plain = matches!(done, Ok(Effect::On | Effect::Moved | Effect::To(_)));
        if left.is_some() && values[usize::from(USUAL)] == 0 {
            // The other cases end otherwise, or leave registers of other calls visible.
            let is_other = before.0[Reg::A0] >> 30 != case.by.into();
            let stays = is_plain && extra.windows.usable() == 4;
            assert!(is_other || !stays, "{:?}: {before:x?}: {done:?}", case.op);
            continue;
        }
        let (Some(left), true) = (left, is_plain) else {
            assert!(left.is_none() && !is_plain, "{:?}: {before:x?}: {done:?}", case.op);
            failed += 1;
            continue;
        };
        usual += 1;
        assert_eq!(extra.windows.usable(), 4, "{:?}: {before:x?}", case.op);
        for reg in (0..16).map(Reg) {
            assert_eq!(
                values[usize::from(number(reg))],
                registers[reg],
                "{:?}: {before:x?}: {reg:?}",
                case.op
            );
        }
        let windows = &extra.windows;
        let base = values[usize::from(BASE)] & (fours - 1);
        let start = values[usize::from(LIVE)].rotate_left(base) & ((1 << fours) - 1);
        assert_eq!((base, start), (windows.base, windows.start), "{:?}: {before:x?}", case.op);
        assert_eq!(values[usize::from(STEP)], windows.callinc(), "{:?}", case.op);
        let mut ours = *windows;
        let banks = values[FIRST_BANKED as usize..].as_chunks().0;
        ours.file_mut()[..fours as usize].copy_from_slice(&banks[..fours as usize]);
        assert_eq!(ours.physical(registers), windows.physical(registers), "{:?}: {before:x?}", case.op);
        if let Ok(Effect::To(target)) = done {
            assert!([0, target].contains(&values[usize::from(TARGET)]), "{:?}: {before:x?}", case.op);
        }
        // What is below the lowest byte in use is free on both sides.
        let mut watch = StackWatch::new(LIMIT, RAM + SIZE);
        watch.set_pointer(values[usize::from(LOWEST)]);
        if bus.watch.lowest() == RAM + SIZE {
            // Nothing has set it.
            assert_eq!(watch.lowest(), LIMIT, "{:?}", case.op);
        } else {
            assert_eq!(watch.lowest(), bus.watch.lowest(), "{:?}: {before:x?}", case.op);
        }
        let low = LIMIT.wrapping_add(left.low.min(RAM + SIZE - LIMIT));
        assert_eq!(RAM + SIZE - low, bus.watch.high_water(), "{:?}: {before:x?}", case.op);
    }
    (usual, failed)
}

/// Cores with as many physical registers as there can be.
fn cores() -> [Core; 2] {
    [32, 64].map(|registers| Core { options: Options::ALL, registers, taken: 2, division: 13 })
}

#[test]
fn each_instruction_that_moves_the_window_moves_it_as_the_interpreter_does() {
    for core in cores() {
        for by in 0..4 {
            // ENTRY a3, 16 and a1, 16.
            for word in [2 << 12 | 3 << 8 | 3 << 4 | 6, 2 << 12 | 1 << 8 | 3 << 4 | 6] {
                let (usual, failed) = compare(&case(word, by), &core);
                assert!(usual > 5 && failed > 5, "{by}: {usual} {failed}");
            }
        }
        for by in 1..4 {
            // RETW and RETW.N.
            for word in [0x90, 0xf01d] {
                let (usual, _) = compare(&case(word, by), &core);
                assert!(usual > 20, "{by}: {usual}");
            }
            // CALL4 to CALL12, CALLX4 to CALLX12 by a3.
            for word in [u32::from(by) << 4 | 5, 3 << 8 | (12 + u32::from(by)) << 4] {
                assert_eq!(compare(&case(word, by), &core), (400, 0));
            }
        }
        // MOVSP a1, a3 and a5, a3.
        for word in [1 << 12 | 3 << 8 | 1 << 4, 1 << 12 | 3 << 8 | 5 << 4] {
            let (usual, _) = compare(&case(word, 0), &core);
            assert!(usual > 20, "{usual}");
        }
    }
}
