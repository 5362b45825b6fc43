//! Operations of ARMv7-M, ARMv7E-M and Armv8-M.

use std::collections::BTreeMap;

use pennyweight_thumb::core::{Core, CortexM3, CortexM33, CortexM4};
use pennyweight_thumb::op::{InstructionSet, Op};
use pennyweight_thumb::registers::Reg;
use pennyweight_thumb::v6m::Code as V6;
use pennyweight_thumb::v7m::{Code, Kind};

use super::super::flags::Flags;
use super::super::operation::Operation;
use super::{compare, Random, PC};
use crate::ir::Step;

/// Random encodings that are decoded.
const ENCODINGS: u32 = 400_000;
/// Forms of each operation, and of each of its edges.
const FORMS: usize = 3;
/// Constants at which operations can differ from others: amounts of shifts above all.
const EDGES: [u32; 4] = [0, 1, 31, 32];

/// Is `op` left to the interpreter?
fn is_interpreted(op: &Op<Code>) -> bool {
    use Kind as K;
    match op.code.kind {
        K::Base(V6::Cps | V6::Sev | V6::Wfe | V6::Wfi | V6::Trap | V6::Undefined) => true,
        K::It | K::Mrs | K::Msr | K::Cps | K::Tt => true,
        K::Ldrex | K::Ldrexh | K::Ldrexb | K::Strex | K::Strexh | K::Strexb | K::Clrex => true,
        // The stack pointer's mark is lower than what it becomes.
        K::StrPre | K::StrhPre | K::StrbPre => op.n == Reg::Sp && op.imm & 3 != 0,
        _ => false,
    }
}

/// A load or store with a short offset: the memories are small.
fn nearer(op: Op<Code>) -> Op<Code> {
    use Kind as K;
    let has_offset = match op.code.kind {
        K::Base(code) => {
            matches!(code, V6::LdrImm | V6::LdrhImm | V6::LdrbImm | V6::StrImm | V6::StrhImm | V6::StrbImm)
        }
        K::LdrshImm | K::LdrsbImm | K::LdrToImm | K::LdrToPre | K::LdrToPost => true,
        K::LdrPre | K::LdrhPre | K::LdrbPre | K::LdrshPre | K::LdrsbPre => true,
        K::LdrPost | K::LdrhPost | K::LdrbPost | K::LdrshPost | K::LdrsbPost => true,
        K::StrPre | K::StrhPre | K::StrbPre | K::StrPost | K::StrhPost | K::StrbPost => true,
        K::Ldrd | K::LdrdPre | K::LdrdPost | K::Strd | K::StrdPre | K::StrdPost => true,
        _ => false,
    };
    if !has_offset || op.n == Reg::Pc {
        return op;
    }
    let offset = op.imm as i32 % 64;
    Op { imm: offset as u32, ..op }
}

/// A few forms of all operations, with and without flags, by kind, variant, and edge if it is at one.
fn operations<C: Core<Set: InstructionSet<Code = Code>>>(random: &mut Random) -> Vec<Vec<Op<Code>>> {
    let mut found: BTreeMap<String, Vec<Op<Code>>> = BTreeMap::new();
    for _ in 0..ENCODINGS {
        let [first, second] = [random.next(), random.next()].map(|word| word as u16);
        let first = if random.next() & 7 != 0 { first | 0xe800 } else { first };
        let op = nearer(C::Set::decode(first, second, PC, false));
        for form in [op, C::Set::without_flags(&op)] {
            let edge = EDGES.iter().position(|edge| *edge == form.imm);
            let forms = found.entry(format!("{:?} {} {edge:?}", form.code.kind, form.code.s)).or_default();
            if forms.len() < FORMS {
                forms.push(form);
            } else if random.next() & 15 == 0 {
                forms[random.next() as usize % FORMS] = form;
            }
        }
    }
    found.into_values().collect()
}

fn compare_all<C: Core<Set: InstructionSet<Code = Code>>>(least: usize) {
    let mut random = Random(5);
    let mut compared = 0;
    for forms in operations::<C>(&mut random) {
        let interpreted = forms.iter().filter(|op| is_interpreted(op));
        for op in interpreted {
            assert!(!Operation::lower(op, &mut Flags::default(), &mut Vec::new()), "{op:?}");
        }
        let mut faults = 0;
        let translated: Vec<_> = forms.iter().filter(|op| !is_interpreted(op)).collect();
        for op in &translated {
            faults += compare::<C>(&[**op], 60, u64::from(random.next()));
        }
        compared += usize::from(!translated.is_empty());
        let kind = forms[0].code.kind;
        if matches!(kind, Kind::LdrPost | Kind::StrhPre | Kind::Ldrd | Kind::StmIa) {
            assert!((5..235).contains(&faults), "{kind:?}: {faults}");
        }
    }
    assert!(compared >= least, "{compared}");
}

#[test]
fn each_operation_of_armv7_m_does_what_the_interpreter_does() {
    compare_all::<CortexM3>(200);
}

#[test]
fn each_operation_of_armv7e_m_does_what_the_interpreter_does() {
    compare_all::<CortexM4>(250);
}

#[test]
fn each_operation_of_armv8_m_does_what_the_interpreter_does() {
    compare_all::<CortexM33>(250);
}

#[test]
fn flags_that_are_computed_late_are_those_of_the_interpreter() {
    let mut random = Random(9);
    let (mut plain, mut branches) = (Vec::new(), Vec::new());
    for forms in operations::<CortexM4>(&mut random) {
        let op = forms[0];
        let mut steps = Vec::new();
        let is_plain = |step: &Step| matches!(step, Step::Set(..) | Step::Product { .. });
        if Operation::condition(&op, &mut Flags::default()).is_some() {
            branches.push(op);
        } else if Operation::target(&op, &mut Vec::new()).is_none()
            && Operation::lower(&op, &mut Flags::default(), &mut steps)
            && steps.iter().all(is_plain)
        {
            plain.push(forms);
        }
    }
    for seed in 0..400 {
        let mut ops = Vec::new();
        for _ in 0..1 + random.next() % 6 {
            let forms = &plain[random.next() as usize % plain.len()];
            ops.push(forms[random.next() as usize % forms.len()]);
        }
        if random.next() & 1 == 0 {
            ops.push(branches[random.next() as usize % branches.len()]);
        }
        compare::<CortexM4>(&ops, 25, seed);
    }
}
