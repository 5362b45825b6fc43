//! Programs that are traced, on any core.

mod core;
mod program;
mod tracker;
mod window;

pub use core::{Accessed, Executed, Outside, Position, Reads, Receiver, Source, Traceable};
pub use program::{Program, START_UP};
#[cfg(test)]
pub use tracker::Tracker;
