//! The flash timing of any board. This is the only place that lists the models' implementations; their
//! names in board files are in `TimingModel`.

use pennyweight_machine::board::{Memory, MemoryTiming, TimingModel};
use pennyweight_machine::{Board, LoadError};

use super::{
    AssociativeCache, BusMatrix, Cache, DataWait, Fetch, FetchAhead, FetchBuffer, FlashTiming,
    InstructionCache, NoWait, Prefetch, Stream, ZeroWait,
};
use crate::parts::refuse;

/// A set of timing models, as those that a core supports: it reports to its flash what they need (see
/// [`FlashTiming`]), and it is of the kind that they describe. No code is generated for other pairs of core
/// and model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Models(u8);

impl Models {
    /// No wait states. Needs no reports.
    pub const ZERO_WAIT: Models = Models::only(TimingModel::ZeroWait);
    /// [`Prefetch`]. Needs each instruction, access and branch, of an ARMv6-M pipeline.
    pub const PREFETCH: Models = Models::only(TimingModel::Prefetch);
    /// [`Stream`]. Needs each instruction, access and branch.
    pub const STREAM: Models = Models::only(TimingModel::Stream);
    /// [`BusMatrix`]. Needs each instruction, access and branch, of a prefetch unit like the Cortex-M3's.
    pub const BUS_MATRIX: Models = Models::only(TimingModel::BusMatrix);
    /// [`Cache`] and [`FetchAhead`]. Need each instruction, access and branch.
    pub const CACHE: Models = Models::only(TimingModel::Cache);
    /// [`InstructionCache`]. Needs each access, and each new line of code through [`Fetch`].
    pub const INSTRUCTION_CACHE: Models = Models::only(TimingModel::InstructionCache);
    /// [`AssociativeCache`]. Needs each instruction, access and branch.
    pub const ASSOCIATIVE_CACHE: Models = Models::only(TimingModel::AssociativeCache);
    /// [`FetchBuffer`]. Needs each instruction, access and branch, of a core whose taken branches take the
    /// time of a read without wait states and a cycle on either side of it.
    pub const FETCH_BUFFER: Models = Models::only(TimingModel::FetchBuffer);

    /// The union of both sets.
    #[must_use]
    pub const fn union(self, other: Models) -> Models {
        Models(self.0 | other.0)
    }

    /// Does the set contain all of `other`?
    #[must_use]
    pub const fn contains(self, other: Models) -> bool {
        self.0 & other.0 == other.0
    }

    /// The set of one model.
    const fn only(model: TimingModel) -> Models {
        Models(1 << model as u8)
    }

    /// Their names, as a list for a message.
    fn names(self) -> String {
        TimingModel::names(|model| self.contains(Models::only(model)))
    }
}

/// The state of one model. Models with many fields are boxed, so that the others stay small.
#[derive(Clone, Debug)]
enum Model {
    ZeroWait,
    Prefetch(Box<Prefetch>),
    Stream(Box<Stream>),
    BusMatrix(Box<BusMatrix>),
    Cache(Box<Cache>),
    FetchAhead(Box<FetchAhead>),
    InstructionCache(InstructionCache, DataWait),
    AssociativeCache(Box<AssociativeCache>),
    FetchBuffer(Box<FetchBuffer>),
}

/// A flash's timing and its state between runs.
#[derive(Clone, Debug)]
pub struct FlashModel(Model);

/// An operation on the concrete models behind a [`FlashModel`].
pub trait Visit {
    /// Its result.
    type Output;

    /// The models that the core supports: others are never visited, and no code is generated for them.
    const MODELS: Models;

    /// Performs the operation; returns the timing after it, and the result.
    fn visit<T: FlashTiming, F: Fetch>(self, timing: T, fetch: &mut F) -> (T, Self::Output);
}

