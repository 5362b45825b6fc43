//! The part of a board file that the simulator needs: core, clock and memories.
//!
//! A board file is TOML. Tables that the simulator does not know (`[compiler]`, `[energy]`, ...)
//! belong to others and are not read here; inside `[core]`, `[clock]` and `[[memory]]` an unknown
//! field is an error.

use std::fmt;

use serde::Deserialize;

/// What a memory is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemoryKind {
    /// Program memory: executable, readable, not writable by a store.
    Flash,
    /// Data memory.
    Ram,
}

/// How long an access takes beyond the core's own cycles.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "model", rename_all = "kebab-case", deny_unknown_fields)]
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
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
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

/// What the simulator needs to know of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Identifier, as on the command line.
    pub id: String,
    /// Core name: selects instruction set and core timing.
    pub core: String,
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
