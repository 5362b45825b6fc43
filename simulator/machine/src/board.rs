//! The part of a board file that the simulator needs: core, clock and memories.
//!
//! A board file is TOML. Tables that the simulator does not know (`[compiler]`, `[energy]`, ...)
//! belong to others and are not read here; inside `[core]`, `[clock]` and `[[memory]]` an unknown
//! field is an error.

use std::fmt;

use toml::{Table, Value};

use crate::core::{alternatives, CoreFile};
use crate::fields::{table, Fields};

/// What a memory is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryKind {
    /// Program memory: executable, readable, not writable by a store.
    Flash,
    /// Data memory.
    Ram,
    /// No memory of its own: the first bytes of the RAM, seen at other addresses too.
    Mirror,
}

/// How long an access takes beyond the core's own cycles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoryTiming {
    /// Every access takes the core's own cycles and no more.
    ZeroWait,
    /// Wait states on every flash read, hidden in part by a buffer that prefetches the next
    /// words while the core executes (STM32F0, RM0360 section 3).
    Prefetch {
        /// Wait states of one flash read.
        wait_states: u32,
        /// Bytes that one flash read delivers.
        line: u32,
        /// Lines that the buffer holds.
        lines: u32,
    },
    /// Wait states behind a line buffer that reads ahead, with or without a cache of lines
    /// (STM32F1, STM32F4, PIC32MX).
    Stream {
        /// Wait states of one flash read.
        wait_states: u32,
        /// Bytes that one flash read delivers.
        line: u32,
        /// Lines of instructions that a cache holds besides.
        cached_lines: u32,
        /// Lines of data that a buffer holds.
        data_lines: u32,
    },
    /// Wait states behind a line buffer that reads ahead, flash and RAM behind a bus matrix that
    /// disconnects what is idle (SAM3X).
    BusMatrix {
        /// Wait states of one flash read.
        wait_states: u32,
        /// Bytes that one flash read delivers.
        line: u32,
        /// Wait states of the first fetch after the core had no room for more.
        pause_wait_states: u32,
        /// Wait states of a read of RAM that no access to RAM precedes.
        connect_wait_states: u32,
    },
    /// Wait states on flash reads that miss a cache, or a buffer of one line, that is filled on
    /// demand; data reads go past it.
    Cache {
        /// Wait states of a fetch that misses.
        wait_states: u32,
        /// Bytes of a line.
        line: u32,
        /// Lines, each in the one place that its address gives.
        lines: u32,
        /// Wait states of a data read from flash; `None`: data is read through the cache as code is.
        data_wait_states: Option<u32>,
    },
    /// An instruction cache; data reads go past it to the flash (FE310).
    InstructionCache {
        /// Bytes of the cache.
        size: u32,
        /// Bytes of a line.
        line: u32,
        /// Lines of a set.
        ways: u32,
        /// Cycles that a miss costs.
        miss: u32,
        /// Cycles that a data read from flash takes more than one from RAM.
        data_read: u32,
    },
    /// A set-associative cache for code and data (RP2040, SAM D51), or one for each (STM32L4).
    AssociativeCache {
        /// Bytes of the cache.
        size: u32,
        /// Bytes of another cache for data, with lines and ways of the same size; 0: data is in the
        /// same cache as code.
        data_size: u32,
        /// Bytes of a line.
        line: u32,
        /// Lines of a set.
        ways: u32,
        /// Cycles that a miss costs.
        miss: u32,
    },
}

impl MemoryTiming {
    /// Whether an access's time depends on the accesses before it, so that a first call and a
    /// repeated one may differ.
    #[must_use]
    pub fn is_buffered(&self) -> bool {
        !matches!(self, MemoryTiming::ZeroWait)
    }
}

/// One memory of the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Name in messages.
    pub name: String,
    /// Flash or RAM.
    pub kind: MemoryKind,
    /// First address, as in an ELF file (an AVR's data space starts at 0x800000).
    pub base: u32,
    /// Bytes.
    pub size: u32,
    /// Timing.
    pub timing: MemoryTiming,
}

impl Memory {
    /// One past the last address.
    #[must_use]
    pub fn end(&self) -> u64 {
        u64::from(self.base) + u64::from(self.size)
    }
}