impl FlashModel {
    /// The timing of `flash`, before any read, for a core that supports `models` and fetches
    /// `fetched_ahead` words of code ahead of execution (0 if no model depends on them).
    ///
    /// # Errors
    /// The flash's model is not in `models`.
    pub fn new(
        board: &Board,
        flash: &Memory,
        models: Models,
        fetched_ahead: u32,
    ) -> Result<FlashModel, LoadError> {
        let kind = Models::only(flash.timing.model());
        let model = match flash.timing {
            MemoryTiming::ZeroWait => Model::ZeroWait,
            MemoryTiming::Prefetch { wait_states, line, lines } => {
                Model::Prefetch(Box::new(Prefetch::new(wait_states, line, lines)))
            }
            MemoryTiming::Stream { wait_states, line, cached_lines, data_lines } => {
                Model::Stream(Box::new(Stream::new(wait_states, line, cached_lines, data_lines)))
            }
            MemoryTiming::BusMatrix { wait_states, line, pause_wait_states, connect_wait_states } => {
                let matrix = BusMatrix::new(wait_states, line, pause_wait_states, connect_wait_states);
                Model::BusMatrix(Box::new(matrix))
            }
            MemoryTiming::Cache { wait_states, line, lines, data_wait_states } => match data_wait_states {
                Some(data) if fetched_ahead > 0 => {
                    let cache = FetchAhead::new(wait_states, line, lines, data, fetched_ahead);
                    Model::FetchAhead(Box::new(cache))
                }
                data => Model::Cache(Box::new(Cache::new(wait_states, line, lines, data))),
            },
            MemoryTiming::InstructionCache { size, line, ways, miss, data_read } => {
                let cache = InstructionCache::new(size, line, ways, miss);
                Model::InstructionCache(cache, DataWait::new(data_read))
            }
            MemoryTiming::AssociativeCache { size, data_size, line, ways, miss } => {
                Model::AssociativeCache(Box::new(AssociativeCache::new(size, data_size, line, ways, miss)))
            }
            MemoryTiming::FetchBuffer { wait_states, line, lines } => {
                Model::FetchBuffer(Box::new(FetchBuffer::new(wait_states, line, lines)))
            }
        };
        if models.contains(kind) {
            return Ok(FlashModel(model));
        }
        let what = format!(
            "timing.model is {}, which the core {:?} cannot have; write {}",
            kind.names(),
            board.core.name,
            models.names()
        );
        Err(refuse(board, flash, &what))
    }

    /// Base-2 logarithm of the instruction cache's line size in bytes, if there is such a cache.
    #[must_use]
    pub fn line_shift(&self) -> Option<u32> {
        match &self.0 {
            Model::InstructionCache(cache, _) => cache.line_shift(),
            _ => None,
        }
    }

    /// Does the timing depend on the addresses of data read from flash?
    #[must_use]
    pub fn looks_up_data(&self) -> bool {
        match &self.0 {
            Model::Stream(_) | Model::BusMatrix(_) | Model::FetchAhead(_) | Model::AssociativeCache(_) => {
                true
            }
            Model::Cache(cache) => cache.has_data(),
            Model::ZeroWait | Model::Prefetch(_) | Model::InstructionCache(..) | Model::FetchBuffer(_) => {
                false
            }
        }
    }

    /// Performs an operation on the concrete models and keeps their state.
    pub fn visit<V: Visit>(&mut self, visitor: V) -> V::Output {
        // `new` accepts only models that the core supports. The condition is a constant, so that no code is
        // generated for the others.
        macro_rules! visit {
            ($models:ident, $timing:expr, $fetch:expr) => {
                if const { V::MODELS.contains(Models::$models) } {
                    let (after, output) = visitor.visit(*$timing, $fetch);
                    *$timing = after;
                    output
                } else {
                    visitor.visit(ZeroWait, &mut NoWait).1
                }
            };
        }
        match &mut self.0 {
            Model::ZeroWait => visitor.visit(ZeroWait, &mut NoWait).1,
            Model::Prefetch(model) => visit!(PREFETCH, model.as_mut(), &mut NoWait),
            Model::Stream(model) => visit!(STREAM, model.as_mut(), &mut NoWait),
            Model::BusMatrix(model) => visit!(BUS_MATRIX, model.as_mut(), &mut NoWait),
            Model::Cache(model) => visit!(CACHE, model.as_mut(), &mut NoWait),
            Model::FetchAhead(model) => visit!(CACHE, model.as_mut(), &mut NoWait),
            Model::InstructionCache(cache, wait) => visit!(INSTRUCTION_CACHE, wait, cache),
            Model::AssociativeCache(model) => visit!(ASSOCIATIVE_CACHE, model.as_mut(), &mut NoWait),
            Model::FetchBuffer(model) => visit!(FETCH_BUFFER, model.as_mut(), &mut NoWait),
        }
    }
}
