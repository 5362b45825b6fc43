//! The memory side of 32-bit little-endian microcontrollers, shared by their instruction sets.
//!
//! [`bus`] is the memory map with its observers: flash and RAM, stack watch, guard zones.
//! [`timing`] is what flash and RAM add to a core's own cycles: one file per memory system.
//! [`random`] is the part's random number generator.
//! [`parts`] turns a board description into these. Nothing here knows an instruction set; what a
//! core reports to its memory, and when, is [`timing::FlashTiming`].

pub mod bus;
pub mod parts;
pub mod random;
pub mod timing;
pub mod trial;
