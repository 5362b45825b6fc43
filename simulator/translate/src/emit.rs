//! WebAssembly from the intermediate form.
//!
//! A region becomes one function without parameters. Guest registers are its locals, loaded from linear memory
//! at the entry and stored at the exit. Blocks lie behind each other in a loop that begins with a `br_table`:
//! forward branches go directly to their block, a block that branches to itself is a loop of its own, all
//! others go through the table. A failed check is a trap.

mod access;
mod predict;

use wasm_encoder::{
    BlockType, CodeSection, ExportKind, ExportSection, Function, FunctionSection, InstructionSink, MemArg,
    MemorySection, MemoryType, Module, TypeSection, ValType,
};

use crate::ir::{Binary, Block, Edge, End, Expr, Kind, Lost, Region, Step, Unary};
use crate::layout::{self, Layout, Shape};

/// The name of the function that runs a region.
pub const RUN: &str = "run";
/// The name of the memory.
pub const MEMORY: &str = "memory";

/// Locals. Those of guest registers come first: x0's is free for addresses.
mod local {
    pub const ADDRESS: u32 = 0;
    pub const VALUE: u32 = 32;
    pub const NEXT: u32 = 33;
    pub const EXIT: u32 = 34;
    pub const TARGET: u32 = 35;
    pub const LOW: u32 = 36;
    pub const LIMIT: u32 = 37;
    pub const FREE_READ: u32 = 38;
    pub const FREE_WRITE: u32 = 39;
    pub const HISTORY: u32 = 40;
    pub const TOP: u32 = 41;
    pub const DEPTH: u32 = 42;
    pub const LOST: u32 = 43;
    pub const ENTRY: u32 = 44;
    pub const PLACE: u32 = 45;
    /// So many of 32 bits.
    pub const WORDS: u32 = 46;
    pub const CYCLES: u32 = 46;
    pub const BUDGET: u32 = 47;
    pub const INSTRUCTIONS: u32 = 48;
    pub const CLOCK: u32 = 49;
    /// So many of 64 bits.
    pub const LONGS: u32 = 4;
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
    let pages = u64::from(layout.pages(region.tables.len()));
    let mut memories = MemorySection::new();
    let maximum = Some(pages);
    memories.memory(MemoryType {
        minimum: pages,
        maximum,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    let mut functions = FunctionSection::new();
    functions.function(0);
    let mut exports = ExportSection::new();
    exports.export(RUN, ExportKind::Func, 0);
    exports.export(MEMORY, ExportKind::Memory, 0);
    let mut code = CodeSection::new();
    code.function(&run(region, shape, layout, guarded));
    if let Some(predictor) = &shape.predictor {
        functions.function(1);
        code.function(&predict::insert(shape, layout, predictor));
    }
    let mut module = Module::new();
    module.section(&types).section(&functions).section(&memories).section(&exports).section(&code);
    module.finish()
}

fn run(region: &Region, shape: &Shape, layout: &Layout, guarded: bool) -> Function {
    let mut function = Function::new([(local::WORDS, ValType::I32), (local::LONGS, ValType::I64)]);
    let mut emitter = Emitter {
        region,
        shape,
        layout,
        guarded,
        sink: function.instructions(),
        block: 0,
        nested: 0,
        is_loop: false,
    };
    emitter.all();
    function
}

struct Emitter<'a, 's> {
    region: &'a Region,
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
}

impl Emitter<'_, '_> {
    fn all(&mut self) {
        let count = self.region.blocks.len();
        self.load_state();
        self.sink.block(BlockType::Empty); // left by exits
        self.sink.loop_(BlockType::Empty);
        for _ in 0..=count {
            self.sink.block(BlockType::Empty);
        }
        self.sink.local_get(local::NEXT);
        self.sink.br_table(0..count as u32, count as u32);
        for (number, block) in self.region.blocks.iter().enumerate() {
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
        // No block has this number.
        self.sink.end().unreachable();
        self.sink.end().unreachable().end();
        self.store_state();
        self.sink.end();
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
        if self.guarded {
            self.set_free_stack(|sink, shape| {
                sink.local_get(shape.stack_pointer).local_get(local::LIMIT).i32_sub();
            });
        }
    }

    fn store_state(&mut self) {
        for register in 1..self.shape.registers {
            self.sink.i32_const(0).local_get(register).i32_store(at(layout::REGISTERS + 4 * register, 2));
        }
        for (offset, local) in WORDS {
            self.sink.i32_const(0).local_get(local).i32_store(at(offset, 2));
        }
        for (offset, local) in LONGS {
            self.sink.i32_const(0).local_get(local).i64_store(at(offset, 3));
        }
    }

    fn code(&mut self, block: &Block) {
        if let Some(line) = block.line {
            self.line(line);
        }
        for step in &block.steps {
            self.step(step);
        }
        self.add_cycles(block.cycles);
        self.add_instructions(block.instructions);
        self.end(&block.end);
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
            Step::Load { to, address, width, signed } => self.load(*to, address, *width, *signed),
            Step::Store { address, value, width } => self.store(address, value, *width),
            Step::Line(line) => self.line(*line),
            Step::Division { dividend, divisor, signed } => self.division(dividend, divisor, *signed),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Constant(value) => {
                self.sink.i32_const(*value as i32);
            }
            Expr::Register(register) => {
                self.sink.local_get(u32::from(*register));
            }
            Expr::Unary(operation, operand) => {
                self.expr(operand);
                match operation {
                    Unary::LeadingZeros => self.sink.i32_clz(),
                    Unary::TrailingZeros => self.sink.i32_ctz(),
                    Unary::Ones => self.sink.i32_popcnt(),
                    Unary::SignedByte => self.sink.i32_extend8_s(),
                    Unary::SignedHalf => self.sink.i32_extend16_s(),
                };
            }
            Expr::Binary(operation, left, right) => self.binary(*operation, left, right),
        }
    }

    fn binary(&mut self, operation: Binary, left: &Expr, right: &Expr) {
        match operation {
            Binary::MultiplyHigh => return self.product(left, right, [false, false]),
            Binary::MultiplyHighSigned => return self.product(left, right, [true, true]),
            Binary::MultiplyHighMixed => return self.product(left, right, [true, false]),
            Binary::Quotient | Binary::QuotientSigned | Binary::Remainder | Binary::RemainderSigned => {
                return self.quotient(operation, left, right);
            }
            _ => {}
        }
        self.expr(left);
        self.expr(right);
        match operation {
            Binary::Add => self.sink.i32_add(),
            Binary::Subtract => self.sink.i32_sub(),
            Binary::And => self.sink.i32_and(),
            Binary::Or => self.sink.i32_or(),
            Binary::Xor => self.sink.i32_xor(),
            Binary::ShiftLeft => self.sink.i32_shl(),
            Binary::ShiftRight => self.sink.i32_shr_u(),
            Binary::ShiftRightSigned => self.sink.i32_shr_s(),
            Binary::RotateLeft => self.sink.i32_rotl(),
            Binary::RotateRight => self.sink.i32_rotr(),
            Binary::Equal => self.sink.i32_eq(),
            Binary::NotEqual => self.sink.i32_ne(),
            Binary::Less => self.sink.i32_lt_u(),
            Binary::LessSigned => self.sink.i32_lt_s(),
            Binary::NotLess => self.sink.i32_ge_u(),
            Binary::NotLessSigned => self.sink.i32_ge_s(),
            _ => self.sink.i32_mul(),
        };
    }

    /// The high half of a product.
    fn product(&mut self, left: &Expr, right: &Expr, signed: [bool; 2]) {
        for (operand, signed) in [left, right].into_iter().zip(signed) {
            self.expr(operand);
            if signed {
                self.sink.i64_extend_i32_s();
            } else {
                self.sink.i64_extend_i32_u();
            }
        }
        self.sink.i64_mul().i64_const(32).i64_shr_u().i32_wrap_i64();
    }

    fn quotient(&mut self, operation: Binary, dividend: &Expr, divisor: &Expr) {
        self.expr(divisor);
        self.sink.if_(BlockType::Result(ValType::I32));
        if operation == Binary::QuotientSigned {
            // In 64 bits nothing overflows.
            for operand in [dividend, divisor] {
                self.expr(operand);
                self.sink.i64_extend_i32_s();
            }
            self.sink.i64_div_s().i32_wrap_i64();
        } else {
            self.expr(dividend);
            self.expr(divisor);
            match operation {
                Binary::Quotient => self.sink.i32_div_u(),
                Binary::Remainder => self.sink.i32_rem_u(),
                _ => self.sink.i32_rem_s(),
            };
        }
        self.sink.else_();
        if matches!(operation, Binary::Quotient | Binary::QuotientSigned) {
            self.sink.i32_const(-1);
        } else {
            self.expr(dividend);
        }
        self.sink.end();
    }

    /// Adds the cycles of a division beyond the first.
    fn division(&mut self, dividend: &Expr, divisor: &Expr, signed: bool) {
        let (least, most) = self.shape.division;
        self.absolute(divisor, signed);
        self.sink.local_tee(local::ADDRESS).i32_clz().i32_const(1).i32_add();
        self.absolute(dividend, signed);
        self.sink.i32_clz().i32_sub().local_set(local::VALUE);
        // Bits of the quotient: at least none, and all for a division by zero.
        self.sink.local_get(local::VALUE).i32_const(0);
        self.sink.local_get(local::VALUE).i32_const(0).i32_gt_s().select().local_set(local::VALUE);
        self.sink.i32_const(32).local_get(local::VALUE).local_get(local::ADDRESS).i32_eqz().select();
        self.sink.i32_const(1).i32_add().local_set(local::VALUE);
        for (limit, above) in [(least, false), (most, true)] {
            self.sink.i32_const(limit as i32).local_get(local::VALUE);
            self.sink.local_get(local::VALUE).i32_const(limit as i32);
            if above {
                self.sink.i32_gt_s();
            } else {
                self.sink.i32_lt_s();
            }
            self.sink.select().local_set(local::VALUE);
        }
        self.sink.local_get(local::VALUE).i32_const(1).i32_sub();
        self.add_counted();
    }

    fn absolute(&mut self, value: &Expr, signed: bool) {
        self.expr(value);
        if signed {
            // (x ^ sign) - sign
            self.expr(value);
            self.sink.i32_const(31).i32_shr_s().i32_xor();
            self.expr(value);
            self.sink.i32_const(31).i32_shr_s().i32_sub();
        }
    }

    /// The depth of the label behind which all exits leave.
    fn exit_label(&self) -> u32 {
        self.dispatch_label() + 1
    }

    fn dispatch_label(&self) -> u32 {
        self.own_depth() + (self.region.blocks.len() - self.block) as u32
    }

    fn own_depth(&self) -> u32 {
        self.nested + u32::from(self.is_loop)
    }

    fn if_(&mut self) {
        self.sink.if_(BlockType::Empty);
        self.nested += 1;
    }

    fn end_if(&mut self) {
        self.sink.end();
        self.nested -= 1;
    }

    fn leave(&mut self, exit: usize) {
        let label = self.exit_label();
        self.sink.i32_const(exit as i32).local_set(local::EXIT).br(label);
    }

    fn go_to(&mut self, block: usize) {
        if block == self.block && self.is_loop {
            self.sink.br(self.nested);
        } else if block > self.block {
            let label = self.own_depth() + (block - self.block - 1) as u32;
            self.sink.br(label);
        } else {
            let label = self.dispatch_label();
            self.sink.i32_const(block as i32).local_set(local::NEXT).br(label);
        }
    }

    /// Goes on without a check of the budget.
    fn follow(&mut self, edge: &Edge) {
        match edge.block {
            Some((block, extra)) => {
                self.add_cycles(extra);
                self.go_to(block);
            }
            None => self.leave(edge.exit),
        }
    }

    /// Goes on where a jump leads that has lost no cycles, or those in the local variable.
    fn follow_jump(&mut self, edges: &[Edge; 2], lost: Lost) {
        if let Lost::Always(cycles) = lost {
            self.add_cycles(cycles);
            return self.follow_checked(&edges[0], None);
        }
        self.sink.local_get(local::LOST);
        self.add_counted();
        if edges[0].block == edges[1].block {
            return self.follow_checked(&edges[0], Some(edges[1].exit));
        }
        self.sink.local_get(local::LOST);
        self.if_();
        self.follow_checked(&edges[1], None);
        self.end_if();
        self.follow_checked(&edges[0], None);
    }

    /// Goes on unless the budget is spent; `late` is the exit if cycles were lost.
    fn follow_checked(&mut self, edge: &Edge, late: Option<usize>) {
        let Some((block, extra)) = edge.block else {
            return self.leave_by(edge.exit, late);
        };
        self.if_spent();
        self.leave_by(edge.exit, late);
        self.end_if();
        self.add_cycles(extra);
        self.go_to(block);
    }

    fn if_spent(&mut self) {
        self.sink.local_get(local::CYCLES).local_get(local::BUDGET).i64_ge_u();
        self.if_();
    }

    fn leave_by(&mut self, exit: usize, late: Option<usize>) {
        let Some(late) = late else { return self.leave(exit) };
        self.sink.i32_const(late as i32).i32_const(exit as i32).local_get(local::LOST).select();
        let label = self.exit_label();
        self.sink.local_set(local::EXIT).br(label);
    }

    fn end(&mut self, end: &End) {
        match end {
            End::Next(edge) => self.follow(edge),
            End::Branch { condition, pc, target, lost, taken, not_taken } => {
                let predicted = *lost == Lost::Predicted;
                if predicted {
                    self.predict_branch(*pc);
                }
                self.expr(condition);
                self.if_();
                if predicted {
                    self.branch_taken(*pc, *target);
                }
                self.follow_jump(taken, *lost);
                self.end_if();
                if !predicted {
                    return self.follow(&not_taken[0]);
                }
                self.branch_not_taken(*pc);
                self.sink.local_get(local::LOST);
                self.if_();
                self.sink.local_get(local::LOST);
                self.add_counted();
                self.follow(&not_taken[1]);
                self.end_if();
                self.follow(&not_taken[0]);
            }
            End::Jump { pc, target, kind, link, lost, edges } => {
                self.link(*link);
                if *lost == Lost::Predicted {
                    self.sink.i32_const(*target as i32).local_set(local::TARGET);
                    self.predict_jump(*pc, *kind);
                }
                self.follow_jump(edges, *lost);
            }
            End::Indirect { pc, target, kind, link, lost, own, before, after, tables } => {
                self.expr(target);
                self.sink.local_set(local::TARGET);
                self.find_place(*own, *before, tables[0]);
                self.link(*link);
                self.indirect(*pc, *kind, *lost, *after, *tables);
            }
        }
    }

    fn link(&mut self, link: Option<(u8, u32)>) {
        if let Some((register, address)) = link {
            self.sink.i32_const(address as i32).local_set(register.into());
        }
    }

    /// Looks the target up in a table, and leaves in front of the jump unless it is there.
    fn find_place(&mut self, own: u32, before: usize, table: usize) {
        let (base, halfwords) = (self.shape.flash_base, self.shape.code_size.div_ceil(2));
        let entry = at(self.layout.table(table), 2);
        self.sink.local_get(local::TARGET).i32_const(base as i32).i32_sub();
        self.sink.i32_const(1).i32_shr_u().local_tee(local::ADDRESS);
        self.sink.i32_const(halfwords as i32).i32_ge_u();
        self.if_();
        self.leave_before(own, before);
        self.end_if();
        if table >= self.region.tables.len() {
            return self.leave_before(own, before);
        }
        self.sink.local_get(local::ADDRESS).i32_const(2).i32_shl().local_tee(local::ADDRESS);
        self.sink.i32_load(entry).local_tee(local::PLACE).i32_eqz();
        self.if_();
        self.leave_before(own, before);
        self.end_if();
    }

    fn leave_before(&mut self, own: u32, before: usize) {
        self.sink.local_get(local::CYCLES).i64_const(own.into()).i64_sub().local_set(local::CYCLES);
        let count = local::INSTRUCTIONS;
        self.sink.local_get(count).i64_const(1).i64_sub().local_set(count);
        self.leave(before);
    }

    /// Goes where [`Self::find_place`] found the target.
    fn indirect(&mut self, pc: u32, kind: Kind, lost: Lost, after: [usize; 2], tables: [usize; 2]) {
        if tables[0] >= self.region.tables.len() {
            self.sink.unreachable();
            return;
        }
        match lost {
            Lost::Always(cycles) => {
                self.add_cycles(cycles);
                self.sink.local_get(local::PLACE).i32_const(24).i32_shr_u();
                self.add_counted();
                self.if_spent();
                self.leave(after[0]);
                self.end_if();
            }
            Lost::Predicted => {
                self.sink.local_get(local::ADDRESS).local_set(local::NEXT);
                self.predict_jump(pc, kind);
                self.sink.local_get(local::LOST);
                self.add_counted();
                self.if_spent();
                self.leave_by(after[0], Some(after[1]));
                self.end_if();
                if tables[0] != tables[1] {
                    self.sink.local_get(local::LOST);
                    self.if_();
                    if tables[1] < self.region.tables.len() {
                        self.sink.local_get(local::NEXT).i32_load(at(self.layout.table(tables[1]), 2));
                        self.sink.local_set(local::PLACE);
                    } else {
                        self.sink.unreachable();
                    }
                    self.end_if();
                }
            }
        }
        self.sink.local_get(local::PLACE).i32_const(16).i32_shr_u().i32_const(0xff).i32_and();
        self.add_counted();
        let label = self.dispatch_label();
        self.sink.local_get(local::PLACE).i32_const(0xffff).i32_and().i32_const(1).i32_sub();
        self.sink.local_set(local::NEXT).br(label);
    }
}

/// Can the block with this end go on with block `number`?
fn goes_to(end: &End, number: usize) -> bool {
    let is = |edge: &Edge| edge.block.is_some_and(|(block, _)| block == number);
    match end {
        End::Next(edge) => is(edge),
        End::Branch { taken, not_taken, .. } => taken.iter().chain(not_taken).any(is),
        End::Jump { edges, .. } => edges.iter().any(is),
        End::Indirect { .. } => false,
    }
}

/// A target of computed jumps as the word that [`Emitter::indirect`] expects; none if it does not fit.
#[must_use]
pub fn place_word(place: &crate::ir::Place) -> Option<u32> {
    let fits = place.block < 0xffff && place.extra < 256 && place.lost < 256;
    fits.then_some(place.block as u32 + 1 | place.extra << 16 | place.lost << 24)
}
