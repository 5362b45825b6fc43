//! Where things are in the linear memory of translated code.

use pennyweight_machine32::Parts;

use crate::{copies, tier};

/// Registers that the guest can have, those of the intermediate form for values within a block, and those in
/// banks, from [`FIRST_BANKED`] on.
pub const MOST_REGISTERS: u32 = 128;
/// The number of the first register in a bank. Those in front of it are variables of translated code.
pub const FIRST_BANKED: u32 = 64;
/// Where the guest's registers are; a word each.
pub const REGISTERS: u32 = 0;
/// Where the banks are, of four registers each.
pub const BANKS: u32 = 4 * FIRST_BANKED;
/// Cycles so far.
pub const CYCLES: u32 = 512;
/// The budget in cycles.
pub const BUDGET: u32 = 520;
/// Instructions so far.
pub const INSTRUCTIONS: u32 = 528;
/// The time of the last use of an entry of the branch target buffer.
pub const CLOCK: u32 = 536;
/// The lowest offset above the stack's limit that was stored to or that the stack pointer took.
pub const LOW: u32 = 544;
/// The stack's limit.
pub const LIMIT: u32 = 548;
/// Bytes between the stack's limit and its top.
pub const SPAN: u32 = 552;
/// All ones if reading free stack is forbidden, else 0.
pub const NO_READ: u32 = 556;
/// All ones if writing to free stack is forbidden, else 0.
pub const NO_WRITE: u32 = 560;
/// The block to begin with.
pub const ENTRY: u32 = 564;
/// The exit that was taken.
pub const EXIT: u32 = 568;
/// Where a computed jump went.
pub const TARGET: u32 = 572;
/// The history of branches.
pub const HISTORY: u32 = 576;
/// The top of the return-address stack.
pub const TOP: u32 = 580;
/// The depth of the return-address stack.
pub const DEPTH: u32 = 584;
/// When the line read ahead can be executed.
pub const AHEAD_READY: u32 = 592;
/// When the flash can begin another read.
pub const FLASH_FREE: u32 = 600;
/// The line read ahead.
pub const AHEAD: u32 = 608;
/// The line in use.
pub const CURRENT: u32 = 612;
/// The time of the last use of a line of instructions, and of one of data.
pub const USES: [u32; 2] = [616, 620];
/// Where the state is, of flash and RAM behind a bus matrix.
pub const NODE: u32 = 624;
/// When the word could be executed that fetching began with, less its number.
pub const WORDS_READY: u32 = AHEAD_READY;
/// When execution came to the last but one word of a line.
pub const ENTERED: u32 = FLASH_FREE;
/// The word that fetching began with.
pub const FIRST: u32 = AHEAD;
/// The word of data read last.
pub const DATA: u32 = CURRENT;
/// Bytes for states of flash and RAM behind a bus matrix.
pub const NODES: u32 = 1 << 20;
/// Bytes that are zero behind [`Layout::forbidden`].
pub const ZEROS: u32 = 16;
/// Bytes of a page of linear memory.
const PAGE: u32 = 1 << 16;
/// The first byte behind these.
const TABLES: u32 = 640;

/// The sizes of a branch predictor's tables, and what a wrong prediction costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PredictorShape {
    /// Entries of the branch target buffer.
    pub targets: u32,
    /// Entries of the branch history table, a power of two.
    pub histories: u32,
    /// Entries of the return-address stack.
    pub returns: u32,
    /// Cycles.
    pub penalty: u32,
}

/// The shape of an instruction cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheShape {
    /// A line's bytes as a power of two.
    pub line_shift: u32,
    /// Lines of a set.
    pub ways: u32,
    /// Sets; a power of two.
    pub sets: u32,
    /// Cycles of a miss.
    pub miss: u32,
    /// Is data that is read from flash looked up in it too?
    pub shared: bool,
}

impl CacheShape {
    /// A cache of so many lines, a power of two.
    #[must_use]
    pub fn new(line_shift: u32, lines: u32, ways: u32, miss: u32) -> CacheShape {
        let ways = ways.clamp(1, lines);
        CacheShape { line_shift, ways, sets: (lines / ways).next_power_of_two(), miss, shared: false }
    }

