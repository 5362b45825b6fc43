//! Espressif's ESP-RISC-V core of the ESP32-C3.
//!
//! ESP32-C3 Technical Reference Manual v1.3, chapter 1 "ESP-RISC-V CPU": RV32IMC, four stages, in
//! order, one instruction at a time. It has no cycles.
//!
//! # Measured
//!
//! Loops on an ESP32-C3, with code and data in SRAM, of timonvo/niccle,
//! `esp/examples/cycle_counting.rs`, and the article "Counting CPU cycles on ESP32-C3 and ESP32-C6
//! microcontrollers" (ctrlsrc.io, 2023):
//!
//! * ADD, ADDI, XOR, NOP, stores and writes of the CSR that sets pins: 1 cycle.
//! * LBU and LW: 1 cycle, and another one if the next instruction uses the result.
//! * A branch that is taken, backwards or forwards: 3 cycles, each time; one that is not taken: 1.
//! * J: 2 cycles, to a word boundary or not.
//!
//! # What is taken from RI5CY
//!
//! The manual's performance counter has RI5CY's events with RI5CY's numbers, among them load
//! hazards and jump hazards (register `mpcer`; PULP platform, `SPR_PCER_*`), RI5CY has as many
//! stages, and the cycles above are its cycles. So these are those of its successor CV32E40P (user
//! manual, "Pipeline Details"; source, files named below). No measurement of them on an ESP32-C3
//! is published:
//!
//! * A jump or taken branch to a 32-bit instruction that is not aligned to a word: 1 cycle more.
//! * JALR takes its target from the register file, a cycle before other operands are needed: it
//!   waits a cycle right behind the instruction that writes it, two behind a load, and one if there
//!   is another instruction between (`cv32e40p_controller.sv`, `jr_stall_o`).
//! * An instruction behind a load also waits if it writes the same register, or stores the value
//!   (ibid., `load_stall_o`).
//! * MUL: 1 cycle. MULH, MULHSU and MULHU: 5, during which nothing else is executed.
//! * Divisions: 3 cycles, and one for each leading zero of the divisor (`cv32e40p_alu_div.sv`;
//!   `cv32e40p_alu.sv`, `div_shift`). A division by 10 and its remainder then take 62 cycles; a
//!   program with both and a call takes 80 on an ESP32-C3 (zedzone.au, "Quicker divmod on
//!   esp32/esp8266", 2024).
//!
//! # Not modelled
//!
//! The article reports that stores, and loads whose result is not used at once, take a second cycle
//! when they come to another word, in loops of few instructions. The conditions are not known.
//! FENCE.I: 1 cycle.

use pennyweight_machine::{BoardError, CoreFile};

use super::{refuse_extension, Core, Division, Interlocks, JumpCosts, Refill};

/// The extensions whose timing is known.
const EXTENSIONS: [&str; 4] = ["m", "c", "zicsr", "zifencei"];

/// What a taken branch or jump costs.
const REFILL: Refill = Refill { taken: 2, jump: 1, split: 1 };

/// The core of the ESP32-C3.
pub const ESP32_C3: Core = Core {
    access: 1,
    load_word: 2,
    load_part: 2,
    multiply: 1,
    multiply_high: 5,
    csr: 1,
    atomic: 1,
    modification: 1,
    division: Division::ByDivisor(3),
    interlocks: Interlocks { target: 1, ..Interlocks::REGISTERS },
    jumps: JumpCosts::Refilled(REFILL),
};

/// The core with the numbers of a core's file.
pub fn of_file(file: &CoreFile) -> Result<Core, BoardError> {
    refuse_extension(file, |name| EXTENSIONS.contains(&name))?;
    let mut given = file.parameters();
    let high = "the cycles of a multiplication's upper half";
    let multiply_high = given.number("multiply_high", ESP32_C3.multiply_high, (1, 64), high)?;
    let taken = given.number("taken", REFILL.taken, (0, 64), "the cycles that a taken branch takes more")?;
    let jump = given.number("jump", REFILL.jump, (0, 64), "the cycles that a jump takes more")?;
    let split = "the cycles that a jump to a 32-bit instruction in two words takes more";
    let split = given.number("split", REFILL.split, (0, 64), split)?;
    given.finish()?;
    Ok(Core { multiply_high, jumps: JumpCosts::Refilled(Refill { taken, jump, split }), ..ESP32_C3 })
}
