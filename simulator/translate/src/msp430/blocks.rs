//! Finds the blocks of decoded code.

use std::ops::Range;

use pennyweight_msp430::translator::{Cpu, Parts};
use pennyweight_msp430::Instruction;

use super::jumps::{self, always_jumps, jump, SENTINEL};
use super::lower::Lowering;
use super::registers::{KEPT, STACK};
use crate::blocks::{self, Source, LONGEST};
use crate::ir::{Block, Edge, End};
use crate::prune::prune;

/// Decoded code.
pub struct Decoded<'a, X: Cpu> {
    /// The program and the memories.
    pub parts: Parts<'a, X>,
    /// Where code runs off the end of flash.
    slides: &'a [bool],
    /// The addresses of RAM.
    pub ram: Range<u32>,
    /// Those of flash.
    pub flash: Range<u32>,
    /// Do word accesses ignore the lowest bit of their address?
    pub ignores_odd: bool,
}

pub type Finder<'a, 'd, X> = blocks::Finder<'a, Decoded<'d, X>>;

/// For each word of the address space, does code run from there off the end of flash, if no jump is taken? The
/// jump that led there is to blame, which only the interpreter knows.
pub fn slides<X: Cpu>(parts: &Parts<'_, X>) -> Box<[bool]> {
    let mut slides = vec![true; Parts::<X>::WORDS];
    for word in (0..Parts::<X>::WORDS).rev() {
        let Some(instruction) = parts.instruction(word) else { continue };
        let next = word + usize::from(instruction.words);
        slides[word] = !always_jumps(&instruction) && slides.get(next).copied().unwrap_or(true);
    }
    slides.into_boxed_slice()
}

impl<'a, X: Cpu> Decoded<'a, X> {
    /// A machine's code; `slides` is what the function of this name gives.
    pub fn new(parts: Parts<'a, X>, slides: &'a [bool]) -> Self {
        Decoded { parts, slides, ram: parts.ram(), flash: parts.flash(), ignores_odd: parts.ignores_odd() }
    }

    /// The instruction at a word address, and the address behind it.
    fn instruction(&self, word: usize) -> Option<(Instruction, u32)> {
        let instruction = self.parts.instruction(word)?;
        Some((instruction, address(word + usize::from(instruction.words))))
    }

    /// Is the instruction at a word address translated?
    fn is_translated(&self, word: usize) -> bool {
        let Some((instruction, next)) = self.instruction(word) else { return false };
        let here = address(word);
        here != SENTINEL
            && match jump(&instruction) {
                Some(jump) => self.translates_jump(jump, here, next),
                None => self.translates(here, &instruction),
            }
    }
}

impl<X: Cpu> std::fmt::Debug for Decoded<'_, X> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoded").field("ram", &self.ram).field("flash", &self.flash).finish_non_exhaustive()
    }
}

/// The address of a word.
fn address(word: usize) -> u32 {
    2 * word as u32
}

impl<X: Cpu> Source for Decoded<'_, X> {
    type Pending = ();

    fn position(&self, address: u32) -> Option<usize> {
        let word = address as usize / 2;
        let is_code = address & 1 == 0 && address != SENTINEL && !*self.slides.get(word)?;
        (is_code && self.flash.contains(&address)).then_some(word)
    }

    fn settle(&self, word: usize, (): &()) -> Option<((), u32)> {
        self.is_translated(word).then_some(((), 0))
    }

    fn lost_by_target(&self, _: u32) -> Option<u32> {
        Some(0)
    }

    fn build(finder: &mut Finder<'_, '_, X>, mut word: usize, (): ()) -> Block {
        let source = finder.source;
        let mut block = Block::new(None);
        let mut lowering = Lowering::new(source);
        loop {
            let decoded = source.instruction(word);
            let Some((instruction, next)) = decoded.filter(|_| source.is_translated(word)) else {
                lowering.settle();
                block.end = End::Next(Edge { block: None, exit: exit_before(finder, address(word)) });
                // The interpreter comes back behind it.
                if let Some((_, next)) = decoded {
                    finder.target(next);
                }
                break;
            };
            if block.instructions >= LONGEST {
                lowering.settle();
                block.end = End::Next(edge_to(finder, address(word)));
                break;
            }
            let own = source.parts.cycles(&instruction);
            block.cycles += own;
            block.instructions += 1;
            if let Some(jump) = jump(&instruction) {
                block.end = jumps::end(finder, &mut lowering, jump, (address(word), next), own);
                break;
            }
            lowering.lower(address(word), &instruction);
            word = next as usize / 2;
        }
        block.steps = lowering.steps;
        (block.late, block.needs) = lowering.flags.finish();
        prune(&mut block, KEPT, STACK);
        block
    }

    fn hollow(finder: &mut Finder<'_, '_, X>, word: usize, (): ()) -> Block {
        let exit = exit_before(finder, address(word));
        let (late, needs) = Lowering::new(finder.source).flags.finish();
        Block { late, needs, end: End::Next(Edge { block: None, exit }), ..Block::new(None) }
    }
}

/// A way out in front of an instruction that does not follow a jump.
pub fn exit_before<X: Cpu>(finder: &mut Finder<'_, '_, X>, address: u32) -> usize {
    finder.exit(Some(address), address, (), false)
}

/// To the instruction at an address, not by a jump.
pub fn edge_to<X: Cpu>(finder: &mut Finder<'_, '_, X>, address: u32) -> Edge {
    let block = finder.source.position(address).and_then(|word| finder.block(word, &()));
    Edge { block, exit: exit_before(finder, address) }
}
