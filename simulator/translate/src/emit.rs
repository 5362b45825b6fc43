//! WebAssembly from the intermediate form.
//!
//! Blocks that lie behind each other become a function without parameters, as many as are compiled in linear time.
//! Guest registers are its locals, loaded from linear memory at the entry and stored at the exit. Its blocks are in
//! a loop that begins with a `br_table`: forward branches go directly to their block, a block that branches to
//! itself is a loop of its own, all others go through the table, and out if the block is in another function. Then
//! the function that is entered from outside calls that one. A failed check is a trap.

mod access;
mod ahead;
mod banks;
mod control;
mod parts;
mod predict;
mod stream;
mod values;
mod waits;

use std::ops::Range;

use wasm_encoder::{
    BlockType, CodeSection, ExportKind, ExportSection, Function, FunctionSection, InstructionSink, MemArg,
    MemorySection, MemoryType, Module, TypeSection, ValType,
};

use crate::ir::{Block, End, Expr, Region, Step};
use crate::layout::{self, Layout, Shape};
use stream::Known;

/// The name of the function that runs a region.
pub const RUN: &str = "run";
/// The name of the memory.
pub const MEMORY: &str = "memory";

/// Locals. Those of registers come first; that of register 0, which is not kept, is for addresses.
mod local {
    pub const ADDRESS: u32 = 0;
    pub const VALUE: u32 = 64;
    pub const NEXT: u32 = 65;
    pub const EXIT: u32 = 66;
    pub const TARGET: u32 = 67;
    pub const LOW: u32 = 68;
    pub const LIMIT: u32 = 69;
    pub const FREE_READ: u32 = 70;
    pub const FREE_WRITE: u32 = 71;
    pub const HISTORY: u32 = 72;
    pub const TOP: u32 = 73;
    pub const DEPTH: u32 = 74;
    pub const LOST: u32 = 75;
    pub const ENTRY: u32 = 76;
    pub const PLACE: u32 = 77;
    pub const FLAG: u32 = 78;
    pub const AHEAD: u32 = 79;
    pub const CURRENT: u32 = 80;
    pub const USES: [u32; 2] = [81, 82];
    pub const NODE: u32 = 83;
    /// So many of 32 bits.
    pub const WORDS: u32 = 84;
    pub const CYCLES: u32 = 84;
    pub const BUDGET: u32 = 85;
    pub const INSTRUCTIONS: u32 = 86;
    pub const CLOCK: u32 = 87;
    pub const PRODUCT: u32 = 88;
    pub const AHEAD_READY: u32 = 89;
    pub const FLASH_FREE: u32 = 90;
    /// The same locals, where a core fetches ahead behind a cache.
    pub const FIRST: u32 = AHEAD;
    pub const DATA: u32 = CURRENT;
    pub const WORDS_READY: u32 = AHEAD_READY;
    pub const ENTERED: u32 = FLASH_FREE;
    /// So many of 64 bits.
    pub const LONGS: u32 = 7;
}

/// The words of state that are loaded and stored, and their locals.
const WORDS: [(u32, u32); 6] = [
    (layout::LOW, local::LOW),
    (layout::HISTORY, local::HISTORY),
    (layout::TOP, local::TOP),
    (layout::DEPTH, local::DEPTH),
    (layout::TARGET, local::TARGET),
    (layout::EXIT, local::EXIT),
];
/// The same of 64 bits.
const LONGS: [(u32, u32); 3] = [
    (layout::CYCLES, local::CYCLES),
    (layout::INSTRUCTIONS, local::INSTRUCTIONS),
    (layout::CLOCK, local::CLOCK),
];
/// The words of state of a flash that reads ahead, or that has a cache for code and one for data.
const STREAM_WORDS: [(u32, u32); 4] = [
    (layout::AHEAD, local::AHEAD),
    (layout::CURRENT, local::CURRENT),
    (layout::USES[0], local::USES[0]),
    (layout::USES[1], local::USES[1]),
];
/// The same of 64 bits.
const STREAM_LONGS: [(u32, u32); 2] =
    [(layout::AHEAD_READY, local::AHEAD_READY), (layout::FLASH_FREE, local::FLASH_FREE)];

