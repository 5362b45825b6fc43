//! Each refusal of a board file, by its sentence.

use super::{Board, BoardError, CoreFile, CoreRef, MemoryKind, MemoryTiming, RandomSource};

const GOOD: &str = r#"
id = "toy"
title = "not ours"
bits = 32

[core]
name = "cortex-m0"

[clock]
hz = 8_000_000

[[memory]]
name = "sram"
kind = "ram"
base = 0x2000_0000
size = 0x1000
timing = { model = "zero-wait" }

[[memory]]
name = "flash"
kind = "flash"
base = 0x0800_0000
size = 0x4000
timing = { model = "prefetch", wait_states = 1, line = 4, lines = 3 }

[compiler]
flags = ["-Os"]
"#;

/// A core of any name.
fn find(core: &CoreRef) -> Result<CoreFile, BoardError> {
    let CoreRef::Named(name) = core else { return Err(BoardError("toy.toml: no such file".into())) };
    let text = format!(
        "name = {name:?}\ninstruction_set = \"toys\"\nbits = 32\nendianness = \"little\"\nabi = \"toy\"\n\
         timing = {{ model = \"walk\" }}\n"
    );
    CoreFile::from_toml(&text, "core.toml")
}

fn refusal(from: &str, to: &str) -> String {
    let text = GOOD.replacen(from, to, 1);
    assert_ne!(text, GOOD, "the test's replacement {from:?} must hit");
    Board::from_toml(&text, "toy.toml", find).expect_err("must be refused").to_string()
}

#[test]
fn a_good_file_is_read_and_its_memories_sorted() {
    let board = Board::from_toml(GOOD, "toy.toml", find).expect("good");
    assert_eq!((board.id.as_str(), board.core.name.as_str(), board.hz), ("toy", "cortex-m0", 8_000_000));
    assert_eq!(board.memories[0].name, "flash");
    assert_eq!(board.memories[0].timing, MemoryTiming::Prefetch { wait_states: 1, line: 4, lines: 3 });
    assert_eq!(board.memories[1].end(), 0x2000_1000);
    assert_eq!(board.memory(MemoryKind::Ram).map(|m| m.base), Some(0x2000_0000));
}

#[test]
fn the_bundled_boards_are_good() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../boards");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("boards/") {
        let path = entry.expect("entry").path();
        if path.extension().is_some_and(|e| e == "toml") {
            let text = std::fs::read_to_string(&path).expect("text");
            let board = Board::from_toml(&text, &path.display().to_string(), find).expect("good");
            assert_eq!(Some(board.id.as_str()), path.file_stem().and_then(|s| s.to_str()));
            seen += 1;
        }
    }
    assert!(seen >= 3);
}

