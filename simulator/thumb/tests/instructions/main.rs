//! Every instruction: registers, flags, program counter and cycles. Those of ARMv6-M on a
//! Cortex-M0: semantics after DDI 0419, A6.7; cycles after DDI 0432, table 3-1.

#[path = "../common/assembler.rs"]
mod assembler;

mod arithmetic;
mod branches;
mod cortex_m0plus;
mod decoding;
mod faults;
mod harness;
mod logic;
mod memory;
mod shifts;
mod stack;
mod system;
mod v7m_data;
mod v7m_dsp;
mod v7m_faults;
mod v7m_memory;
mod v8m;
