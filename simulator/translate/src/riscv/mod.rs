//! RISC-V: 32-bit cores with or without branch prediction and an instruction cache.

mod blocks;
mod lower;
mod processor;
mod shape;

pub use processor::{machine, Translated, TranslatedMachine};

#[cfg(test)]
mod tests;