#[test]
fn every_mistake_has_its_sentence() {
    let cases = [
        ("id = \"toy\"", "", "toy.toml: id is missing; add it: the board's name on the command line"),
        ("id = \"toy\"", "id = 3", "toy.toml: id must be a text: the board's name on the command line"),
        ("id = \"toy\"", "id = ", "toy.toml: line 2 is not TOML"),
        ("[core]\nname = \"cortex-m0\"", "", "toy.toml: core is missing; add it: a table with the field name or the field file"),
        ("[core]\nname = \"cortex-m0\"", "[core]", "toy.toml: [core]: name is missing; add it: the core's name"),
        ("name = \"cortex-m0\"", "name = \"cortex-m0\"\nfpu = 1", "toy.toml: [core]: fpu is unknown; remove it or correct it to one of name, file, extensions"),
        ("name = \"cortex-m0\"", "name = \"cortex-m0\"\nfile = \"x.toml\"", "toy.toml: [core]: file says again what name says; remove one of them"),
        ("hz = 8_000_000", "hz = 0", "toy.toml: [clock]: hz is 0; give the clock in Hz, from 1 to 10000000000"),
        ("hz = 8_000_000", "hz = -5", "toy.toml: [clock]: hz is -5; give"),
        ("hz = 8_000_000", "hz = 8.5", "toy.toml: [clock]: hz must be a whole number: the clock in Hz"),
        ("hz = 8_000_000", "mhz = 8", "toy.toml: [clock]: hz is missing; add it: the clock in Hz"),
        ("hz = 8_000_000", "hz = 8\nmhz = 8", "toy.toml: [clock]: mhz is unknown; remove it or correct it to one of hz"),
        ("kind = \"ram\"", "kind = \"eeprom\"", "toy.toml: [[memory]] sram: kind is \"eeprom\"; write \"flash\" or \"ram\""),
        ("kind = \"ram\"", "", "toy.toml: [[memory]] sram: kind is missing; add it: \"flash\" or \"ram\""),
        ("name = \"sram\"", "", "toy.toml: [[memory]] number 1: name is missing; add it"),
        ("name = \"sram\"", "name = \"flash\"", "toy.toml: [[memory]] flash: name is used twice; give each memory its own name"),
        ("base = 0x2000_0000", "base = -1", "toy.toml: [[memory]] sram: base is -1; give the memory's first address, from 0 to 4294967295"),
        ("base = 0x2000_0000", "base = 0xffff_f001", "toy.toml: [[memory]] sram: size reaches past the 32-bit address space; correct base or size"),
        ("base = 0x2000_0000", "base = 0x0800_3fff", "toy.toml: [[memory]] sram: base 0x8003fff lies inside memory flash; move one of them or correct a size"),
        ("size = 0x1000", "size = 0", "toy.toml: [[memory]] sram: size is 0; give the memory's size in bytes, from 16 to 16777216"),
        ("size = 0x1000", "size = 0x1000001", "toy.toml: [[memory]] sram: size is 16777217; give"),
        ("size = 0x1000", "size = 0x1000\ncolour = 1", "toy.toml: [[memory]] sram: colour is unknown; remove it or correct it to one of name, kind, base, size, timing"),
        ("timing = { model = \"zero-wait\" }", "", "toy.toml: [[memory]] sram: timing is missing; add it: a table with the field model"),
        ("timing = { model = \"zero-wait\" }", "timing = 1", "toy.toml: [[memory]] sram: timing must be a table"),
        ("model = \"zero-wait\"", "model = \"instruction-cache\", size = 64, line = 32, ways = 4, miss = 1, data_read = 1", "toy.toml: [[memory]] sram: timing: ways is 4, but 64 bytes hold only 2 lines of 32; correct one"),
        ("model = \"zero-wait\"", "model = \"instruction-cache\", size = 96, line = 32, ways = 2, miss = 1, data_read = 1", "toy.toml: [[memory]] sram: timing: size is 96; give the bytes of the cache, a power of two"),
        ("model = \"zero-wait\"", "model = \"associative-cache\", size = 32768, line = 8, ways = 2, miss = 1", "toy.toml: [[memory]] sram: timing: size is 32768, which is more than 2048 lines of 8 bytes in all; correct one"),
        ("model = \"zero-wait\"", "model = \"associative-cache\", size = 64, line = 32, ways = 4, miss = 1", "toy.toml: [[memory]] sram: timing: ways is 4, but 64 bytes hold only 2 lines of 32; correct one"),
        ("model = \"zero-wait\"", "model = \"associative-cache\", size = 64, line = 32, ways = 2", "toy.toml: [[memory]] sram: timing: miss is missing; add it: the cycles that a miss costs"),
        ("model = \"zero-wait\"", "model = \"associative-cache\", size = 64, line = 32, ways = 2, data_size = 48, miss = 1", "toy.toml: [[memory]] sram: timing: data_size is 48; give a power of two from 32"),
        ("model = \"zero-wait\"", "model = \"magic\"", "toy.toml: [[memory]] sram: timing: model is \"magic\", which is unknown; write \"zero-wait\", \"prefetch\", \"stream\", \"bus-matrix\", \"cache\", \"instruction-cache\", \"associative-cache\" or \"fetch-buffer\""),
        ("model = \"zero-wait\"", "model = \"zero-wait\", line = 4", "toy.toml: [[memory]] sram: timing: line is unknown; remove it or correct it to one of model"),
        ("model = \"zero-wait\"", "model = \"stream\", wait_states = 1, line = 8, cached_lines = 63, data_lines = 0", "toy.toml: [[memory]] sram: timing: cached_lines is 63; give the lines of instructions in a cache, a power of two"),
        ("model = \"zero-wait\"", "model = \"stream\", wait_states = 1, line = 8, cached_lines = 0, data_lines = 3", "toy.toml: [[memory]] sram: timing: data_lines is 3; give the lines of data in a buffer, a power of two"),
        ("model = \"zero-wait\"", "model = \"bus-matrix\", wait_states = 1, line = 8, pause_wait_states = 65, connect_wait_states = 1", "toy.toml: [[memory]] sram: timing: pause_wait_states is 65; give the wait states of a fetch after a pause, from 0 to 64"),
        ("model = \"zero-wait\"", "model = \"fetch-buffer\", wait_states = 1, line = 4, lines = 1", "toy.toml: [[memory]] sram: timing: lines is 1; give the lines that the buffer holds, from 2 to 8"),
        ("line = 4", "line = 6", "toy.toml: [[memory]] flash: timing: line is 6; give the bytes of one flash read, a power of two"),
        ("line = 4", "line = 2", "toy.toml: [[memory]] flash: timing: line is 2; give the bytes of one flash read, from 4 to 256"),
        ("line = 4, ", "", "toy.toml: [[memory]] flash: timing: line is missing; add it: the bytes of one flash read"),
        ("wait_states = 1", "wait_states = 65", "toy.toml: [[memory]] flash: timing: wait_states is 65; give"),
        ("lines = 3", "lines = 0", "toy.toml: [[memory]] flash: timing: lines is 0; give"),
        ("kind = \"flash\"", "kind = \"ram\"", "toy.toml: [[memory]]: there is no memory of kind \"flash\"; add one"),
        ("kind = \"ram\"", "kind = \"flash\"", "toy.toml: [[memory]]: there is no memory of kind \"ram\"; add one"),
    ];
    for (from, to, sentence) in cases {
        let message = refusal(from, to);
        assert!(message.starts_with(sentence), "{from:?} -> {to:?}: {message:?}");
        assert!(!message.contains('\n'), "one sentence, not {message:?}");
    }
}

