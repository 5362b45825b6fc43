//! The AVR instruction set: decoding, semantics and core timing.