/// Which core a board has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoreRef {
    /// One that comes with the simulators, by its name.
    Named(String),
    /// One that a file describes; its path as the board's file has it, relative to that file.
    File(String),
}

/// What the simulator needs to know of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Identifier, as on the command line.
    pub id: String,
    /// The file's name in messages.
    pub source: String,
    /// Its core.
    pub core: CoreFile,
    /// Extensions of the instruction set that the part has and others with this core need not.
    pub extensions: Vec<String>,
    /// Clock in Hz.
    pub hz: u64,
    /// Memories by ascending base address.
    pub memories: Vec<Memory>,
}

/// Why a board file was refused: one sentence that names the field and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardError(pub String);

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BoardError {}

/// The smallest and the largest memory that a board may have, in bytes.
const SMALLEST_MEMORY: i64 = 16;
const LARGEST_MEMORY: i64 = 16 << 20;
/// The most lines of a cache for code and data.
const MOST_ASSOCIATIVE_LINES: u32 = 2048;
/// The fastest clock that a board may have, in Hz.
const FASTEST_CLOCK: i64 = 10_000_000_000;

impl Board {
    /// Reads the text of a board file. `source` is its name in messages; `find` reads the core that the
    /// file refers to.
    ///
    /// # Errors
    /// The first thing that is missing, unknown or absurd; or what `find` says.
    pub fn from_toml(
        text: &str,
        source: &str,
        find: impl FnOnce(&CoreRef) -> Result<CoreFile, BoardError>,
    ) -> Result<Board, BoardError> {
        let file: Table = table(text, source)?;
        // At the top other fields belong to others: `finish` is not called on it.
        let mut top = Fields::new(source, String::new(), &file);
        let id = top.text("id", "the board's name on the command line")?;
        let (core, extensions) = core(&mut top)?;
        let mut clock = top.table("clock", "a table with the field hz")?;
        let hz = clock.integer("hz", 1, FASTEST_CLOCK, "the clock in Hz")?;
        clock.finish()?;
        let mut memories = memories(&top, source)?;
        memories.sort_by_key(|m| m.base);
        for pair in memories.windows(2) {
            if pair[0].end() > u64::from(pair[1].base) {
                return Err(BoardError(format!(
                    "{source}: [[memory]] {}: base {:#x} lies inside memory {}; move one of them or correct a size",
                    pair[1].name, pair[1].base, pair[0].name
                )));
            }
        }
        for (kind, word) in [(MemoryKind::Flash, "flash"), (MemoryKind::Ram, "ram")] {
            if !memories.iter().any(|m| m.kind == kind) {
                return Err(BoardError(format!(
                    "{source}: [[memory]]: there is no memory of kind \"{word}\"; add one"
                )));
            }
        }
        let core = find(&core)?;
        Ok(Board { id, source: source.to_owned(), core, extensions, hz: hz.unsigned_abs(), memories })
    }

    /// A board without a file, for tests; its memories by ascending base address.
    #[must_use]
    pub fn plain(core: CoreFile, memories: Vec<Memory>) -> Board {
        Board {
            id: "test".into(),
            source: "board test".into(),
            core,
            extensions: Vec::new(),
            hz: 8_000_000,
            memories,
        }
    }

    /// The error that `field` of the board's file is not as it must be: "file: field `problem`".
    #[must_use]
    pub fn error(&self, field: &str, problem: &str) -> BoardError {
        BoardError(format!("{}: {field} {problem}", self.source))
    }

    /// The extensions of the instruction set that the part has: the core's, and those of this file.
    ///
    /// # Errors
    /// The board asks for one that no part with this core has.
    pub fn all_extensions(&self) -> Result<Vec<String>, BoardError> {
        let core = &self.core;
        let mut all = core.extensions.clone();
        for name in &self.extensions {
            if all.contains(name) {
                continue;
            }
            if !core.optional.contains(name) {
                let known: Vec<&str> = core.optional.iter().map(String::as_str).collect();
                let remedy = match known.as_slice() {
                    [] => "has no optional extensions; remove it".to_owned(),
                    _ => format!("cannot have; correct it to {}", alternatives(&known)),
                };
                let has = if known.is_empty() { ", but" } else { ", which" };
                return Err(self.error(
                    "core.extensions",
                    &format!("has {name:?}{has} the core {:?} {remedy}", core.name),
                ));
            }
            all.push(name.clone());
        }
        Ok(all)
    }

