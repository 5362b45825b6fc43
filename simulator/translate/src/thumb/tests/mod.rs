//! Each operation, translated, against the interpreter on random states; then stretches of them, in which flags
//! are computed late.

mod ahead;
mod narrow;
mod wide;

use pennyweight_machine::fault::NO_FAULT;
use pennyweight_machine::guard::Free;
use pennyweight_machine::stack::StackWatch;
use pennyweight_memory::bus::{Bus, Word};
use pennyweight_memory::timing::ZeroWait;
use pennyweight_thumb::core::{Core, OpOf};
use pennyweight_thumb::op::{Flow, InstructionSet};
use pennyweight_thumb::registers::Reg;
use pennyweight_thumb::run::State;
use pennyweight_thumb::Thumb;

use super::costs;
use super::flags::{Flags, GE, NZ, REGISTERS};
use super::operation::Operation;
use crate::code::{self, Code, Compiler};
use crate::copies::Blocks;
use crate::ir::{Block, End, Expr, Kind, Lost};
use crate::layout::{Shape, MOST_REGISTERS};
use crate::processor::Guest;
use crate::trial::{region, Random};

const RAM: u32 = 0x2000_0000;
const FLASH: u32 = 0x0800_0000;
const SIZE: u32 = 128;
const LIMIT: u32 = RAM + 32;
const PC: u32 = FLASH + 0x20;

const SHAPE: Shape = Shape { split: 1, ..Shape::new(REGISTERS, 14, (RAM, SIZE), (FLASH, SIZE)) };

/// Adds `op`, which ends the block if it jumps. False: it is not translated.
fn add<C>(op: &OpOf<C>, flags: &mut Flags, block: &mut Block) -> bool
where
    C: Core<Set: InstructionSet<Code: Operation>>,
{
    let jump = match Operation::condition(op, flags) {
        Some(condition) => {
            let [yes, no] = [op.imm, 0].map(Expr::Constant);
            Some(Expr::choice(condition, yes, no))
        }
        None => Operation::target(op, &mut block.steps),
    };
    let Some(target) = jump else {
        if let Some(work) = Operation::work(op) {
            costs::add::<C>(op, work, &mut block.steps);
        }
        return Operation::lower(op, flags, &mut block.steps);
    };
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
        then: Vec::new(),
    };
    true
}

/// A random state in which many registers hold addresses.
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
            3 | 4 => random.next() % 70,
            _ => near(random),
        };
    }
    // The stack is in RAM.
    state.registers[Reg::Sp] = (RAM - 8 + random.next() % (SIZE + 16)) & !3;
    state.flags.set_nz(random.value());
    state.flags.c = random.next() & 1 != 0;
    state.flags.v = random.next() & 1 != 0;
    state.flags.q = random.next() & 1 != 0;
    state.flags.ge = random.next() as u8 & 15;
    state
}

/// Runs the operations on both sides with `states` random states; returns how many faulted.
fn compare<C>(ops: &[OpOf<C>], states: u32, seed: u64) -> u32
where
    C: Core<Set: InstructionSet<Code: Operation>>,
{
    let mut random = Random(seed);
    let flash: Vec<Word> = (0..SIZE / 4).map(|_| random.next().to_le_bytes()).collect();
    let (mut block, mut flags) = (Block::new(None), Flags::default());
    for op in ops {
        assert!(add::<C>(op, &mut flags, &mut block), "{op:?} is translated");
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
        let (mut values, mut copied) = ([0; MOST_REGISTERS as usize], ram.clone());
        Thumb::<C>::read(&before, &mut values);
        for flag in u32::from(NZ)..REGISTERS {
            let is_late = flag < u32::from(GE) - 1;
            if is_late && needs >> flag & 1 == 0 {
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
            stream: None,
            ahead: None,
            matrix: None,
        };
        code.ram_changed(&Blocks::ALL);
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
        let (mut faulted, mut busy) = (false, 0);
        for op in ops {
            let State { registers, flags, system, .. } = &mut before;
            match C::Set::execute::<_, ()>(op, PC, registers, flags, system, &mut bus, &mut fault) {
                Flow::Fault(()) => faulted = true,
                Flow::Taken(target, _) | Flow::Go(target, _) => went = target,
                Flow::Busy(work) => {
                    busy += u64::from(C::busy(op, work));
                    continue;
                }
                _ => continue,
            }
            break;
        }
        if faulted {
            assert_eq!(left, None, "{ops:?}: {start:?}: {fault:?}");
            faults += 1;
            continue;
        }
        let Some(left) = left else {
            // Of an access on both sides of the stack's limit, the mark is left to the interpreter.
            assert!(busy > 0 && bus.watch.high_water() >= SIZE - (LIMIT - RAM) - 2, "{ops:?}: {start:?}");
            continue;
        };
        let mut after = start;
        Thumb::<C>::write(&mut after, &values);
        if ops.last().is_some_and(Operation::links) {
            // Jumps of whole programs set it.
            after.registers[Reg::Lr] = before.registers[Reg::Lr];
        }
        assert_eq!(after, before, "{ops:?}: {start:?}");
        assert_eq!(left.target, went, "{ops:?}: {start:?}");
        assert_eq!(copied, bus.ram, "{ops:?}: {start:?}");
        assert_eq!((cycles, instructions), (110 + busy, 51), "{ops:?}: {start:?}");
        let mut mark = watch;
        mark.store(LIMIT.wrapping_add(left.low));
        assert_eq!(mark.high_water(), bus.watch.high_water(), "{ops:?}: {start:?}");
    }
    faults
}