#[test]
fn no_memory_at_all_or_a_plain_one_is_refused() {
    let head = "id = \"t\"\n[core]\nname = \"x\"\n[clock]\nhz = 1\n";
    let refusal = |text: &str| Board::from_toml(text, "t.toml", find).expect_err("refused").to_string();
    assert!(refusal(head).starts_with("t.toml: [[memory]] is missing"));
    assert!(refusal(&format!("memory = 3\n{head}")).starts_with("t.toml: [[memory]] is missing"));
    assert!(refusal(&format!("memory = [3]\n{head}")).starts_with("t.toml: memory must be a list of tables"));
}

#[test]
fn arbitrary_text_is_refused_and_never_a_panic() {
    let mut state = 1u64;
    for _ in 0..2_000 {
        let mut bytes = GOOD.as_bytes().to_vec();
        for _ in 0..3 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (state >> 33) as usize % bytes.len();
            bytes[at] = (state >> 24) as u8 & 0x7f;
        }
        let text = String::from_utf8(bytes).expect("seven-bit characters");
        if let Err(e) = Board::from_toml(&text, "toy.toml", find) {
            assert!(e.0.starts_with("toy.toml: "), "{e}");
        }
    }
}

const RANDOM: &str =
    "[random]\nstatus = 0x400b_c01c\nready = 1\ndata = 0x400b_c050\nbits = 32\ncycles = 84\n";

#[test]
fn a_random_number_generator_is_read() {
    let read =
        |table: &str| Board::from_toml(&format!("{GOOD}{table}"), "toy.toml", find).expect("good").random;
    let words = RandomSource {
        status: 0x400b_c01c,
        ready: 1,
        data: 0x400b_c050,
        bits: 32,
        cycles: 84,
        acknowledge: false,
    };
    assert_eq!(read(""), None);
    assert_eq!(read(RANDOM), Some(words));
    let clears = format!("{RANDOM}acknowledge = true\n");
    assert_eq!(read(&clears), Some(RandomSource { acknowledge: true, ..words }));
}

#[test]
fn every_mistake_in_a_random_number_generator_has_its_sentence() {
    let cases = [
        ("ready = 1\n", "", "ready is missing; add it: the mask of the status bit of a number that is ready"),
        ("cycles = 84", "cycles = 0", "cycles is 0; give the core's cycles that a number takes, from 1 to 10000000"),
        ("bits = 32", "bits = 16", "bits is 16; write 8 or 32"),
        ("data = 0x400b_c050", "data = 0x400b_c051", "data is 0x400bc051; give a multiple of 4"),
        (
            "status = 0x400b_c01c",
            "status = 0x2000_0010",
            "status is 0x20000010, inside memory sram; give the register's address",
        ),
        ("data = 0x400b_c050", "data = 0x400b_c01c", "data is in the same word as status; correct one of them"),
        ("bits = 32", "bits = 32\nacknowledge = 1", "acknowledge must be true or false: true if the program clears the status register"),
        (
            "bits = 32",
            "bits = 32\nbase = 1",
            "base is unknown; remove it or correct it to one of status, ready, data, bits, cycles, acknowledge",
        ),
    ];
    for (from, to, sentence) in cases {
        let text = format!("{GOOD}{}", RANDOM.replacen(from, to, 1));
        let refusal = Board::from_toml(&text, "toy.toml", find).expect_err("must be refused").to_string();
        assert_eq!(refusal, format!("toy.toml: [random]: {sentence}"));
    }
}