    /// The first memory of that kind.
    #[must_use]
    pub fn memory(&self, kind: MemoryKind) -> Option<&Memory> {
        self.memories.iter().find(|m| m.kind == kind)
    }
}

/// Which core, and the extensions that the part has beyond it.
fn core(top: &mut Fields<'_>) -> Result<(CoreRef, Vec<String>), BoardError> {
    let mut core = top.table("core", "a table with the field name or the field file")?;
    let name = core.optional_text("name", "the core's name, such as \"avre+\" or \"cortex-m0\"")?;
    let file = core.optional_text("file", "the path of a core file, from the folder of this file")?;
    let extensions = core.optional_texts("extensions", "a list of names, such as [\"zbb\"]")?;
    let found = match (name, file) {
        (Some(name), None) => CoreRef::Named(name),
        (None, Some(file)) => CoreRef::File(file),
        (None, None) => {
            let what = "is missing; add it: the core's name, such as \"avre+\" or \"cortex-m0\", or file: \
                        the path of a core file";
            return Err(core.error("name", what));
        }
        (Some(_), Some(_)) => {
            return Err(core.error("file", "says again what name says; remove one of them"));
        }
    };
    core.finish()?;
    Ok((found, extensions))
}

fn memories(top: &Fields<'_>, source: &str) -> Result<Vec<Memory>, BoardError> {
    let Some(Value::Array(entries)) = top.value("memory") else {
        return Err(BoardError(format!(
            "{source}: [[memory]] is missing; add one [[memory]] table for flash and one for ram"
        )));
    };
    let mut memories: Vec<Memory> = Vec::new();
    for (position, entry) in entries.iter().enumerate() {
        let Value::Table(table) = entry else {
            return Err(BoardError(format!("{source}: memory must be a list of tables; write [[memory]]")));
        };
        let memory = memory(source, position, table)?;
        if memories.iter().any(|m| m.name == memory.name) {
            return Err(BoardError(format!(
                "{source}: [[memory]] {}: name is used twice; give each memory its own name",
                memory.name
            )));
        }
        memories.push(memory);
    }
    Ok(memories)
}

fn memory(source: &str, position: usize, table: &Table) -> Result<Memory, BoardError> {
    let name = match table.get("name") {
        Some(Value::String(name)) => name.clone(),
        _ => format!("number {}", position + 1),
    };
    let mut fields = Fields::new(source, format!("[[memory]] {name}"), table);
    let name = fields.text("name", "the memory's name in messages")?;
    let kind = match fields.text("kind", "\"flash\" or \"ram\"")?.as_str() {
        "flash" => MemoryKind::Flash,
        "ram" => MemoryKind::Ram,
        "mirror" => MemoryKind::Mirror,
        other => {
            return Err(fields.error("kind", &format!("is {other:?}; write \"flash\" or \"ram\"")));
        }
    };
    let base = fields.integer("base", 0, i64::from(u32::MAX), "the memory's first address")?;
    let size = fields.integer("size", SMALLEST_MEMORY, LARGEST_MEMORY, "the memory's size in bytes")?;
    if base + size > 1 << 32 {
        return Err(fields.error("size", "reaches past the 32-bit address space; correct base or size"));
    }
    let timing =
        timing(fields.table("timing", "a table with the field model, such as { model = \"zero-wait\" }")?)?;
    fields.finish()?;
    let word = |value: i64| u32::try_from(value).unwrap_or(u32::MAX);
    Ok(Memory { name, kind, base: word(base), size: word(size), timing })
}

/// The timing models' names, for the end of a sentence.
const MODELS: &str =
    "\"zero-wait\", \"prefetch\", \"stream\", \"bus-matrix\", \"cache\", \"instruction-cache\" or \
                      \"associative-cache\"";

