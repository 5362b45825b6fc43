//! Leakage of a program by a model of its core: fixed inputs against random ones.
//!
//! A run of the program is a sequence of *changes*: a register, an operand latch, a bus or a byte of memory
//! gets another value. Two samples are taken of each: how many bits change, and how many bits of the new
//! value are 1. Many runs, half of them with fixed inputs and the others with random ones, show by Welch's
//! t-test which samples depend on the inputs. No trace is stored.
//!
//! `thumb` has the models of the Cortex-M cores, `avr` those of AVR cores; `traced` is what all cores have in
//! common. This crate measures no time, and no result of a measurement depends on it.

mod avr;
mod experiment;
mod models;
mod places;
mod random;
mod statistics;
mod thumb;
mod traced;

pub use experiment::{Divergence, Experiment, Generator, Input, Setup, Window};
pub use models::{model_source, models};
pub use places::{Change, Label, Origin, Place};
pub use statistics::{welch, Order, Powers, Sums, MOST_TRACES, THRESHOLD};
