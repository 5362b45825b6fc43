//! The timing of a memory in a board file: the models, their parameters, and the limits of these, by
//! which the models' arrays are sized.

use super::BoardError;
use crate::core::alternatives;
use crate::fields::Fields;

/// The most wait states of any access.
pub const MOST_WAIT_STATES: u32 = 64;
/// The fewest and the most bytes of a line.
pub const LINE_BYTES: (u32, u32) = (4, 256);
/// The most lines that a prefetch buffer holds.
pub const MOST_PREFETCHED_LINES: u32 = 64;
/// The most lines of instructions that [`MemoryTiming::Stream`] caches.
pub const MOST_STREAM_LINES: u32 = 64;
/// The most lines of data that [`MemoryTiming::Stream`] buffers.
pub const MOST_STREAM_DATA_LINES: u32 = 8;
/// The most lines of a direct-mapped cache.
pub const MOST_CACHE_LINES: u32 = 128;
/// The fewest and the most bytes of a set-associative cache.
const SET_ASSOCIATIVE_BYTES: (u32, u32) = (16, 1 << 20);
/// The most lines of a set.
pub const MOST_WAYS: u32 = 64;
/// The most lines of a set-associative cache for code and data, those of another one for data included.
pub const MOST_ASSOCIATIVE_LINES: u32 = 2048;
/// The fewest and the most lines of a buffer in front of the core; an instruction can be in two lines.
const FETCHED_LINES: (u32, u32) = (2, MOST_FETCHED_LINES);
/// The most lines of a buffer in front of the core.
pub const MOST_FETCHED_LINES: u32 = 8;
/// The most cycles that a miss or a read of data takes more.
const MOST_MISS_CYCLES: u32 = 1 << 20;

/// The models that a memory's timing is described by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimingModel {
    /// [`MemoryTiming::ZeroWait`].
    ZeroWait,
    /// [`MemoryTiming::Prefetch`].
    Prefetch,
    /// [`MemoryTiming::Stream`].
    Stream,
    /// [`MemoryTiming::BusMatrix`].
    BusMatrix,
    /// [`MemoryTiming::Cache`].
    Cache,
    /// [`MemoryTiming::InstructionCache`].
    InstructionCache,
    /// [`MemoryTiming::AssociativeCache`].
    AssociativeCache,
    /// [`MemoryTiming::FetchBuffer`].
    FetchBuffer,
}

impl TimingModel {
    /// All models with their names in board files.
    pub const ALL: [(TimingModel, &'static str); 8] = [
        (TimingModel::ZeroWait, "zero-wait"),
        (TimingModel::Prefetch, "prefetch"),
        (TimingModel::Stream, "stream"),
        (TimingModel::BusMatrix, "bus-matrix"),
        (TimingModel::Cache, "cache"),
        (TimingModel::InstructionCache, "instruction-cache"),
        (TimingModel::AssociativeCache, "associative-cache"),
        (TimingModel::FetchBuffer, "fetch-buffer"),
    ];

    /// The names of the models that `are` selects, as a list for a message.
    #[must_use]
    pub fn names(are: impl Fn(TimingModel) -> bool) -> String {
        let names: Vec<&str> =
            Self::ALL.iter().filter(|(model, _)| are(*model)).map(|(_, name)| *name).collect();
        alternatives(&names)
    }
}

/// How long an access takes beyond the core's own cycles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoryTiming {
    /// Every access takes only the core's own cycles.
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
        /// Additional lines of instructions that a cache holds.
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
    /// A set-associative cache for code and data (RP2040, SAM D51, MSP430FR5994), or one for each (STM32L4).
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
    /// Wait states behind a buffer in front of the core that is filled line by line (CH32V003).
    FetchBuffer {
        /// Wait states of one flash read.
        wait_states: u32,
        /// Bytes that one flash read delivers.
        line: u32,
        /// Lines that the buffer holds.
        lines: u32,
    },
}

impl MemoryTiming {
    /// Its model.
    #[must_use]
    pub fn model(&self) -> TimingModel {
        match self {
            MemoryTiming::ZeroWait => TimingModel::ZeroWait,
            MemoryTiming::Prefetch { .. } => TimingModel::Prefetch,
            MemoryTiming::Stream { .. } => TimingModel::Stream,
            MemoryTiming::BusMatrix { .. } => TimingModel::BusMatrix,
            MemoryTiming::Cache { .. } => TimingModel::Cache,
            MemoryTiming::InstructionCache { .. } => TimingModel::InstructionCache,
            MemoryTiming::AssociativeCache { .. } => TimingModel::AssociativeCache,
            MemoryTiming::FetchBuffer { .. } => TimingModel::FetchBuffer,
        }
    }

    /// Whether an access's time depends on the accesses before it, so that a first call and a
    /// repeated one may differ.
    #[must_use]
    pub fn is_buffered(&self) -> bool {
        !matches!(self, MemoryTiming::ZeroWait)
    }
}

