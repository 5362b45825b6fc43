//! The cases of an instruction whose time depends on its accesses or operands.

use pennyweight_thumb::core::{Core, OpOf};
use pennyweight_thumb::op::InstructionSet;
use pennyweight_thumb::registers::Reg;

use super::super::at::Decided;
use super::super::blocks::Decoded;
use super::super::costs;
use super::super::flags::{Flags, DATA, DECIDING};
use super::super::lower::number;
use super::super::operation::Operation;
use super::super::values::{and, constant, equal, less, right, rotated, subtract};
use crate::ir::{Alignment, Expr, Register, Step, Width};

/// What may be known of the next instruction, each with a condition; what holds otherwise. `None`: then the
/// code is left.
pub type Choices = (Vec<(Expr, Decided)>, Option<Decided>);

/// The accesses of an instruction.
pub struct Accesses {
    /// The address of the first one, as the registers in front of the instruction give it.
    pub address: Expr,
    width: Width,
    alignment: Alignment,
    loads: bool,
    count: usize,
    /// Is the first one on the stack?
    on_stack: bool,
}

/// The accesses among the steps of `op`, which is translated, if it makes some.
pub fn accesses<C>(op: &OpOf<C>) -> Option<Accesses>
where
    C: Core<Set: InstructionSet<Code: Operation>>,
{
    let mut steps = Vec::new();
    if Operation::target(op, &mut steps).is_none() {
        steps.clear();
        let _translated = Operation::lower(op, &mut Flags::default(), &mut steps);
    }
    let mut set: Vec<(Register, &Expr)> = Vec::new();
    let mut found: Option<Accesses> = None;
    for step in &steps {
        let (address, width, alignment, loads) = match step {
            Step::Set(register, value) => {
                set.push((*register, value));
                continue;
            }
            Step::SetStack(value) => {
                set.push((number(Reg::Sp), value));
                continue;
            }
            Step::Load { address, width, alignment, .. } => (address, *width, *alignment, true),
            Step::Store { address, width, alignment, .. } => (address, *width, *alignment, false),
            _ => continue,
        };
        if let Some(found) = &mut found {
            found.count += 1;
            continue;
        }
        let on_stack = is_on_stack(address);
        let address = before(address, &set);
        found = Some(Accesses { address, width, alignment, loads, count: 1, on_stack });
    }
    found
}

/// Is it the stack pointer and an offset?
fn is_on_stack(address: &Expr) -> bool {
    match address {
        Expr::Register(register) => *register == number(Reg::Sp),
        Expr::Binary(_, base, _) => is_on_stack(base),
        _ => false,
    }
}

/// A value as the registers gave it before some of them were set, in this order.
fn before(value: &Expr, set: &[(Register, &Expr)]) -> Expr {
    match value {
        Expr::Register(register) => match set.iter().rposition(|(each, _)| each == register) {
            Some(last) => before(set[last].1, &set[..last]),
            None => value.clone(),
        },
        Expr::Binary(operation, left, right) => {
            Expr::binary(*operation, before(left, set), before(right, set))
        }
        Expr::Unary(operation, operand) => Expr::unary(*operation, before(operand, set)),
        Expr::Choice(parts) => {
            let [condition, yes, no] = &**parts;
            Expr::choice(before(condition, set), before(yes, set), before(no, set))
        }
        Expr::Constant(_) => value.clone(),
    }
}

/// What the time of `op` depends on; `None` if that is known. Of accesses, only those to RAM at aligned
/// addresses are usual; `all`: the others are known too.
pub fn ways<C>(source: &Decoded<'_, C>, op: &OpOf<C>, all: bool, steps: &mut Vec<Step>) -> Option<Choices>
where
    C: Core<Set: InstructionSet<Code: Operation>>,
{
    let shift = source.matrix_shift.unwrap_or(0);
    let data = Expr::Register(DATA);
    if let Some((address, _)) = literal(source, op) {
        return Some((vec![(equal(data, constant(address >> shift)), Decided::Again)], Some(Decided::Flash)));
    }
    if let Some(work) = Operation::work(op) {
        let choices = costs::choices::<C>(op, &work);
        let (last, rest) = choices.split_last()?;
        if rest.is_empty() {
            return None;
        }
        costs::add::<C>(op, work, steps);
        if let Some(Step::Cycles(cycles)) = steps.pop() {
            steps.push(Step::Set(DECIDING, cycles));
        }
        let is = |&cycles| (equal(Expr::Register(DECIDING), constant(cycles)), Decided::Busy(cycles));
        return Some((rest.iter().map(is).collect(), Some(Decided::Busy(*last))));
    }
    let Accesses { address, width, alignment, loads, count, on_stack } = accesses::<C>(op)?;
    let may_split = alignment == Alignment::Split && width != Width::Byte;
    if !may_split && (on_stack || !loads) {
        return None;
    }
    let (base, size) = source.ram;
    steps.push(Step::Set(DECIDING, address));
    let address = Expr::Register(DECIDING);
    let low = and(address.clone(), constant(width.bytes() - 1));
    let offset = subtract(address.clone(), constant(base));
    let is_ram = less(offset.clone(), constant(size));
    // Rotated, the low bits of an address that is not aligned are beyond all memories.
    let aligned_below = |offset, size: u32| {
        let by = if may_split { width.shift() } else { 0 };
        less(if by == 0 { offset } else { rotated(offset, by) }, constant(size >> by))
    };
    let is_known_ram = on_stack || !loads;
    let aligned = if is_known_ram { equal(low, constant(0)) } else { aligned_below(offset, size) };
    let mut ways = vec![(aligned, Decided::Aligned)];
    if !all {
        return Some((ways, None));
    }
    if !is_known_ram && count == 1 {
        let place = subtract(address.clone(), constant(source.program.base()));
        let is_flash = aligned_below(place, source.shown);
        let is_again = equal(right(address.clone(), shift), data);
        ways.push((and(is_flash.clone(), is_again), Decided::Again));
        ways.push((is_flash, Decided::Flash));
    }
    if !may_split {
        return Some((ways, None));
    }
    // Of a word at an odd address: byte, half, byte. Otherwise two parts.
    if width == Width::Word {
        let is_odd = and(address, constant(1));
        let odd = if is_known_ram { is_odd } else { and(is_ram.clone(), is_odd) };
        ways.push((odd, Decided::Split(2)));
    }
    if is_known_ram {
        return Some((ways, Some(Decided::Split(1))));
    }
    ways.push((is_ram, Decided::Split(1)));
    Some((ways, None))
}

/// The address and the value of a literal in flash that `op` loads.
pub fn literal<C: Core>(source: &Decoded<'_, C>, op: &OpOf<C>) -> Option<(u32, u32)> {
    let address = C::Set::literal(op)?;
    let word = address.wrapping_sub(source.program.base()).rotate_right(2) as usize;
    Some((address, u32::from_le_bytes(*source.flash.get(word)?)))
}