fn timing(mut fields: Fields<'_>) -> Result<MemoryTiming, BoardError> {
    let model = fields.text("model", MODELS)?;
    let timing = match model.as_str() {
        "zero-wait" => MemoryTiming::ZeroWait,
        "prefetch" => MemoryTiming::Prefetch {
            wait_states: fields.word("wait_states", 0, 64, "the wait states of one flash read")?,
            line: fields.power_of_two("line", 4, 256, "the bytes of one flash read")?,
            lines: fields.word("lines", 1, 64, "the lines that the buffer holds")?,
        },
        "stream" => MemoryTiming::Stream {
            wait_states: fields.word("wait_states", 0, 64, "the wait states of one flash read")?,
            line: fields.power_of_two("line", 4, 256, "the bytes of one flash read")?,
            cached_lines: fields.power_of_two(
                "cached_lines",
                0,
                64,
                "the lines of instructions in a cache",
            )?,
            data_lines: fields.power_of_two("data_lines", 0, 8, "the lines of data in a buffer")?,
        },
        "bus-matrix" => MemoryTiming::BusMatrix {
            wait_states: fields.word("wait_states", 0, 64, "the wait states of one flash read")?,
            line: fields.power_of_two("line", 4, 256, "the bytes of one flash read")?,
            pause_wait_states: fields.word(
                "pause_wait_states",
                0,
                64,
                "the wait states of a fetch after a pause",
            )?,
            connect_wait_states: fields.word(
                "connect_wait_states",
                0,
                64,
                "the wait states of a read of RAM after a pause",
            )?,
        },
        "cache" => MemoryTiming::Cache {
            wait_states: fields.word("wait_states", 0, 64, "the wait states of a fetch that misses")?,
            line: fields.power_of_two("line", 4, 256, "the bytes of a line")?,
            lines: fields.power_of_two("lines", 1, 128, "the lines that the cache holds")?,
            data_wait_states: fields.optional_word(
                "data_wait_states",
                0,
                64,
                "the wait states of a data read, or nothing if data is cached as code is",
            )?,
        },
        "instruction-cache" => {
            let (size, line, ways) = sets(&mut fields)?;
            MemoryTiming::InstructionCache {
                size,
                line,
                ways,
                miss: fields.word("miss", 0, 1 << 20, "the cycles that a miss costs")?,
                data_read: fields.word("data_read", 0, 1 << 20, "the cycles that a data read takes more")?,
            }
        }
        "associative-cache" => {
            let (size, line, ways) = sets(&mut fields)?;
            let data_size = fields.optional_word(
                "data_size",
                0,
                1 << 20,
                "the bytes of the cache for data, or nothing if it is the one for code",
            )?;
            let data_size = data_size.unwrap_or(0);
            if data_size % line != 0 || (data_size != 0 && !data_size.is_power_of_two()) {
                return Err(
                    fields.error("data_size", &format!("is {data_size}; give a power of two from {line}"))
                );
            }
            if (size + data_size) / line > MOST_ASSOCIATIVE_LINES {
                return Err(fields.error(
                    "size",
                    &format!(
                        "is {size}, which is more than {MOST_ASSOCIATIVE_LINES} lines of {line} bytes in \
                         all; correct one"
                    ),
                ));
            }
            let miss = fields.word("miss", 0, 1 << 20, "the cycles that a miss costs")?;
            MemoryTiming::AssociativeCache { size, data_size, line, ways, miss }
        }
        other => {
            return Err(fields.error("model", &format!("is {other:?}, which is unknown; write {MODELS}")));
        }
    };
    fields.finish()?;
    Ok(timing)
}

/// Size, line and ways of a set-associative cache.
fn sets(fields: &mut Fields<'_>) -> Result<(u32, u32, u32), BoardError> {
    let size = fields.power_of_two("size", 16, 1 << 20, "the bytes of the cache")?;
    let line = fields.power_of_two("line", 4, 256, "the bytes of a line")?;
    let ways = fields.power_of_two("ways", 1, 64, "the lines of a set")?;
    if ways * line > size {
        return Err(fields.error(
            "ways",
            &format!("is {ways}, but {size} bytes hold only {} lines of {line}; correct one", size / line),
        ));
    }
    Ok((size, line, ways))
}

#[cfg(test)]
mod tests;
