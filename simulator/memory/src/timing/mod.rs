//! Memory timing: what an access to flash costs beyond the core's own cycles.
//!
//! On the modelled parts, RAM has wait states only behind a bus matrix. The run loop is compiled once per
//! timing, so that a memory without wait states costs nothing.

mod associative_cache;
mod bus_matrix;
mod cache;
mod fetch_ahead;
mod fetch_buffer;
mod instruction_cache;
mod lines;
mod model;
mod on_demand;
mod prefetch;
mod stream;

pub use associative_cache::AssociativeCache;
pub use bus_matrix::BusMatrix;
#[cfg(feature = "translator")]
pub use bus_matrix::MatrixKey;
pub use cache::Cache;
pub use fetch_ahead::FetchAhead;
#[cfg(feature = "translator")]
pub use fetch_ahead::FetchState;
pub use fetch_buffer::FetchBuffer;
pub use instruction_cache::{DataWait, Fetch, InstructionCache, NoWait};
pub use model::{FlashModel, Models, Visit};
pub use prefetch::Prefetch;
pub use stream::Stream;
#[cfg(feature = "translator")]
pub use stream::StreamState;

/// Wait states of the flash, for what the core does in program order.
pub trait FlashTiming: Copy {
    /// Does this timing need these reports? If not, nothing but `stalls` is called.
    const ACTIVE: bool;

    /// A run begins with the instruction at `address`, which a branch has just fetched.
    fn start(&mut self, address: u32);

    /// The core is to execute the instruction at `address` in flash, of so many halfwords.
    fn instruction(&mut self, address: u32, halfwords: u32);

    /// The instruction reads data from flash.
    fn data_read(&mut self);

    /// The instruction reads data from flash at `address`.
    #[inline(always)]
    fn data_read_at(&mut self, address: u32) {
        let _ = address;
        self.data_read();
    }

    /// The instruction reads or writes RAM.
    fn ram_access(&mut self);

    /// The instruction reads RAM.
    #[inline(always)]
    fn ram_read(&mut self) {
        self.ram_access();
    }

    /// The instruction is over; it takes `cycles` without wait states, the refill after a taken
    /// branch included.
    fn finish(&mut self, cycles: u32);

    /// The instruction branched to `target`, in flash if `in_flash`.
    fn jump(&mut self, target: u32, in_flash: bool);

    /// Cycles added so far.
    fn stalls(&self) -> u64;

    /// Is the state that decides what comes given by `held` and `line`, by `recent` and `line`, by `prefetch`, by
    /// `fetch_buffer`, by `stream`, by `bus_matrix`, or by `fetch_ahead` and `held`?
    #[cfg(feature = "translator")]
    const IS_KNOWN: bool = false;

    /// The numbers of the lines that a cache holds, set by set, in each set the one used last first; behind
    /// them may be others.
    #[cfg(feature = "translator")]
    fn held(&mut self) -> &mut [u32] {
        &mut []
    }

    /// The numbers of the lines that a cache of code holds, and of those that one of data holds, if all lines of
    /// each are one set: the one used last first.
    #[cfg(feature = "translator")]
    fn recent(&mut self) -> Option<[&mut [u32]; 2]> {
        None
    }

    /// The line that the core has: the one that code was read from last, unless data was read since.
    #[cfg(feature = "translator")]
    fn line(&self) -> Option<u32> {
        None
    }

    /// Sets that line.
    #[cfg(feature = "translator")]
    fn set_line(&mut self, line: Option<u32>) {
        let _ = line;
    }

    /// The state of a prefetch buffer, as [`Prefetch::settled`].
    #[cfg(feature = "translator")]
    fn prefetch(&self) -> Option<Prefetch> {
        None
    }

    /// Sets that state.
    #[cfg(feature = "translator")]
    fn set_prefetch(&mut self, state: Prefetch) {
        let _ = state;
    }

    /// The state of a buffer that is filled line by line, as [`FetchBuffer::settled`].
    #[cfg(feature = "translator")]
    fn fetch_buffer(&self) -> Option<FetchBuffer> {
        None
    }

    /// Sets that state.
    #[cfg(feature = "translator")]
    fn set_fetch_buffer(&mut self, state: FetchBuffer) {
        let _ = state;
    }

    /// The model, if a core fetches ahead behind a cache.
    #[cfg(feature = "translator")]
    fn fetch_ahead(&mut self) -> Option<&mut FetchAhead> {
        None
    }

    /// The model, if flash and RAM are behind a bus matrix.
    #[cfg(feature = "translator")]
    fn bus_matrix(&mut self) -> Option<&mut BusMatrix> {
        None
    }

    /// The model, if it reads ahead line by line.
    #[cfg(feature = "translator")]
    fn stream(&mut self) -> Option<&mut Stream> {
        None
    }
}

/// No wait states.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroWait;

impl FlashTiming for ZeroWait {
    const ACTIVE: bool = false;

    #[inline(always)]
    fn start(&mut self, _: u32) {}

    #[inline(always)]
    fn instruction(&mut self, _: u32, _: u32) {}

    #[inline(always)]
    fn data_read(&mut self) {}

    #[inline(always)]
    fn ram_access(&mut self) {}

    #[inline(always)]
    fn finish(&mut self, _: u32) {}

    #[inline(always)]
    fn jump(&mut self, _: u32, _: bool) {}

    #[inline(always)]
    fn stalls(&self) -> u64 {
        0
    }
}
