//! What fuzzing and a test put the simulators through: any bytes as a file, any bytes as a program.
//!
//! `scripts/fuzz.sh` fuzzes each of [`TARGETS`]; `tests/robust.rs` gives them what fuzzing has found
//! worth keeping, and random bytes. What is looked for are panics, overflows and hangs.

use std::collections::HashMap;
use std::sync::OnceLock;

use pennyweight_machine::{
    Arg, Board, BoardError, CallOptions, CoreFile, CoreRef, Exit, Image, Machine, MemoryKind, Outcome,
    Profile, Secrets, Zone,
};

/// A target by its name: what it does with any bytes.
pub type Target = (&'static str, fn(&[u8]));

/// One for each file format, one for each instruction set, one for translated code.
pub const TARGETS: &[Target] = &[
    ("elf", elf),
    ("board", board),
    ("core", core),
    ("avr", avr),
    ("msp430", msp430),
    ("thumb", thumb),
    ("riscv", riscv),
    ("xtensa", xtensa),
    ("mips", mips),
    #[cfg(feature = "translator")]
    ("engines", crate::translate::fuzz::engines),
];

/// The text of a board file.
macro_rules! board_file {
    ($id:literal) => {
        include_str!(concat!("../../../../boards/", $id, ".toml"))
    };
}

/// The ELF loader: any file, asked everything that can be asked.
pub fn elf(data: &[u8]) {
    let Ok(image) = Image::parse(data) else { return };
    for symbol in image.symbols.iter().take(16) {
        let _ = image.symbol(&symbol.name);
        let _ = image.function_at(symbol.address);
        let _ = image.line(symbol.address);
    }
    let _ = image.function_at(u32::MAX);
    let _ = image.line(image.entry);
}

/// Board files: any text, and a machine of every board that is accepted.
pub fn board(data: &[u8]) {
    const PROGRAM: &[u8] = include_bytes!("../../../machine/tests/data/lines.elf");
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(board) = Board::from_toml(text, "fuzz.toml", known_core) else { return };
    if let Ok(image) = Image::parse(PROGRAM) {
        let _ = pennyweight_boards::machine(&board, &image);
    }
}

/// Core files: any text, and a machine with every core that is accepted.
pub fn core(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(core) = CoreFile::from_toml(text, "fuzz.toml") else { return };
    if pennyweight_boards::check_core(&core).is_err() {
        return;
    }
    for (machine, board) in [(83, board_file!("atmega328p")), (243, board_file!("fe310-g002"))] {
        let Ok(board) = Board::from_toml(board, "fuzz", |_| Ok(core.clone())) else { return };
        let _ = pennyweight_boards::check_board(&board);
        if let Ok(image) = Image::parse(&file(machine, 0, &[0; 64])) {
            let _ = pennyweight_boards::machine(&board, &image);
        }
    }
}

/// The bundled core that a board names, read once.
fn known_core(core: &CoreRef) -> Result<CoreFile, BoardError> {
    static READ: OnceLock<HashMap<String, CoreFile>> = OnceLock::new();
    let read = READ.get_or_init(|| {
        let names = pennyweight_bundled::names("cores").unwrap_or_default();
        names.into_iter().map(|name| (name.clone(), pennyweight_bundled::core(&name))).collect()
    });
    let name = match core {
        CoreRef::Named(name) | CoreRef::File(name) => name,
    };
    read.get(name).cloned().ok_or_else(|| BoardError(format!("there is no core {name:?}")))
}

/// AVR: any program on an AVRe+ with and without ELPM and on an AVRxt.
pub fn avr(data: &[u8]) {
    execute(&[board_file!("atmega328p"), board_file!("atmega128"), board_file!("atmega4809")], 83, data);
}

/// MSP430, and MSP430X without and with a cache.
pub fn msp430(data: &[u8]) {
    const BOARDS: [&str; 3] =
        [board_file!("msp430f1611"), board_file!("msp430fr5994-8mhz"), board_file!("msp430fr5994-16mhz")];
    execute(&BOARDS, 105, data);
}

/// Cortex-M0, M0+, M3, M4 and M33, with each model of flash.
pub fn thumb(data: &[u8]) {
    const BOARDS: [&str; 10] = [
        board_file!("stm32f030"),
        board_file!("stm32f030-48mhz"),
        board_file!("samd21"),
        board_file!("stm32f103-72mhz"),
        board_file!("sam3x8e"),
        board_file!("nrf52840"),
        board_file!("stm32f407-168mhz"),
        board_file!("rp2040-xip"),
        board_file!("samd51"),
        board_file!("rp2350"),
    ];
    execute(&BOARDS, 40, data);
}

/// RISC-V, with the extensions that an FE310 has not, RV32IMC without prediction, and RV32EC with each model of flash.
pub fn riscv(data: &[u8]) {
    let board = board_file!("fe310-g002");
    let more = board.replacen("[core]", "[core]\nextensions = [\"zba\", \"zbb\", \"zbkb\"]", 1);
    let embedded = [board_file!("ch32v003-24mhz"), board_file!("ch32v003-48mhz")];
    execute(&[board, &more, board_file!("esp32-c3"), embedded[0], embedded[1]], 243, data);
}

/// Xtensa, without and with windows.
pub fn xtensa(data: &[u8]) {
    execute(&[board_file!("esp8266"), board_file!("esp32")], 94, data);
}

/// MIPS.
pub fn mips(data: &[u8]) {
    execute(&[board_file!("pic32mx340")], 8, data);
}

/// Cycles of one run.
const BUDGET: u64 = 20_000;
/// A run may overshoot its budget by one straight line through all of flash.
const STRAIGHT_LINE: u64 = 8 << 20;

/// Runs what `data` describes on one of `boards`: its first byte selects the board, the next ones what
/// is called and with what limits; the rest is the program.
///
/// `machine` is the ELF number of the instruction set.
fn execute(boards: &[&str], machine: u16, data: &[u8]) {
    let Some((control, program)) = data.split_at_checked(24) else { return };
    let text = boards[usize::from(control[0]) % boards.len()];
    let Ok(board) = Board::from_toml(text, "fuzz", known_core) else { return };
    let Some(flash) = board.memory(MemoryKind::Flash) else { return };
    let size = program.len().min(flash.size as usize);
    let Ok(image) = Image::parse(&file(machine, flash.base, &program[..size])) else { return };
    if let Ok(mut simulated) = pennyweight_boards::machine(&board, &image) {
        drive(simulated.as_mut(), &board, &image, control);
    }
}

/// Boots, calls, calls observed, reads and writes at places that `control` (24 bytes) gives.
fn drive(machine: &mut dyn Machine, board: &Board, image: &Image, control: &[u8]) {
    let word = |at: usize| u32::from_le_bytes([control[at], control[at + 1], control[at + 2], 0]);
    let flash = board.memory(MemoryKind::Flash).map_or(0, |memory| memory.base);
    let (ram, ram_size) = board.memory(MemoryKind::Ram).map_or((0, 1), |memory| (memory.base, memory.size));
    let within = |offset: u32| ram + offset % ram_size;
    let outcome = machine.boot(flash.wrapping_add(word(1)), BUDGET);
    assert!(outcome.cycles < BUDGET + STRAIGHT_LINE, "{outcome:?}");
    machine.snapshot();
    let zone = Zone {
        start: within(word(4)),
        end: within(word(7)),
        no_read: control[10] & 1 != 0,
        no_write: control[10] & 2 != 0,
    };
    let options = CallOptions {
        budget: BUDGET,
        stack_limit: within(word(11)),
        zones: if control[10] & 4 != 0 { vec![zone] } else { Vec::new() },
    };
    let args = [Arg::Pointer(within(word(14))), Arg::U64(word(17).into()), Arg::Int(-1), Arg::Size(word(17))];
    let args = &args[..usize::from(control[20]) % (args.len() + 1)];
    let function = flash.wrapping_add(word(21));
    let outcome = machine.call(function, args, &options);
    assert!(outcome.cycles < BUDGET + STRAIGHT_LINE, "{outcome:?}");
    machine.restore();
    let mut profile = Profile::new(image);
    if let Some(observed) = machine.call_observed(function, args, &options, &mut profile) {
        let ended = |outcome: &Outcome| (outcome.exit, outcome.instructions, outcome.stack, outcome.result);
        assert_eq!(ended(&observed), ended(&outcome), "being observed changes nothing");
        // An instruction may have waited before it faulted.
        if !matches!(outcome.exit, Exit::Fault(_)) {
            assert_eq!(observed.cycles, outcome.cycles, "being observed changes nothing");
        }
    }
    machine.restore();
    // The arguments' memory, and another stretch of RAM.
    let [one, other] = [word(14), word(4)].map(within);
    let mut secrets = Secrets::new(&[(one, one.saturating_add(64)), (other, other.saturating_add(512))]);
    if let Some(followed) = machine.call_observed(function, args, &options, &mut secrets) {
        let ended = |outcome: &Outcome| (outcome.exit, outcome.instructions, outcome.stack, outcome.result);
        assert_eq!(ended(&followed), ended(&outcome), "following secrets changes nothing");
        let _ = secrets.leaks();
    }
    let mut bytes = [0; 16];
    let _ = machine.read(word(4), &mut bytes);
    let _ = machine.write(within(word(7)), &bytes);
}

/// An ELF file with one segment and no section, as a linker would write it.
fn file(machine: u16, address: u32, program: &[u8]) -> Vec<u8> {
    const HEADER: u32 = 52;
    const SEGMENT: u32 = 32;
    let half = |value: u16| value.to_le_bytes().to_vec();
    let word = |value: u32| value.to_le_bytes().to_vec();
    let size = program.len() as u32;
    let parts = [
        b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec(),
        [half(2), half(machine)].concat(),
        [word(1), word(address), word(HEADER), word(0), word(0)].concat(),
        [half(HEADER as u16), half(SEGMENT as u16), half(1), half(40), half(0), half(0)].concat(),
        [word(1), word(HEADER + SEGMENT), word(address), word(address)].concat(),
        [word(size), word(size), word(5), word(2)].concat(),
        program.to_vec(),
    ];
    parts.concat()
}
