//! Operations of ARMv6-M.

use std::collections::BTreeMap;

use pennyweight_thumb::core::CortexM0;
use pennyweight_thumb::op::{InstructionSet as _, Op};
use pennyweight_thumb::v6m::{Code, V6m};

use super::super::flags::Flags;
use super::super::lower::{condition, lower, target};
use super::{Random, PC};
use crate::ir::Step;

/// Operations that the interpreter executes.
const INTERPRETED: [Code; 7] = {
    use Code::*;
    [Mrs, Msr, Cps, Sev, Wfe, Wfi, Trap]
};

fn compare(ops: &[Op<Code>], states: u32, seed: u64) -> u32 {
    super::compare::<CortexM0>(ops, states, seed)
}

/// All operations that 16-bit encodings decode to, with and without flags, and BL and a barrier: by code.
fn operations() -> BTreeMap<u8, Vec<Op<Code>>> {
    let mut found: BTreeMap<u8, Vec<Op<Code>>> = BTreeMap::new();
    let narrow = (0..0xe800).map(|word| V6m::decode(word, 0, PC, false));
    let wide = [(0xf000, 0xf810), (0xf3bf, 0x8f5f)].map(|(a, b)| V6m::decode(a, b, PC, false));
    for op in narrow.chain(wide) {
        if op.code == Code::Undefined || op.code == Code::Trap {
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
        let accesses =
            matches!(forms[0].code, Code::LdrImm | Code::StrReg | Code::Ldm | Code::Push | Code::PopPc);
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
    let all: Vec<Op<Code>> = operations().into_values().flatten().collect();
    let jumps = |op: &Op<Code>| {
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
    let mut codes: BTreeMap<u8, Vec<Op<Code>>> = BTreeMap::new();
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