    /// Would it take too much code?
    #[must_use]
    pub fn is_too_wide(&self) -> bool {
        self.ways > MOST_WAYS
    }
}

/// A flash that reads ahead line by line, with its caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamShape {
    /// Wait states of a read.
    pub wait_states: u32,
    /// A line's bytes as a power of two.
    pub line_shift: u32,
    /// Lines of instructions that are cached, and of data.
    pub held: [u32; 2],
}

/// A direct-mapped cache for code behind a core that fetches ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AheadShape {
    /// Wait states of a fetch that misses.
    pub wait_states: u32,
    /// Those of a read of data.
    pub data_wait: u32,
    /// A line's bytes as a power of two.
    pub line_shift: u32,
    /// Lines; a power of two.
    pub lines: u32,
}

/// A cache for code and one for data, in each of which a line may have any place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitShape {
    /// A line's bytes as a power of two.
    pub line_shift: u32,
    /// Lines of each.
    pub held: [u32; 2],
    /// Cycles of a miss.
    pub miss: u32,
}

/// Lines of a set that there is code for.
const MOST_WAYS: u32 = 8;

/// What the code of one machine depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Guest registers, of which that with number 0 is not kept. Those of higher numbers hold values within a
    /// block.
    pub registers: u32,
    /// The number of the stack pointer.
    pub stack_pointer: u32,
    /// The number of the register that holds the lowest byte of the stack in use: the stack pointer, or one that
    /// is kept where guard zones are.
    pub lowest: u32,
    /// Banks of four registers, a power of two; none if the guest has no such registers.
    pub banks: u32,
    /// First address of RAM.
    pub ram_base: u32,
    /// Bytes of RAM, a multiple of four.
    pub ram_size: u32,
    /// First address of flash, for data.
    pub flash_base: u32,
    /// Bytes of flash that are not erased, a multiple of four.
    pub flash_size: u32,
    /// So many of them are where data is loaded.
    pub shown: u32,
    /// First address of flash, for code.
    pub code_base: u32,
    /// Bytes of flash that can hold code.
    pub code_size: u32,
    /// The least bytes of an instruction, and what their addresses are multiples of, as a power of two.
    pub code_shift: u32,
    /// Do loads read flash? If not, those that do are left to the interpreter.
    pub flash_loads: bool,
    /// Are the blocks of RAM noted where something is stored? If not, all of them may have changed.
    pub notes_stores: bool,
    /// Cycles that reading data from flash adds.
    pub data_wait: u32,
    /// Cycles of divisions.
    pub division: Division,
    /// Cycles of each access beyond the first that an access is split into.
    pub split: u32,
    /// The branch predictor, if there is one.
    pub predictor: Option<PredictorShape>,
    /// The instruction cache, if there is one.
    pub cache: Option<CacheShape>,
    /// The caches for code and data, if there is one for each.
    pub split_cache: Option<SplitShape>,
    /// The flash, if it reads ahead line by line.
    pub stream: Option<StreamShape>,
    /// The cache for code, if the core fetches ahead.
    pub ahead: Option<AheadShape>,
    /// Bytes of a line as a power of two, if flash and RAM are behind a bus matrix.
    pub matrix_shift: Option<u32>,
}

/// How long divisions take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// A cycle for each bit of the quotient and one more, but at least and at most so many.
    ByQuotient(u32, u32),
    /// So many cycles, and one for each leading zero of the divisor, or one behind its sign if it is negative.
    ByDivisor(u32),
    /// So many cycles, and one more for a dividend with a sign that is negative.
    Fixed(u32),
}

