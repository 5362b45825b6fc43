//! Each operation, translated, against the interpreter on random states.

use pennyweight_machine::fault::NO_FAULT;
use pennyweight_machine::guard::Free;
use pennyweight_machine::stack::StackWatch;
use pennyweight_memory::bus::{Bus, Word};
use pennyweight_memory::timing::ZeroWait;
use pennyweight_xtensa::execute::execute;
use pennyweight_xtensa::op::{Code as Operation, Flow, Op, Reg, Registers};

use super::lower::{condition, lower, number};
use super::shifts::{Shifter, REGISTERS, SAR};
use crate::code::{Code, Compiler, State};
use crate::copies::Blocks;
use crate::ir::{Block, Expr, Step};
use crate::layout::Shape;
use crate::trial::{region, Random};

const RAM: u32 = 0x3ffe_8000;
const FLASH: u32 = 0x4020_0000;
const SIZE: u32 = 64;

const SHAPE: Shape = Shape { code_shift: 0, ..Shape::new(REGISTERS, 2, (RAM, SIZE), (FLASH, SIZE)) };

/// Operations that compute from registers alone.
const COMPUTING: [Operation; 49] = {
    use Operation::*;
    [
        Constant, Move, Addi, Add, Addx2, Addx4, Addx8, Sub, Subx2, Subx4, Subx8, And, Or, Xor, Neg, Abs,
        Slli, Srli, Srai, Extui, Sll, Srl, Sra, Src, Ssr, Ssl, Ssa8l, Ssa8b, Nsa, Nsau, Mul16u, Mul16s, Mull,
        Muluh, Mulsh, Min, Max, Minu, Maxu, Sext, Moveqz, Movnez, Movltz, Movgez, RsrSar, WsrSar, XsrSar,
        Nop, AddiSp,
    ]
};
const DIVIDING: [Operation; 4] = {
    use Operation::*;
    [Quou, Quos, Remu, Rems]
};
const ACCESSING: [Operation; 7] = {
    use Operation::*;
    [L8ui, L16ui, L16si, L32i, S8i, S16i, S32i]
};
const BRANCHING: [Operation; 24] = {
    use Operation::*;
    [
        Beqz, Bnez, Bltz, Bgez, Beqi, Bnei, Blti, Bgei, Bltui, Bgeui, Beq, Bne, Blt, Bge, Bltu, Bgeu, Bany,
        Bnone, Ball, Bnall, Bbc, Bbs, Bbci, Bbsi,
    ]
};

/// Runs `op` on both sides with `states` random states, behind SSAI with `amount` if there is one; `address` makes
/// the base register's value. Returns the faults.
fn compare(
    op: Op,
    states: u32,
    amount: Option<u32>,
    mut address: impl FnMut(&mut Random) -> Option<u32>,
) -> u32 {
    let mut random = Random(op.code as u64);
    let flash: Vec<Word> = (0..SIZE / 4).map(|_| random.next().to_le_bytes()).collect();
    let (mut steps, mut shifter) = (Vec::new(), Shifter::default());
    let set = Op::new(Operation::Ssai, amount.unwrap_or(0));
    if amount.is_some() {
        assert!(lower(&set, (&flash, FLASH), &mut shifter, &mut steps));
    }
    // Whether a branch is taken.
    const TAKEN: Reg = Reg(9);
    match condition(&op) {
        Some(condition) => {
            let taken = Expr::choice(condition, Expr::Constant(1), Expr::Constant(0));
            steps.push(Step::Set(number(TAKEN), taken));
        }
        None => {
            assert!(lower(&op, (&flash, FLASH), &mut shifter, &mut steps), "{op:?} is translated");
        }
    }
    let block = Block { steps, ..Block::new(None) };
    let compiled = Code::new(Compiler::Host, &region(block), &SHAPE, false, flash.as_flattened());
    let mut code = compiled.expect("the host compiles");
    let mut faults = 0;
    for _ in 0..states {
        let mut registers = Registers::default();
        (0..16).for_each(|number| registers[Reg(number)] = random.value());
        registers[Reg::SP] = RAM + SIZE;
        let mut sar = random.next() & 63;
        if let Some(address) = address(&mut random) {
            registers[op.s] = address;
        }
        let mut ram: Vec<Word> = (0..SIZE / 4).map(|_| random.next().to_le_bytes()).collect();
        let (mut values, mut copied) = ([0; REGISTERS as usize], ram.clone());
        (0..16).map(Reg).for_each(|reg| values[usize::from(number(reg))] = registers[reg]);
        values[usize::from(SAR)] = sar;
        let (mut cycles, mut instructions) = (100, 50);
        code.ram_changed(&Blocks::ALL);
        let left = code.run(
            0,
            &mut State {
                registers: &mut values,
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
            },
        );
        let mut bus = Bus {
            ram: &mut ram,
            ram_base: RAM,
            flash: &flash,
            flash_base: FLASH,
            watch: StackWatch::new(0, RAM + SIZE),
            guard: Free,
            timing: ZeroWait,
        };
        let (mut fault, before) = (NO_FAULT, registers);
        if amount.is_some() {
            execute(&set, &mut registers, &mut sar, &mut bus, &mut fault);
        }
        match execute(&op, &mut registers, &mut sar, &mut bus, &mut fault) {
            Flow::Fault => {
                assert_eq!(left, None, "{op:?}: {before:?}: {fault:?}");
                faults += 1;
                continue;
            }
            flow if condition(&op).is_some() => registers[TAKEN] = u32::from(flow == Flow::Taken),
            _ => {}
        }
        assert!(left.is_some(), "{op:?}: {before:?}");
        for reg in (0..16).map(Reg) {
            assert_eq!(
                values[usize::from(number(reg))],
                registers[reg],
                "{op:?}, {amount:?}: {before:?}: {reg:?}"
            );
        }
        assert_eq!(values[usize::from(SAR)], sar, "{op:?}: {before:?}");
        assert_eq!(copied, ram, "{op:?}: {before:?}");
        assert_eq!((cycles, instructions), (110, 51), "{op:?}: {before:?}");
    }
    faults
}

