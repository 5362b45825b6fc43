//! Random stretches of code for a core that fetches ahead behind a cache, translated, against the model.

use pennyweight_memory::bus::Word;
use pennyweight_memory::timing::{FetchAhead, FetchState, FlashTiming};
use pennyweight_thumb::core::CortexM4;
use pennyweight_thumb::program::Program;

use super::super::at::{At, Fetched};
use super::super::blocks::Decoded;
use super::{FLASH, RAM, SHAPE};
use crate::code::{Code, Compiler, State};
use crate::ir::{Ahead, Block, Edge, End, Kind, Lost, Step};
use crate::layout::{AheadShape, Shape};
use crate::learned::Learned;
use crate::trial::{region, Random};

/// Bytes of flash.
const SIZE: u32 = 2048;

/// A stretch of code behind a branch to `start`, and the jump at its end, as a block; `flash` goes through the same.
/// Returns the cycles without waits.
fn stretch(
    source: &Decoded<'_, CortexM4>,
    shift: u32,
    start: u32,
    flash: &mut FetchAhead,
    random: &mut Random,
) -> (Block, u64) {
    let mut block = Block::new(None);
    let mut at = At { fetched: Some(Fetched::branch(start, None)), ..At::default() };
    let (mut pc, mut last, mut counted) = (start, start, 0);
    for _ in 0..=random.next() % 30 {
        let halfwords = 1 + (random.next() & 1);
        source.fetch_words(pc, halfwords, &mut at, &mut block);
        flash.instruction(pc, halfwords);
        if random.next() & 3 == 0 {
            let address = FLASH + (random.next() % 16) * 4;
            block.steps.push(Step::ReadLine(address >> 2));
            flash.data_read_at(address);
        }
        let cycles = random.next() % 4;
        source.pass(cycles, &mut block);
        at.pass(cycles);
        flash.finish(cycles);
        counted += u64::from(cycles);
        last = pc;
        pc += 2 * halfwords;
    }
    let target = FLASH + random.next() % (SIZE / 2) * 2;
    block.steps.push(Step::Ahead(Ahead::Leave(last >> 2, (pc - 1) >> shift)));
    let edges = [Edge { block: None, exit: 0 }; 2];
    let (kind, lost) = (Kind::Plain, Lost::Always(1));
    block.end = End::Jump { pc: last, target, kind, link: None, lost, edges };
    // Ten cycles are the block's own.
    flash.finish(11);
    flash.jump(target, true);
    (block, counted + 11)
}

fn compare(line: u32, lines: u32) {
    let [wait_states, data_wait] = [3, 2];
    let shift = line.ilog2();
    let ahead = Some(AheadShape { wait_states, data_wait, line_shift: shift, lines });
    let shape = Shape { flash_size: SIZE, code_size: SIZE, ahead, ..SHAPE };
    let words: Vec<Word> = vec![[0; 4]; SIZE as usize / 4];
    let program = Program::new(CortexM4, &words, FLASH, words.len(), false);
    let source = Decoded {
        program: &program,
        flash: &words,
        line_shift: None,
        is_split: false,
        stream_shift: None,
        ahead_shift: Some(shift),
        prefetch: None,
        ram: (RAM, SHAPE.ram_size),
        matrix_shift: None,
        shown: SIZE,
        learned: &Learned::default(),
    };
    let mut flash = FetchAhead::new(wait_states, line, lines, data_wait, FetchState::ROOM);
    let mut random = Random(lines.into());
    flash.start(FLASH);
    for number in 0..150 {
        let start = flash.state().word << 2 | (random.next() & 2);
        let (mut before, waited) = (flash, flash.stalls());
        let (block, counted) = stretch(&source, shift, start, &mut flash, &mut random);
        let compiled = Code::new(Compiler::Host, &region(block), &shape, false, words.as_flattened());
        let mut code = compiled.expect("the host compiles");
        let (mut state, mut cycles) = (before.state(), 1_000);
        let held = before.held();
        let ran = code.run(
            0,
            &mut State {
                registers: &mut [0; 16],
                ram: &mut vec![0; SHAPE.ram_size as usize],
                forbidden: &[],
                free_stack: [false; 2],
                stack: (0, 0),
                cycles: &mut cycles,
                instructions: &mut 0,
                budget: u64::MAX,
                held,
                predictor: None,
                stream: None,
                ahead: Some(&mut state),
                matrix: None,
            },
        );
        ran.expect("no check fails");
        assert_eq!(cycles, 1_000 + counted + flash.stalls() - waited, "stretch {number}");
        assert_eq!(held, flash.held(), "stretch {number}");
        let known = |state: &FetchState| (state.first, state.first_ready - state.now, state.data);
        assert_eq!(known(&state), known(&flash.state()), "stretch {number}");
    }
}

#[test]
fn translated_code_waits_for_words_as_the_model() {
    compare(16, 128);
    compare(16, 2);
    compare(32, 4);
}
