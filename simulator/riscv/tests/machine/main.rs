//! Whole programs: calls, limits, timing of sequences, caches, random images.

#[path = "../common/assembler.rs"]
mod assembler;
mod calls;
mod esp32_c3;
mod hazard3;
mod program;
mod qingke;
mod random_images;
mod refusals;
mod timing;
