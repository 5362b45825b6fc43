//! Each operation, translated, against the interpreter on random states; then stretches of them, in which flags
//! are computed late.

use std::collections::BTreeMap;

use pennyweight_machine::fault::NO_FAULT;
use pennyweight_machine::guard::Free;
use pennyweight_machine::stack::StackWatch;
use pennyweight_memory::bus::{Bus, Word};
use pennyweight_memory::timing::ZeroWait;
use pennyweight_thumb::core::CortexM0;
use pennyweight_thumb::op::{Flow, InstructionSet as _, Op};
use pennyweight_thumb::registers::Reg;
use pennyweight_thumb::run::State;
use pennyweight_thumb::v6m::{Code as Operation, V6m};
use pennyweight_thumb::Thumb;

use super::blocks::target;
use super::flags::{Flags, REGISTERS};
use super::lower::{condition, lower};
use crate::code::{self, Code, Compiler};
use crate::ir::{Block, End, Expr, Kind, Lost, Step};
use crate::layout::Shape;
use crate::processor::{Guest, Values};
use crate::trial::{region, Random};

const RAM: u32 = 0x2000_0000;
const FLASH: u32 = 0x0800_0000;
const SIZE: u32 = 128;
const LIMIT: u32 = RAM + 32;
const PC: u32 = 0x100;

const SHAPE: Shape = Shape {
    registers: REGISTERS,
    stack_pointer: 14,
    ram_base: RAM,
    ram_size: SIZE,
    flash_base: FLASH,
    flash_size: SIZE,
    code_size: SIZE,
    flash_loads: true,
    data_wait: 0,
    division: (1, 1),
    predictor: None,
    cache: None,
};

/// Operations that the interpreter executes.
const INTERPRETED: [Operation; 7] = {
    use Operation::*;
    [Mrs, Msr, Cps, Sev, Wfe, Wfi, Trap]
};

/// Adds `op`, which ends the block if it jumps. False: it is not translated.
fn add(op: &Op<Operation>, flags: &mut Flags, block: &mut Block) -> bool {
    let jump = match condition(op.code, flags) {
        Some(condition) => {
            let [yes, no] = [op.imm, 0].map(Expr::Constant);
            Some(Expr::choice(condition, yes, no))
        }
        None => target(op, &mut block.steps),
    };
    let Some(target) = jump else { return lower(op, flags, &mut block.steps) };
    block.end = End::Indirect {
        pc: PC,
        target,
        kind: Kind::Plain,
        link: None,
        lost: Lost::Always(0),
        unknown: (0, None),
        near: None,
        after: [0; 2],
        tables: [0; 2],
    };
    true
}

/// A random state in which `address` are registers that hold addresses.
fn state(random: &mut Random) -> State {
    let mut state = State::default();
    let near = |random: &mut Random| {
        let base = if random.next() & 1 == 0 { RAM } else { FLASH };
        let place = random.next() % (SIZE + 16);
        (base - 8).wrapping_add(if random.next() & 3 == 0 { place } else { place & !3 })
    };
    for reg in (0..15).map(Reg::from_bits) {
        state.registers[reg] = match random.next() & 7 {
            0..=2 => random.value(),
            3 => random.next() % 70,
            _ => near(random),
        };
    }
    // The stack is in RAM.
    state.registers[Reg::Sp] = (RAM - 8 + random.next() % (SIZE + 16)) & !3;
    state.flags.set_nz(random.value());
    state.flags.c = random.next() & 1 != 0;
    state.flags.v = random.next() & 1 != 0;
    state
}

/// Runs the operations on both sides with `states` random states; returns how many faulted.
fn compare(ops: &[Op<Operation>], states: u32, seed: u64) -> u32 {
    let mut random = Random(seed);
    let flash: Vec<Word> = (0..SIZE / 4).map(|_| random.next().to_le_bytes()).collect();
    let (mut block, mut flags) = (Block::new(None), Flags::default());
    for op in ops {
        assert!(add(op, &mut flags, &mut block), "{op:?} is translated");
    }
    // Of the flags that the block does not need, the values at its beginning must not matter.
    (block.late, block.needs) = flags.finish();
    let needs = block.needs;
    let region = region(block);
    let mut code =
        Code::new(Compiler::Host, &region, &SHAPE, false, flash.as_flattened()).expect("the host compiles");
    let mut faults = 0;
    for _ in 0..states {
        let mut before = state(&mut random);
        let mut ram: Vec<Word> = (0..SIZE / 4).map(|_| random.next().to_le_bytes()).collect();
        let (mut values, mut copied) = (Values::default(), ram.clone());
        Thumb::<CortexM0>::read(&before, &mut values);
        for flag in 16..REGISTERS {
            if needs >> flag & 1 == 0 {
                values[flag as usize] = random.next() & 1;
            }
        }
        let (mut cycles, mut instructions) = (100, 50);
        let mut state = code::State {
            registers: &mut values,
            ram: copied.as_flattened_mut(),
            forbidden: &[],
            free_stack: [false; 2],
            stack: (LIMIT, RAM + SIZE),
            cycles: &mut cycles,
            instructions: &mut instructions,
            budget: 1000,
            held: &mut [],
            predictor: None,
        };
        let left = code.run(0, &mut state);
        let watch = StackWatch::new(LIMIT, RAM + SIZE);
        let mut bus = Bus {
            ram: &mut ram,
            ram_base: RAM,
            flash: &flash,
            flash_base: FLASH,
            watch,
            guard: Free,
            timing: ZeroWait,
        };
        let (start, mut fault, mut went) = (before, NO_FAULT, 0);
        let mut faulted = false;
        for op in ops {
            let State { registers, flags, system, .. } = &mut before;
            match V6m::execute::<_, ()>(op, PC, registers, flags, system, &mut bus, &mut fault) {
                Flow::Fault(()) => faulted = true,
                Flow::Taken(target, _) | Flow::Go(target, _) => went = target,
                _ => continue,
            }
            break;
        }
        if faulted {
            assert_eq!(left, None, "{ops:?}: {start:?}: {fault:?}");
            faults += 1;
            continue;
        }
        let left = left.unwrap_or_else(|| panic!("{ops:?}: {start:?}"));
        let mut after = start;
        Thumb::<CortexM0>::write(&mut after, &values);
        if ops.last().is_some_and(|op| op.code == Operation::Bl || op.code == Operation::Blx) {
            // Jumps of whole programs set it.
            after.registers[Reg::Lr] = before.registers[Reg::Lr];
        }
        assert_eq!(after, before, "{ops:?}: {start:?}");
        assert_eq!(left.target, went, "{ops:?}: {start:?}");
        assert_eq!(copied, bus.ram, "{ops:?}: {start:?}");
        assert_eq!((cycles, instructions), (110, 51), "{ops:?}");
        let mut mark = watch;
        mark.store(LIMIT.wrapping_add(left.low));
        assert_eq!(mark.high_water(), bus.watch.high_water(), "{ops:?}: {start:?}");
    }
    faults
}

