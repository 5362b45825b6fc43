//! Each operation, translated, against the interpreter on random states.

use pennyweight_machine::fault::NO_FAULT;
use pennyweight_machine::guard::Free;
use pennyweight_machine::stack::StackWatch;
use pennyweight_memory::bus::{Bus, Word};
use pennyweight_memory::timing::ZeroWait;
use pennyweight_riscv::core::E31;
use pennyweight_riscv::execute::execute;
use pennyweight_riscv::op::{Code as Operation, Flow, Op};
use pennyweight_riscv::registers::{Reg, Registers};

use super::lower::{condition, lower};
use crate::code::{Code, Compiler, State};
use crate::copies::Blocks;
use crate::ir::{Block, Step};
use crate::layout::{Division, Shape};
use crate::trial::{region, Random};

const RAM: u32 = 0x8000_0000;
const FLASH: u32 = 0x2000_0000;
const SIZE: u32 = 64;

const SHAPE: Shape = Shape {
    data_wait: 7,
    division: Division::ByQuotient(2, 33),
    ..Shape::new(32, 2, (RAM, SIZE), (FLASH, SIZE))
};

/// Operations that compute from registers alone.
const COMPUTING: [Operation; 65] = {
    use Operation::*;
    [
        Constant, Move, Addi, Slti, Sltiu, Xori, Ori, Andi, Slli, Srli, Srai, Add, Sub, Sll, Slt, Sltu, Xor,
        Srl, Sra, Or, And, AddiSp, AddSp, Mul, Mulh, Mulhsu, Mulhu, Div, Divu, Rem, Remu, Nop, Sh1add,
        Sh2add, Sh3add, Andn, Orn, Xnor, Rol, Ror, Rori, Rev8, Clz, Ctz, Cpop, Max, Maxu, Min, Minu, SextB,
        SextH, ZextH, OrcB, Brev8, Pack, Packh, Add, Bclr, Bclri, Bext, Bexti, Binv, Binvi, Bset, Bseti,
    ]
};
const ACCESSING: [Operation; 8] = {
    use Operation::*;
    [Lb, Lh, Lw, Lbu, Lhu, Sb, Sh, Sw]
};
const BRANCHING: [Operation; 6] = {
    use Operation::*;
    [Beq, Bne, Blt, Bge, Bltu, Bgeu]
};

/// Runs `op` on both sides with `states` random states; `address` makes the base register's value.
fn compare(op: Op, states: u32, mut address: impl FnMut(&mut Random) -> Option<u32>) -> u32 {
    let mut random = Random(op.code as u64);
    let flash: Vec<Word> = (0..SIZE / 4).map(|_| random.next().to_le_bytes()).collect();
    let mut steps = Vec::new();
    match condition(&op) {
        Some(condition) => steps.push(Step::Set(op.d as u8, condition)),
        None => assert!(lower(&op, &mut steps), "{op:?} is translated"),
    }
    let mut code = Code::new(
        Compiler::Host,
        &region(Block { steps, ..Block::new(None) }),
        &SHAPE,
        false,
        flash.as_flattened(),
    )
    .expect("the host compiles");
    let mut faults = 0;
    for _ in 0..states {
        let mut registers = Registers::default();
        for number in 1..32 {
            registers[Reg::source(number)] = random.value();
        }
        registers[Reg::SP] = RAM + SIZE;
        if let Some(address) = address(&mut random) {
            registers[op.n] = address;
        }
        let mut ram: Vec<Word> = (0..SIZE / 4).map(|_| random.next().to_le_bytes()).collect();
        let (mut copy, mut copied) = ([0; 32], ram.clone());
        for (number, value) in (0..).zip(&mut copy) {
            *value = registers[Reg::source(number)];
        }
        let (mut cycles, mut instructions) = (100, 50);
        let mut state = State {
            registers: &mut copy,
            ram: copied.as_flattened_mut(),
            forbidden: &[],
            free_stack: [false; 2],
            stack: (0, RAM + SIZE),
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
        let mut bus = Bus {
            ram: &mut ram,
            ram_base: RAM,
            flash: &flash,
            flash_base: FLASH,
            watch: StackWatch::new(0, RAM + SIZE),
            guard: Free,
            timing: ZeroWait,
        };
        let mut fault = NO_FAULT;
        let before = registers;
        let flow = execute(&op, &mut registers, &mut None, &mut bus, &mut fault);
        let spent = match flow {
            Flow::Fault => {
                assert_eq!(left, None, "{op:?}: {before:?}: {fault:?}");
                faults += 1;
                continue;
            }
            Flow::Divided(divided) => E31.divide(divided) - 1,
            Flow::Taken | Flow::NotTaken => {
                registers[op.d] = u32::from(flow == Flow::Taken);
                0
            }
            _ => 0,
        };
        assert!(left.is_some(), "{op:?}: {before:?}");
        for number in 1..32 {
            assert_eq!(
                copy[number as usize],
                registers[Reg::source(number)],
                "{op:?}: {before:?}: x{number}"
            );
        }
        assert_eq!(copied, ram, "{op:?}: {before:?}");
        let from_flash = before[op.n].wrapping_add(op.imm).wrapping_sub(FLASH) < SIZE;
        let waited = if ACCESSING.contains(&op.code) && from_flash { SHAPE.data_wait } else { 0 };
        assert_eq!((cycles, instructions), (u64::from(110 + spent + waited), 51), "{op:?}: {before:?}");
    }
    faults
}

#[test]
fn each_operation_on_registers_computes_what_the_interpreter_does() {
    let mut random = Random(1);
    for code in COMPUTING {
        let d = if matches!(code, Operation::AddiSp | Operation::AddSp) { Reg::SP } else { Reg::X7 };
        let imm = if matches!(code, Operation::Rori) { random.next() & 31 } else { random.value() };
        let op = Op { code, d, n: Reg::X5, m: Reg::X6, imm };
        compare(op, 400, |_| None);
        // x0 as a source, and as a destination.
        compare(Op { n: Reg::X0, ..op }, 20, |_| None);
        if d != Reg::SP {
            compare(Op { d: Reg::Sink, m: Reg::X0, ..op }, 20, |_| None);
        }
    }
}

#[test]
fn each_branch_is_taken_when_the_interpreter_takes_it() {
    for code in BRANCHING {
        compare(Op { code, d: Reg::X7, n: Reg::X5, m: Reg::X6, imm: 0x100 }, 400, |_| None);
        compare(Op { code, d: Reg::X7, n: Reg::X5, m: Reg::X5, imm: 0x100 }, 20, |_| None);
    }
}

#[test]
fn each_access_reads_and_writes_and_fails_where_the_interpreter_does() {
    for code in ACCESSING {
        for imm in [0, 4, 0xffff_fffb] {
            let op = Op { code, d: Reg::X7, n: Reg::X5, m: Reg::X6, imm };
            let faults = compare(op, 400, |random| {
                let base = if random.next() & 1 == 0 { RAM } else { FLASH };
                // Some places in front of memory and behind it.
                Some((base - 8).wrapping_add(random.next() % (SIZE + 16)))
            });
            assert!((20..380).contains(&faults), "{code:?}: {faults}");
            compare(Op { d: Reg::Sink, ..op }, 50, |_| None);
        }
    }
}