/// The value of [`local::EXIT`] if another function has the next block.
const OTHER: i32 = -1;

/// The number of the function that inserts into the branch target buffer.
const INSERT: u32 = 1;

/// The offset `offset` in the only memory, for an access of so many bytes as a power of two.
fn at(offset: u32, align: u32) -> MemArg {
    MemArg { offset: offset.into(), align, memory_index: 0 }
}

/// A region as a module that exports [`RUN`] and [`MEMORY`]. `guarded`: accesses are checked against
/// guard zones and free stack.
#[must_use]
pub fn module(region: &Region, shape: &Shape, layout: &Layout, guarded: bool) -> Vec<u8> {
    let mut types = TypeSection::new();
    types.ty().function([], []);
    types.ty().function([ValType::I32, ValType::I32, ValType::I64], []);
    types.ty().function([ValType::I32, ValType::I32], [ValType::I32]);
    types.ty().function([ValType::I32, ValType::I32], []);
    types.ty().function([], [ValType::I32]);
    let pages = u64::from(layout.pages);
    let mut memories = MemorySection::new();
    let maximum = Some(pages);
    memories.memory(MemoryType {
        minimum: pages,
        maximum,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    let parts = parts::parts(region);
    let mut functions = FunctionSection::new();
    functions.function(0);
    let mut exports = ExportSection::new();
    exports.export(RUN, ExportKind::Func, 0);
    exports.export(MEMORY, ExportKind::Memory, 0);
    let mut code = CodeSection::new();
    code.function(&parts::run(&parts, shape.functions()));
    if let Some(predictor) = &shape.predictor {
        functions.function(1);
        code.function(&predict::insert(shape, layout, predictor));
    }
    if let Some(cache) = &shape.cache {
        functions.function(2);
        code.function(&access::lines(layout, cache));
    }
    for data in [false, true] {
        if shape.held()[usize::from(data)] > 0 {
            functions.function(3);
            code.function(&stream::keep(shape, layout, data));
        }
    }
    for part in parts {
        functions.function(4);
        code.function(&run(region, part, shape, layout, guarded));
    }
    let mut module = Module::new();
    module.section(&types).section(&functions).section(&memories).section(&exports).section(&code);
    module.finish()
}

/// The function of the blocks `part`. It returns 1 if another function has the next block.
fn run(region: &Region, part: Range<usize>, shape: &Shape, layout: &Layout, guarded: bool) -> Function {
    let mut function = Function::new([(local::WORDS, ValType::I32), (local::LONGS, ValType::I64)]);
    let mut emitter = Emitter {
        region,
        part,
        shape,
        layout,
        guarded,
        sink: function.instructions(),
        block: 0,
        nested: 0,
        is_loop: false,
        known: Known::default(),
        leaves: None,
    };
    emitter.all();
    function
}

struct Emitter<'a, 's> {
    region: &'a Region,
    /// The blocks of the function.
    part: Range<usize>,
    shape: &'a Shape,
    layout: &'a Layout,
    guarded: bool,
    sink: InstructionSink<'s>,
    /// The block that is emitted.
    block: usize,
    /// Blocks of WebAssembly around the current place, within the block's own code.
    nested: u32,
    /// Is the block's code in a loop of its own?
    is_loop: bool,
    /// The known state of a flash that reads ahead.
    known: Known,
    /// The word and the line that the block's jump is in, if the core fetches ahead.
    leaves: Option<(u32, u32)>,
}

impl Emitter<'_, '_> {
    fn all(&mut self) {
        let part = self.part.clone();
        let count = part.len() as u32;
        self.load_state();
        self.sink.block(BlockType::Empty); // left by exits
        self.sink.loop_(BlockType::Empty);
        for _ in 0..=count {
            self.sink.block(BlockType::Empty);
        }
        self.sink.local_get(local::NEXT);
        if part.start != 0 {
            self.sink.i32_const(part.start as i32).i32_sub();
        }
        let reached = self.dispatched();
        let labels = (0..count).zip(&reached[part.clone()]);
        let labels = labels.map(|(label, reached)| if *reached { label } else { count });
        self.sink.br_table(labels.collect::<Vec<u32>>(), count);
        for number in part {
            let block = &self.region.blocks[number];
            self.sink.end();
            self.block = number;
            self.nested = 0;
            self.is_loop = goes_to(&block.end, number);
            if self.is_loop {
                self.sink.loop_(BlockType::Empty);
            }
            self.code(block);
            if self.is_loop {
                self.sink.end();
                self.sink.unreachable();
            }
        }
        // The block is in another function.
        self.sink.end().i32_const(OTHER).local_set(local::EXIT).br(1);
        self.sink.end().unreachable().end();
        self.store_state();
        self.sink.local_get(local::EXIT).i32_const(OTHER).i32_eq();
        self.sink.end();
    }

    /// For each block, can it be reached through the table?
    fn dispatched(&self) -> Vec<bool> {
        let mut reached: Vec<bool> = self.region.blocks.iter().map(|block| block.is_entry).collect();
        for place in self.region.tables.iter().flatten() {
            reached[place.block] = true;
        }
        for (number, block) in self.region.blocks.iter().enumerate() {
            for edge in block.end.edges() {
                // As in `go_to`.
                if let Some((target, _)) = edge.block {
                    reached[target] |= !self.is_ahead(target, number);
                }
            }
        }
        reached
    }

    /// Is `block` behind block `number`, in the same function?
    fn is_ahead(&self, block: usize, number: usize) -> bool {
        block > number && self.part.contains(&number) && self.part.contains(&block)
    }

    fn load_state(&mut self) {
        for register in 1..self.shape.registers {
            self.sink.i32_const(0).i32_load(at(layout::REGISTERS + 4 * register, 2)).local_set(register);
        }
        let constant = [(layout::ENTRY, local::NEXT), (layout::LIMIT, local::LIMIT)];
        for (offset, local) in WORDS.into_iter().chain(constant) {
            self.sink.i32_const(0).i32_load(at(offset, 2)).local_set(local);
        }
        for (offset, local) in LONGS.into_iter().chain([(layout::BUDGET, local::BUDGET)]) {
            self.sink.i32_const(0).i64_load(at(offset, 3)).local_set(local);
        }
        if self.shape.times_flash() {
            for (offset, local) in STREAM_WORDS {
                self.sink.i32_const(0).i32_load(at(offset, 2)).local_set(local);
            }
            for (offset, local) in STREAM_LONGS {
                self.sink.i32_const(0).i64_load(at(offset, 3)).local_set(local);
            }
        }
        if self.shape.matrix_shift.is_some() {
            self.sink.i32_const(0).i32_load(at(layout::NODE, 2)).local_set(local::NODE);
        }
        if self.guarded {
            self.set_free_stack(|sink, shape| {
                sink.local_get(shape.lowest).local_get(local::LIMIT).i32_sub();
            });
        }
    }

    fn store_state(&mut self) {
        for register in 1..self.shape.registers {
            self.sink.i32_const(0).local_get(register).i32_store(at(layout::REGISTERS + 4 * register, 2));
        }
        for (offset, local) in WORDS.into_iter().chain([(layout::ENTRY, local::NEXT)]) {
            self.sink.i32_const(0).local_get(local).i32_store(at(offset, 2));
        }
        for (offset, local) in LONGS {
            self.sink.i32_const(0).local_get(local).i64_store(at(offset, 3));
        }
        if self.shape.matrix_shift.is_some() {
            self.sink.i32_const(0).local_get(local::NODE).i32_store(at(layout::NODE, 2));
        }
        if self.shape.times_flash() {
            for (offset, local) in STREAM_WORDS {
                self.sink.i32_const(0).local_get(local).i32_store(at(offset, 2));
            }
            for (offset, local) in STREAM_LONGS {
                self.sink.i32_const(0).local_get(local).i64_store(at(offset, 3));
            }
        }
    }

    fn code(&mut self, block: &Block) {
        self.known = Known::default();
        self.leaves = None;
        self.steps(block.line, &block.steps);
        self.settle();
        self.add_cycles(block.cycles);
        self.wait_as_known(&block.events);
        self.add_instructions(block.instructions);
        self.end(&block.end);
    }

    /// Execution comes to the line `first`, and then to what the steps do.
    fn steps(&mut self, mut first: Option<u32>, steps: &[Step]) {
        // Where data takes places of lines of code, the lines behind it are read after it.
        let is_shared = self.shape.cache.is_some_and(|cache| cache.shared);
        let mut rest = steps;
        loop {
            let mut steps = rest.iter();
            let read = steps.position(|step| has_line(step) || is_shared && self.reads_flash(step));
            let (before, behind) = rest.split_at(read.map_or(rest.len(), |last| last + 1));
            self.lines(first.take(), before);
            for step in before {
                self.step(step);
            }
            if behind.is_empty() {
                break;
            }
            rest = behind;
        }
    }

    fn add_cycles(&mut self, cycles: u32) {
        if cycles != 0 {
            self.sink.local_get(local::CYCLES).i64_const(cycles.into()).i64_add().local_set(local::CYCLES);
        }
    }

    fn add_instructions(&mut self, instructions: u32) {
        let count = local::INSTRUCTIONS;
        self.sink.local_get(count).i64_const(instructions.into()).i64_add().local_set(count);
    }

    /// Adds the cycles on WebAssembly's stack.
    fn add_counted(&mut self) {
        self.sink.i64_extend_i32_u().local_get(local::CYCLES).i64_add().local_set(local::CYCLES);
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Set(register, value) => {
                self.expr(value);
                self.sink.local_set(u32::from(*register));
            }
            Step::SetStack(value) => self.set_stack(value),
            Step::Load { memory, alignment, to, address, width, signed } => {
                self.load(*memory, *to, address, *alignment, (*width, *signed));
            }
            Step::Store { alignment, address, value, width } => {
                self.store(address, value, *alignment, *width);
            }
            Step::Push(values) => self.push_bytes(values),
            Step::Drop(bytes) => self.drop_from_stack(*bytes),
            Step::Reserve(bytes) => self.reserve(*bytes),
            Step::Save(bank, first) => self.save(bank, *first),
            Step::Restore(bank, first) => self.restore(bank, *first),
            Step::Check(value) => self.check(value),
            Step::Line(line) => self.read_code(*line),
            Step::Fetch(fetch) => self.fetch(*fetch),
            Step::ReadLine(word) if self.shape.ahead.is_some() => self.read_word(*word),
            Step::ReadLine(line) => self.read_line(*line),
            Step::Ahead(ahead) => self.ahead(*ahead),
            Step::NoteLine(line) => {
                self.sink.i32_const(*line as i32).local_set(local::CURRENT);
            }
            Step::Cycles(Expr::Constant(cycles)) => self.pass(*cycles),
            Step::Cycles(value) => {
                self.settle();
                self.expr(value);
                self.add_counted();
            }
            Step::If(condition, steps) => {
                self.settle();
                self.expr(condition);
                self.sink.if_(BlockType::Empty);
                let is_last = self.known.is_last;
                self.steps(None, steps);
                self.settle();
                self.known.is_last &= is_last;
                self.sink.end();
            }
            Step::Product { to, factors, signed, addend } => {
                self.long_product(*to, factors, *signed, *addend)
            }
            Step::Division { dividend, divisor, signed } => {
                self.settle();
                self.division(dividend, divisor, *signed);
            }
        }
    }
}

/// Does execution come to lines in it only if a condition holds?
fn has_line(step: &Step) -> bool {
    let is_line = |step: &Step| matches!(step, Step::Line(_)) || has_line(step);
    matches!(step, Step::If(_, steps) if steps.iter().any(is_line))
}

/// Can block `number` follow the block with this end?
fn goes_to(end: &End, number: usize) -> bool {
    end.edges().iter().any(|edge| edge.block.is_some_and(|(block, _)| block == number))
}

/// A target of computed jumps as the word that [`Emitter::indirect`] expects; none if it does not fit.
#[must_use]
pub fn place_word(place: &crate::ir::Place) -> Option<u32> {
    let fits = place.block < 0xffff && place.extra < 256 && place.lost < 256;
    fits.then(|| (place.block as u32 + 1) | (place.extra << 16) | (place.lost << 24))
}
