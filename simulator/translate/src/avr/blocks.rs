//! Finds the blocks of decoded code. Addresses are in bytes of flash.

use pennyweight_avr::translator::Parts;
use pennyweight_avr::{Code, Op};

use super::flags::{constant, is_zero, left, or};
use super::lower::Lowering;
use super::registers::{KEPT, LOADED, LOADED_HIGH, STACK};
use crate::blocks::{self, Source, LONGEST};
use crate::ir::{Alignment, Block, Edge, End, Expr, Kind, Lost, Memory, Step, Width};
use crate::prune::prune;

/// The address that the function called from outside returns to, in words. Where flash has this word,
/// the interpreter decides what an access of it is.
const SENTINEL: usize = 0xffff;
/// Cycles that a branch takes more when it branches.
const TAKEN: u32 = 1;

/// Decoded code.
pub struct Decoded<'a> {
    /// The program and the memories.
    pub parts: Parts<'a>,
}

type Finder<'a, 'd> = blocks::Finder<'a, Decoded<'d>>;

/// The address of a word.
fn address(word: usize) -> u32 {
    2 * word as u32
}

impl Decoded<'_> {
    /// Is it behind flash? What leads there is left to the interpreter, which knows whom to blame.
    fn is_outside(&self, word: usize) -> bool {
        self.parts.op(word).code == Code::Outside
    }
}

impl Source for Decoded<'_> {
    type Pending = ();

    fn position(&self, address: u32) -> Option<usize> {
        let word = address as usize / 2;
        let is_code = address & 1 == 0 && word < self.parts.words() && word != SENTINEL;
        (is_code && !self.is_outside(word)).then_some(word)
    }

    fn settle(&self, word: usize, (): &()) -> Option<((), u32)> {
        (word != SENTINEL && self.translates(word, None)).then_some(((), 0))
    }

    fn lost_by_target(&self, _: u32) -> Option<u32> {
        Some(0)
    }

    fn build(finder: &mut Finder<'_, '_>, mut word: usize, (): ()) -> Block {
        let source = finder.source;
        let mut block = Block::new(None);
        let mut lowering = Lowering::default();
        loop {
            let op = source.parts.op(word);
            if source.is_outside(word) {
                lowering.steps.push(Step::Check(constant(0)));
            }
            if !source.translates(word, lowering.half) || word == SENTINEL {
                block.end = End::Next(Edge { block: None, exit: exit_before(finder, word) });
                // The interpreter comes back behind it.
                finder.target(address(word + op.words() as usize));
                break;
            }
            if block.instructions >= LONGEST && lowering.half.is_none() {
                block.end = End::Next(edge_to(finder, word));
                break;
            }
            block.cycles += source.parts.cycles(op.code);
            block.instructions += 1;
            if let Some(end) = end(finder, word, &op, &mut lowering) {
                block.end = end;
                break;
            }
            lowering.lower(source, &op);
            word += op.words() as usize;
        }
        lowering.settle_stack();
        block.steps = lowering.steps;
        (block.late, block.needs) = lowering.flags.finish();
        prune(&mut block, KEPT, STACK);
        block
    }

    fn hollow(finder: &mut Finder<'_, '_>, word: usize, (): ()) -> Block {
        let exit = exit_before(finder, word);
        let (late, needs) = Lowering::default().flags.finish();
        Block { late, needs, end: End::Next(Edge { block: None, exit }), ..Block::new(None) }
    }
}

/// A way out in front of an instruction that does not follow a jump.
fn exit_before(finder: &mut Finder<'_, '_>, word: usize) -> usize {
    finder.exit(Some(address(word)), address(word), (), false)
}

/// To the instruction at `word`, not by a jump.
fn edge_to(finder: &mut Finder<'_, '_>, word: usize) -> Edge {
    Edge { block: finder.block(word, &()), exit: exit_before(finder, word) }
}

