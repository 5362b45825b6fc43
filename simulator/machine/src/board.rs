//! The part of a board file that the simulator needs: core, clock and memories.
//!
//! A board file is TOML. Tables that the simulator does not know (`[compiler]`, `[energy]`, ...)
//! belong to others and are not read here; inside `[core]`, `[clock]`, `[[memory]]` and `[random]` an
//! unknown field is an error.

use std::fmt;

use toml::{Table, Value};

use crate::core::{alternatives, CoreFile};
use crate::fields::{table, Fields};

pub mod random;
pub mod timing;

pub use random::RandomSource;
pub use timing::{MemoryTiming, TimingModel};

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
    /// Its random number generator, if programs can use one.
    pub random: Option<RandomSource>,
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
const SMALLEST_MEMORY: u32 = 16;
pub(crate) const LARGEST_MEMORY: u32 = 16 << 20;
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
        let random = match top.value("random") {
            None => None,
            Some(_) => {
                let meaning = "a table with the fields status, ready, data, bits and cycles";
                Some(random::read(top.table("random", meaning)?, &memories)?)
            }
        };
        let core = find(&core)?;
        let hz = hz.unsigned_abs();
        Ok(Board { id, source: source.to_owned(), core, extensions, hz, memories, random })
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
            random: None,
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
    let base = fields.word("base", 0, u32::MAX, "the memory's first address")?;
    let size = fields.word("size", SMALLEST_MEMORY, LARGEST_MEMORY, "the memory's size in bytes")?;
    if u64::from(base) + u64::from(size) > 1 << 32 {
        return Err(fields.error("size", "reaches past the 32-bit address space; correct base or size"));
    }
    let meaning = "a table with the field model, such as { model = \"zero-wait\" }";
    let timing = timing::read(fields.table("timing", meaning)?)?;
    fields.finish()?;
    Ok(Memory { name, kind, base, size, timing })
}

#[cfg(test)]
mod tests;