/// Offsets of what has no fixed place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Addresses of jumps in the branch target buffer.
    pub sources: u32,
    /// Their targets.
    pub targets: u32,
    /// When they were last used; 64 bits each.
    pub used: u32,
    /// For each branch counter, a byte: was the branch taken?
    pub taken: u32,
    /// The return-address stack.
    pub returns: u32,
    /// The instruction cache's lines.
    pub held: u32,
    /// Where lines are that are held for their last use: instructions, then data.
    pub held_lines: [HeldLayout; 2],
    /// For each halfword of code, a byte: the entry of the branch target buffer, counted from one.
    pub places: u32,
    /// States of flash and RAM behind a bus matrix.
    pub nodes: u32,
    /// For each block of RAM, a byte: was something stored there?
    pub dirty: u32,
    /// For each byte of RAM, what is forbidden.
    pub forbidden: u32,
    /// Flash.
    pub flash: u32,
    /// Tables of targets of computed jumps; a word for each place where an instruction can begin.
    pub tables: u32,
    /// Bytes of each of them.
    pub table_size: u32,
    /// RAM, at the end.
    pub ram: u32,
    /// Pages of 64 KiB.
    pub pages: u32,
}

/// Offsets of lines of which the one used longest ago is replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeldLayout {
    /// For each place, its line.
    pub lines: u32,
    /// For each place, when it was last used.
    pub used: u32,
    /// For each line of flash, a byte: its place, counted from one.
    pub places: u32,
}

/// Larger memories are not copied.
pub const MOST_RAM: usize = 1 << 20;
/// Larger programs are not translated.
const MOST_FLASH: usize = 1 << 24;

impl Shape {
    /// A machine with so many registers, of which this one is the stack pointer, and with memories (address and
    /// bytes) that do not wait. Its code is in all of flash.
    #[must_use]
    pub const fn new(registers: u32, stack_pointer: u32, ram: (u32, u32), flash: (u32, u32)) -> Shape {
        Shape {
            registers,
            stack_pointer,
            lowest: stack_pointer,
            banks: 0,
            ram_base: ram.0,
            ram_size: ram.1,
            flash_base: flash.0,
            flash_size: flash.1,
            shown: flash.1,
            code_base: flash.0,
            code_size: flash.1,
            code_shift: 1,
            flash_loads: true,
            notes_stores: true,
            data_wait: 0,
            division: Division::ByQuotient(1, 1),
            split: 0,
            predictor: None,
            cache: None,
            split_cache: None,
            stream: None,
            ahead: None,
            matrix_shift: None,
        }
    }

    /// That of these parts; `None` if a memory is too large.
    #[must_use]
    pub fn plain(parts: &Parts<'_>, registers: u32, stack_pointer: u32) -> Option<Shape> {
        let memories = parts.memories;
        let written = memories.flash.iter().rposition(|word| *word != [0xff; 4]).map_or(0, |last| last + 1);
        let fits =
            memories.ram.len() * 4 <= MOST_RAM && written * 4 <= MOST_FLASH && parts.used <= MOST_FLASH;
        let ram = (memories.ram_base, memories.ram.len() as u32 * 4);
        let flash = (memories.flash_base, written as u32 * 4);
        let shape = Shape::new(registers, stack_pointer, ram, flash);
        fits.then_some(Shape { code_size: parts.used as u32, ..shape })
    }

    /// Words of registers, those in banks included.
    #[must_use]
    pub fn words(&self) -> u32 {
        if self.banks == 0 {
            self.registers
        } else {
            FIRST_BANKED + 4 * self.banks
        }
    }

    /// Entries of a table of targets.
    #[must_use]
    pub fn slots(&self) -> u32 {
        self.code_size.div_ceil(1 << self.code_shift)
    }

    /// Blocks of RAM.
    #[must_use]
    pub fn dirty_size(&self) -> u32 {
        self.ram_size.div_ceil(1 << copies::SHIFT)
    }

    /// Lines of the cache.
    #[must_use]
    pub fn lines(&self) -> u32 {
        let ahead = self.ahead.map_or(0, |ahead| ahead.lines);
        self.cache.map_or(ahead, |cache| cache.ways * cache.sets)
    }