/// The end of a block by `op`, if that is a jump.
fn end(finder: &mut Finder<'_, '_>, word: usize, op: &Op, lowering: &mut Lowering) -> Option<End> {
    let source = finder.source;
    let (pc, next, target) = (address(word), word + op.words() as usize, op.imm as usize);
    if let Some(condition) = lowering.branches(op) {
        lowering.settle_stack();
        check_edges(source, lowering, &condition, [target, next]);
        let taken = [finder.jump_to(address(target), pc, ()); 2];
        let not_taken = [edge_to(finder, next); 2];
        let (target, lost) = (address(target), Lost::Always(TAKEN));
        return Some(End::Branch { condition, pc, target, lost, taken, not_taken });
    }
    if let Some(condition) = lowering.skips(op) {
        lowering.settle_stack();
        check_edges(source, lowering, &condition, [target, next]);
        let mut skipped = edge_to(finder, target);
        let cycles = (target - next) as u32;
        match &mut skipped.block {
            Some((_, extra)) => *extra += cycles,
            None => {
                let count = Step::Cycles(constant(cycles));
                lowering.steps.push(Step::If(condition.clone(), vec![count]));
            }
        }
        return Some(End::Either(condition, [skipped, edge_to(finder, next)]));
    }
    match op.code {
        Code::Rjmp | Code::Jmp | Code::Rcall | Code::Call => {
            if matches!(op.code, Code::Rcall | Code::Call) {
                lowering.push_address(next);
                finder.target(address(next));
            }
            lowering.settle_stack();
            check_edges(source, lowering, &constant(1), [target, target]);
            let edges = [finder.jump_to(address(target), pc, ()); 2];
            let (target, kind, lost) = (address(target), Kind::Plain, Lost::Always(0));
            Some(End::Jump { pc, target, kind, link: None, lost, edges })
        }
        Code::Ijmp => {
            lowering.settle_stack();
            let target = lowering.pair(30);
            Some(indirect(finder, word, op, target, Vec::new()))
        }
        Code::Icall => {
            lowering.settle_stack();
            finder.target(address(next));
            let target = lowering.pair(30);
            let bytes = [next & 0xff, next >> 8 & 0xff].map(|byte| constant(byte as u32));
            Some(indirect(finder, word, op, target, vec![Step::Push(bytes.to_vec())]))
        }
        Code::Ret => {
            lowering.settle_stack();
            // The upper byte is on top.
            for (to, offset) in [(LOADED_HIGH, 0), (LOADED, 1)] {
                lowering.steps.push(Step::Load {
                    memory: Memory::Ram,
                    alignment: Alignment::Known,
                    to: Some(to),
                    address: Expr::Register(STACK).plus(offset),
                    width: Width::Byte,
                    signed: false,
                });
            }
            let target = or(Expr::Register(LOADED), left(Expr::Register(LOADED_HIGH), 8));
            Some(indirect(finder, word, op, target, vec![Step::Drop(2)]))
        }
        _ => None,
    }
}

/// Fails if control goes outside: to the first word if the condition holds, else to the second one.
fn check_edges(source: &Decoded<'_>, lowering: &mut Lowering, condition: &Expr, [yes, no]: [usize; 2]) {
    if source.is_outside(yes) {
        lowering.steps.push(Step::Check(is_zero(condition.clone())));
    }
    if source.is_outside(no) {
        lowering.steps.push(Step::Check(condition.clone()));
    }
}

/// A jump to the word `target`. Where no block is known there, the interpreter executes the jump.
fn indirect(finder: &mut Finder<'_, '_>, word: usize, op: &Op, target: Expr, then: Vec<Step>) -> End {
    let (pc, own) = (address(word), finder.source.parts.cycles(op.code));
    let after = [finder.exit(None, pc, (), true); 2];
    let unknown = (exit_before(finder, word), Some(own));
    let tables = [finder.table(()); 2];
    let (kind, lost, target) = (Kind::Plain, Lost::Always(0), left(target, 1));
    End::Indirect { pc, target, kind, link: None, lost, unknown, near: None, after, tables, then }
}