/// Reads the table `timing` of a memory.
pub(super) fn read(mut fields: Fields<'_>) -> Result<MemoryTiming, BoardError> {
    let all = TimingModel::names(|_| true);
    let name = fields.text("model", &all)?;
    let Some((model, _)) = TimingModel::ALL.iter().find(|(_, known)| *known == name) else {
        return Err(fields.error("model", &format!("is {name:?}, which is unknown; write {all}")));
    };
    let timing = match model {
        TimingModel::ZeroWait => MemoryTiming::ZeroWait,
        TimingModel::Prefetch => MemoryTiming::Prefetch {
            wait_states: fields.wait_states("wait_states", ONE_READ)?,
            line: fields.line(BYTES_OF_READ)?,
            lines: fields.word("lines", 1, MOST_PREFETCHED_LINES, "the lines that the buffer holds")?,
        },
        TimingModel::Stream => MemoryTiming::Stream {
            wait_states: fields.wait_states("wait_states", ONE_READ)?,
            line: fields.line(BYTES_OF_READ)?,
            cached_lines: fields.power_of_two(
                "cached_lines",
                0,
                MOST_STREAM_LINES,
                "the lines of instructions in a cache",
            )?,
            data_lines: fields.power_of_two(
                "data_lines",
                0,
                MOST_STREAM_DATA_LINES,
                "the lines of data in a buffer",
            )?,
        },
        TimingModel::BusMatrix => MemoryTiming::BusMatrix {
            wait_states: fields.wait_states("wait_states", ONE_READ)?,
            line: fields.line(BYTES_OF_READ)?,
            pause_wait_states: fields.wait_states("pause_wait_states", "a fetch after a pause")?,
            connect_wait_states: fields.wait_states("connect_wait_states", "a read of RAM after a pause")?,
        },
        TimingModel::Cache => MemoryTiming::Cache {
            wait_states: fields.wait_states("wait_states", "a fetch that misses")?,
            line: fields.line(BYTES_OF_LINE)?,
            lines: fields.power_of_two("lines", 1, MOST_CACHE_LINES, "the lines that the cache holds")?,
            data_wait_states: fields.optional_word(
                "data_wait_states",
                0,
                MOST_WAIT_STATES,
                "the wait states of a data read, or nothing if data is cached as code is",
            )?,
        },
        TimingModel::InstructionCache => {
            let (size, line, ways) = fields.sets()?;
            MemoryTiming::InstructionCache {
                size,
                line,
                ways,
                miss: fields.word("miss", 0, MOST_MISS_CYCLES, "the cycles that a miss costs")?,
                data_read: fields.word(
                    "data_read",
                    0,
                    MOST_MISS_CYCLES,
                    "the cycles that a data read takes more",
                )?,
            }
        }
        TimingModel::AssociativeCache => {
            let (size, line, ways) = fields.sets()?;
            let data_size = fields.optional_word(
                "data_size",
                0,
                SET_ASSOCIATIVE_BYTES.1,
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
            let miss = fields.word("miss", 0, MOST_MISS_CYCLES, "the cycles that a miss costs")?;
            MemoryTiming::AssociativeCache { size, data_size, line, ways, miss }
        }
        TimingModel::FetchBuffer => {
            let (least, most) = FETCHED_LINES;
            MemoryTiming::FetchBuffer {
                wait_states: fields.wait_states("wait_states", ONE_READ)?,
                line: fields.line(BYTES_OF_READ)?,
                lines: fields.word("lines", least, most, "the lines that the buffer holds")?,
            }
        }
    };
    fields.finish()?;
    Ok(timing)
}

const ONE_READ: &str = "one flash read";
const BYTES_OF_READ: &str = "the bytes of one flash read";
const BYTES_OF_LINE: &str = "the bytes of a line";

impl Fields<'_> {
    /// The wait states of `access`.
    fn wait_states(&mut self, field: &'static str, access: &str) -> Result<u32, BoardError> {
        self.word(field, 0, MOST_WAIT_STATES, &format!("the wait states of {access}"))
    }

    /// The size of a line.
    fn line(&mut self, meaning: &str) -> Result<u32, BoardError> {
        self.power_of_two("line", LINE_BYTES.0, LINE_BYTES.1, meaning)
    }

    /// Size, line and ways of a set-associative cache.
    fn sets(&mut self) -> Result<(u32, u32, u32), BoardError> {
        let (least, most) = SET_ASSOCIATIVE_BYTES;
        let size = self.power_of_two("size", least, most, "the bytes of the cache")?;
        let line = self.line(BYTES_OF_LINE)?;
        let ways = self.power_of_two("ways", 1, MOST_WAYS, "the lines of a set")?;
        if ways * line > size {
            return Err(self.error(
                "ways",
                &format!(
                    "is {ways}, but {size} bytes hold only {} lines of {line}; correct one",
                    size / line
                ),
            ));
        }
        Ok((size, line, ways))
    }
}