    /// Instructions in the interpreter that pay for compiling a byte of WebAssembly.
    #[must_use]
    pub fn price(&self) -> u64 {
        let has_state = self.times_flash() || self.matrix_shift.is_some() || self.cache.is_some();
        if has_state || self.predictor.is_some() {
            tier::PRICE_OF_SLOW
        } else {
            tier::PRICE
        }
    }

    /// Does the flash have a state of its own?
    #[must_use]
    pub fn times_flash(&self) -> bool {
        self.stream.is_some() || self.split_cache.is_some() || self.ahead.is_some()
    }

    /// Lines that are held for their last use: of code and of data.
    #[must_use]
    pub fn held(&self) -> [u32; 2] {
        self.stream.map(|stream| stream.held).or(self.split_cache.map(|cache| cache.held)).unwrap_or_default()
    }

    /// Bytes of such a line as a power of two.
    #[must_use]
    pub fn held_shift(&self) -> u32 {
        self.stream
            .map(|stream| stream.line_shift)
            .or(self.split_cache.map(|cache| cache.line_shift))
            .unwrap_or(31)
    }

    /// The number of the first line of flash.
    #[must_use]
    pub fn first_line(&self) -> u32 {
        self.flash_base >> self.held_shift()
    }

    /// Lines of flash that can be read, and those behind them that can be read ahead.
    #[must_use]
    pub fn flash_lines(&self) -> u32 {
        (self.flash_size.max(self.code_size) >> self.held_shift()) + 3
    }

    /// The number of the function that keeps lines of instructions, or of data, if such are kept: behind all
    /// others.
    #[must_use]
    pub fn keep_function(&self, data: bool) -> u32 {
        let instructions = self.held()[0] > 0;
        self.lines_function() + u32::from(self.cache.is_some()) + u32::from(data && instructions)
    }

    /// The functions in front of those of blocks.
    #[must_use]
    pub fn functions(&self) -> u32 {
        let keeps = self.held().iter().filter(|lines| **lines > 0).count() as u32;
        self.lines_function() + u32::from(self.cache.is_some()) + keeps
    }

    /// The number of the function that reads lines of code: behind that of the predictor, if there is one.
    #[must_use]
    pub fn lines_function(&self) -> u32 {
        1 + u32::from(self.predictor.is_some())
    }
}

impl Layout {
    /// The layout for a machine, with so many tables of targets.
    #[must_use]
    pub fn new(shape: &Shape, tables: usize) -> Layout {
        let (entries, histories, returns) =
            shape.predictor.map_or((0, 0, 0), |p| (p.targets, p.histories, p.returns));
        let lines = shape.lines();
        let mut next = TABLES;
        let mut place = |size: u32| {
            let at = next;
            next = (next + size).next_multiple_of(16);
            at
        };
        let halfwords = shape.code_size.div_ceil(2);
        let (sources, targets, used) = (place(4 * entries), place(4 * entries), place(8 * entries));
        let (taken, returns, held) = (place(histories), place(4 * returns), place(4 * lines));
        let held_lines = [0, 1].map(|kind| {
            let lines = shape.held()[kind];
            HeldLayout {
                lines: place(4 * lines),
                used: place(4 * lines),
                places: place(if lines == 0 { 0 } else { shape.flash_lines() }),
            }
        });
        let places = place(if entries == 0 { 0 } else { halfwords });
        let nodes = place(if shape.matrix_shift.is_some() { NODES } else { 0 });
        let dirty = place(shape.dirty_size());
        let (forbidden, flash) = (place(shape.ram_size + ZEROS), place(shape.flash_size));
        let table_size = 4 * shape.slots();
        let tables = place(table_size * tables as u32);
        let pages = (place(0) + shape.ram_size).div_ceil(PAGE);
        let ram = pages * PAGE - shape.ram_size;
        Layout {
            sources,
            targets,
            used,
            taken,
            returns,
            held,
            held_lines,
            places,
            nodes,
            dirty,
            forbidden,
            flash,
            tables,
            table_size,
            ram,
            pages,
        }
    }

    /// The offset of a table of targets.
    #[must_use]
    pub fn table(&self, number: usize) -> u32 {
        self.tables + number as u32 * self.table_size
    }
}