/// With these registers.
fn op(code: Operation, imm: u32) -> Op {
    let d = if code == Operation::AddiSp { Reg::SP } else { Reg(7) };
    Op { code, d, s: Reg(5), t: Reg(6), imm }
}

#[test]
fn each_operation_on_registers_computes_what_the_interpreter_does() {
    let mut random = Random(1);
    for code in COMPUTING {
        // Of EXTUI two numbers, of SEXT one from 7 on.
        let imm = match code {
            Operation::Extui => (1 + random.next() % 16) << 5 | random.next() & 15,
            Operation::Sext => 7 + random.next() % 16,
            _ => random.value(),
        };
        compare(op(code, imm), 400, None, |_| None);
        compare(Op { t: Reg(5), ..op(code, imm) }, 50, None, |_| None);
    }
    compare(op(Operation::Clamps, 9), 400, None, |_| None);
    // SUB a1, a1, a9 and ADD.N a1, a1, a9.
    compare(op(Operation::OtherSp, 0xc0_1190), 20, None, |_| None);
    compare(op(Operation::OtherSp, 0x119a), 20, None, |_| None);
}

#[test]
fn shifts_by_constants_compute_what_the_interpreter_does() {
    for code in [Operation::Sll, Operation::Srl, Operation::Sra, Operation::Src] {
        for amount in [0, 1, 7, 31, 32, 33, 63] {
            compare(op(code, 0), 20, Some(amount), |_| None);
            compare(Op { t: Reg(5), ..op(code, 0) }, 20, Some(amount), |_| None);
        }
    }
}

#[test]
fn divisions_compute_and_fail_as_in_the_interpreter() {
    for code in DIVIDING {
        assert!(compare(op(code, 0), 400, None, |_| None) > 5, "{code:?}");
    }
}

#[test]
fn each_branch_is_taken_when_the_interpreter_takes_it() {
    for code in BRANCHING {
        for number in [0, 5, 31] {
            compare(Op { d: Reg(number), ..op(code, 0x100) }, 200, None, |_| None);
        }
        compare(Op { t: Reg(5), ..op(code, 0x100) }, 20, None, |_| None);
    }
}

#[test]
fn each_access_reads_and_writes_and_fails_where_the_interpreter_does() {
    for code in ACCESSING {
        for imm in [0, 4] {
            let faults = compare(op(code, imm), 400, None, |random| {
                let base = if random.next() & 1 == 0 { RAM } else { FLASH };
                // Some places in front of memory and behind it.
                Some((base - 8).wrapping_add(random.next() % (SIZE + 16)))
            });
            assert!((20..380).contains(&faults), "{code:?}: {faults}");
        }
    }
    for imm in [FLASH + 8, RAM + 8, FLASH + SIZE] {
        let faults = compare(op(Operation::L32r, imm), 20, None, |_| None);
        assert_eq!(faults, if imm == FLASH + SIZE { 20 } else { 0 });
    }
}
