//! How a region is split into functions. The compiler's time grows faster than a function, because every block
//! that is reached through a table can follow every other, and so do the values of all registers there.

use std::ops::Range;

use wasm_encoder::{BlockType, Function, InstructionSink, ValType};

use super::at;
use crate::ir::Region;
use crate::layout;

/// Instructions of a function, not counting those of its last block, at most.
const MOST_INSTRUCTIONS: u32 = 4096;

/// The blocks of each function.
pub fn parts(region: &Region) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut instructions) = (0, 0);
    for (number, block) in region.blocks.iter().enumerate() {
        if number - start == region.most || instructions >= MOST_INSTRUCTIONS {
            parts.push(start..number);
            (start, instructions) = (number, 0);
        }
        instructions += block.instructions;
    }
    parts.push(start..region.blocks.len());
    parts
}

/// The function that is entered from outside. It calls the function that has the next block, as often as there is
/// one; `first` is the number of the first of these functions.
pub fn run(parts: &[Range<usize>], first: u32) -> Function {
    let mut function = Function::new([]);
    let mut sink = function.instructions();
    sink.loop_(BlockType::Empty);
    call(&mut sink, parts, first);
    sink.br_if(0).end().end();
    function
}

/// Calls the one of these functions that has the next block.
fn call(sink: &mut InstructionSink<'_>, parts: &[Range<usize>], first: u32) {
    if parts.len() == 1 {
        sink.call(first);
        return;
    }
    let (before, behind) = parts.split_at(parts.len() / 2);
    sink.i32_const(0).i32_load(at(layout::ENTRY, 2)).i32_const(behind[0].start as i32).i32_lt_u();
    sink.if_(BlockType::Result(ValType::I32));
    call(sink, before, first);
    sink.else_();
    call(sink, behind, first + before.len() as u32);
    sink.end();
}
