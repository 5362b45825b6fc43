//! IT blocks: instructions that are executed if a condition holds.
//!
//! They are part of the block of the IT instruction: what has one result becomes a choice, everything else is
//! done under the condition. A jump can only be the last one; it becomes a block of its own, which is entered if
//! its condition holds. As in the interpreter, the budget is checked behind the last instruction.

use pennyweight_thumb::core::Core;
use pennyweight_thumb::op::InstructionSet;
use pennyweight_thumb::program;

use super::at::{At, Conditional};
use super::blocks::{edge_to, Decoded, Finder, Jump};
use super::flags::Flags;
use super::operation::Operation;
use crate::blocks::Source as _;
use crate::ir::{Binary, Block, End, Expr, Kind, Lost, Step};

/// Are all instructions of the IT block with this number translated, whose IT instruction is at `pc`?
pub fn translates<C>(source: &Decoded<'_, C>, pc: u32, number: u32) -> bool
where
    C: Core<Set: InstructionSet<Code: Operation>>,
{
    let block = source.program.block(number);
    let last = block.len().wrapping_sub(1);
    let mut next = pc.wrapping_add(2);
    block.iter().enumerate().all(|(index, each)| {
        let address = next;
        next = next.wrapping_add(2 * C::Set::width(&each.op));
        if source.accesses_device(address) {
            return false;
        }
        if Operation::target(&each.op, &mut Vec::new()).is_some() {
            return index == last && each.cycles >= C::SKIPPED;
        }
        Operation::lower(&each.op, &mut Flags::default(), &mut Vec::new())
    })
}

/// Adds the instructions of the IT block with this number, whose IT instruction is at `pc`, to its block; returns
/// how that ends.
pub fn block<C>(
    finder: &mut Finder<'_, '_, C>,
    number: u32,
    pc: u32,
    flags: &mut Flags,
    (block, at): (&mut Block, &mut At),
) -> End
where
    C: Core<Set: InstructionSet<Code: Operation>>,
{
    let source = finder.source;
    let mut next = pc.wrapping_add(2);
    let mut last = next;
    let mut left = None;
    for (index, each) in source.program.block(number).iter().enumerate() {
        let halfwords = C::Set::width(&each.op);
        last = next;
        source.enter_lines(last, halfwords, &mut at.line, block);
        source.fetch(last, halfwords, &mut at.came, block);
        source.fetch_words(last, halfwords, at, block);
        next = next.wrapping_add(2 * halfwords);
        block.instructions += 1;
        if Operation::target(&each.op, &mut Vec::new()).is_some() {
            source.pass(C::SKIPPED, block);
            let conditional = Some(Conditional { block: number, index });
            left = source.position(last).map(|position| (position, flags.holds(each.condition), conditional));
        } else {
            add(source, each, flags, (&mut *block, at));
        }
    }
    let (kind, lost, behind) = (Kind::Plain, Lost::Always(0), *at);
    let skipped = [finder.jump_to(next, last, behind.settled()); 2];
    let Some((position, condition, conditional)) = left else {
        return End::Jump { pc: last, target: next, kind, link: None, lost, edges: skipped };
    };
    let condition = Expr::binary(Binary::Equal, condition, Expr::Constant(0));
    let executed = [edge_to(finder, position, At { conditional, ..behind }); 2];
    End::Branch { condition, pc: last, target: next, lost, taken: skipped, not_taken: executed }
}

/// Adds an instruction that does not jump.
pub(super) fn add<C>(
    source: &Decoded<'_, C>,
    each: &program::Conditional<C>,
    flags: &mut Flags,
    (block, at): (&mut Block, &mut At),
) where
    C: Core<Set: InstructionSet<Code: Operation>>,
{
    let always = each.cycles.min(C::SKIPPED);
    let [more, if_skipped] = [each.cycles, C::SKIPPED].map(|cycles| cycles - always);
    let mut behind = flags.clone();
    let mut steps = Vec::new();
    source.lower(&each.op, at, &mut behind, &mut steps);
    if behind.differs(flags) {
        // Which flags come from where must not depend on the condition.
        flags.settle(&mut block.steps);
        behind = flags.clone();
        steps.clear();
        source.lower(&each.op, at, &mut behind, &mut steps);
        behind.settle(&mut steps);
    }
    let condition = flags.holds(each.condition);
    flags.also_needs(&behind);
    if if_skipped != 0 {
        let cycles = Expr::choice(condition.clone(), Expr::Constant(0), Expr::Constant(if_skipped));
        block.steps.push(Step::Cycles(cycles));
    }
    match &steps[..] {
        [Step::Set(register, value)] => {
            if more != 0 {
                let cycles = Expr::choice(condition.clone(), Expr::Constant(more), Expr::Constant(0));
                block.steps.push(Step::Cycles(cycles));
            }
            let chosen = Expr::choice(condition, value.clone(), Expr::Register(*register));
            block.steps.push(Step::Set(*register, chosen));
        }
        [] if more == 0 => {}
        _ => {
            if more != 0 {
                steps.push(Step::Cycles(Expr::Constant(more)));
            }
            block.steps.push(Step::If(condition, steps));
        }
    }
    source.pass(always, block);
    at.pass(always);
}

/// Adds the conditional jump at `position`, which is executed, and has been counted as if it were skipped.
pub fn jump<C>(
    finder: &mut Finder<'_, '_, C>,
    Conditional { block: number, index }: Conditional,
    position: usize,
    flags: &mut Flags,
    (block, at): (&mut Block, &mut At),
) where
    C: Core<Set: InstructionSet<Code: Operation>>,
{
    let source = finder.source;
    let Some(each) = source.program.block(number).get(index) else { return };
    let halfwords = C::Set::width(&each.op);
    source.pass(C::SKIPPED.wrapping_neg(), block);
    let jump = Jump { pc: source.address(position), halfwords, cycles: each.cycles, position };
    if let Some(end) = jump.end(finder, &each.op, flags, (&mut block.steps, at)) {
        block.end = end;
    }
    source.pass(each.cycles, block);
}