/// All operations that 16-bit encodings decode to, with and without flags, and BL and a barrier: by code.
fn operations() -> BTreeMap<u8, Vec<Op<Operation>>> {
    let mut found: BTreeMap<u8, Vec<Op<Operation>>> = BTreeMap::new();
    let narrow = (0..0xe800).map(|word| V6m::decode(word, 0, PC, false));
    let wide = [(0xf000, 0xf810), (0xf3bf, 0x8f5f)].map(|(a, b)| V6m::decode(a, b, PC, false));
    for op in narrow.chain(wide) {
        if op.code == Operation::Undefined || op.code == Operation::Trap {
            continue;
        }
        for form in [op, V6m::without_flags(&op)] {
            found.entry(form.code as u8).or_default().push(form);
        }
        if let Some(address) = V6m::literal(&op) {
            let constant = V6m::with_literal(&op, address.wrapping_mul(0x9e37_79b9));
            found.entry(constant.code as u8).or_default().push(constant);
        }
    }
    found
}

#[test]
fn each_operation_does_what_the_interpreter_does() {
    let mut random = Random(3);
    let mut compared = 0;
    for (number, forms) in operations() {
        if INTERPRETED.contains(&forms[0].code) {
            assert!(!lower(&forms[0], &mut Flags::default(), &mut Vec::new()), "{:?}", forms[0]);
            continue;
        }
        compared += 1;
        let mut faults = 0;
        for _ in 0..8 {
            let op = forms[random.next() as usize % forms.len()];
            faults += compare(&[op], 150, u64::from(number));
        }
        let accesses = matches!(
            forms[0].code,
            Operation::LdrImm | Operation::StrReg | Operation::Ldm | Operation::Push | Operation::PopPc
        );
        assert!(!accesses || (20..1180).contains(&faults), "{:?}: {faults}", forms[0].code);
    }
    assert!(compared > 90, "{compared}");
}

#[test]
fn shifts_by_each_constant_do_what_the_interpreter_does() {
    for word in (0..0x1800).step_by(0x40) {
        compare(&[V6m::decode(word | 0o10, 0, PC, false)], 20, u64::from(word));
    }
}

#[test]
fn flags_that_are_computed_late_are_those_of_the_interpreter() {
    let mut random = Random(9);
    let all: Vec<Op<Operation>> = operations().into_values().flatten().collect();
    let jumps = |op: &Op<Operation>| {
        condition(op.code, &mut Flags::default()).is_some() || target(op, &mut Vec::new()).is_some()
    };
    let (mut plain, mut branches) = (Vec::new(), Vec::new());
    for op in all {
        let accesses = |step: &Step| !matches!(step, Step::Set(..));
        let mut steps = Vec::new();
        if condition(op.code, &mut Flags::default()).is_some() {
            branches.push(op);
        } else if !jumps(&op) && lower(&op, &mut Flags::default(), &mut steps) && !steps.iter().any(accesses)
        {
            plain.push(op);
        }
    }
    // Equally often, however many encodings an operation has.
    let mut codes: BTreeMap<u8, Vec<Op<Operation>>> = BTreeMap::new();
    for op in plain {
        codes.entry(op.code as u8).or_default().push(op);
    }
    let codes: Vec<_> = codes.into_values().collect();
    for seed in 0..400 {
        let mut ops = Vec::new();
        for _ in 0..1 + random.next() % 6 {
            let forms = &codes[random.next() as usize % codes.len()];
            ops.push(forms[random.next() as usize % forms.len()]);
        }
        if random.next() & 1 == 0 {
            ops.push(branches[random.next() as usize % branches.len()]);
        }
        compare(&ops, 25, seed);
    }
}
