//! The digest of the simulators themselves, and of copies with changes that must not affect it and with
//! changes that must.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use pennyweight_digest::{alternatives, sources, sources_without, Digest, Sources};

/// A copy of the simulators' manifests and sources.
struct Copy(PathBuf);

impl Drop for Copy {
    fn drop(&mut self) {
        // It is in a temporary folder, where a rest does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Copy {
    fn new(name: &str) -> Copy {
        let to = std::env::temp_dir().join(format!("pennyweight-digest-{}-{name}", std::process::id()));
        for file in &original().files {
            let target = to.join(file.strip_prefix(simulator()).expect("a file of the simulators"));
            fs::create_dir_all(target.parent().expect("a folder")).expect("a new folder");
            fs::copy(file, target).expect("a copy");
        }
        Copy(to)
    }

    fn digest(&self) -> Digest {
        sources(&self.0, "python").expect("sound sources").digest
    }

    /// Replaces the first `old` in `file`; true if the digest changes.
    fn changes(&self, file: &str, old: &str, new: &str) -> bool {
        let path = self.0.join(file);
        let before = fs::read_to_string(&path).expect("a source");
        assert!(before.contains(old), "{file} has no {old:?}");
        fs::write(&path, before.replacen(old, new, 1)).expect("written");
        let changed = self.digest() != original().digest;
        fs::write(&path, before).expect("written");
        changed
    }
}

fn simulator() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the simulators' folder").to_owned()
}

fn original() -> &'static Sources {
    static SOURCES: OnceLock<Sources> = OnceLock::new();
    SOURCES.get_or_init(|| sources(&simulator(), "python").expect("sound sources"))
}

#[test]
fn a_copy_elsewhere_has_the_same_digest() {
    assert_eq!(Copy::new("same").digest(), original().digest);
}

#[test]
fn every_instruction_set_enters_and_no_test_does() {
    let name = |file: &PathBuf| {
        let name = file.strip_prefix(simulator()).expect("a file of the simulators");
        format!("/{}", name.to_string_lossy().replace('\\', "/"))
    };
    let files: Vec<String> = original().files.iter().map(name).collect();
    let has = |end: &str| files.iter().any(|file| file.ends_with(end));
    for name in
        ["avr", "msp430", "thumb", "riscv", "xtensa", "mips", "machine32", "memory", "machine", "boards"]
    {
        assert!(has(&format!("/{name}/src/lib.rs")), "{name}");
        assert!(has(&format!("/{name}/Cargo.toml")), "{name}");
    }
    assert!(has("/avr/src/timing.rs") && has("/thumb/src/core/pipeline.rs"));
    assert!(!files.iter().any(|file| file.contains("/tests") || file.contains("/checks/")), "{files:?}");
    assert!(!has("/digest/src/lib.rs"), "the digest crate decides no figure");
}

#[test]
fn prose_changes_nothing() {
    let copy = Copy::new("prose");
    let mut rewritten = 0;
    for file in original().files.iter().filter(|file| file.extension().is_some_and(|end| end == "rs")) {
        let path = copy.0.join(file.strip_prefix(simulator()).expect("a file of the simulators"));
        let before = fs::read_to_string(&path).expect("a source");
        let line = |line: &str| {
            let words = line.trim_start();
            let comment = ["//! ", "/// ", "// "].iter().find(|mark| words.starts_with(**mark));
            comment.map_or(line.to_owned(), |mark| format!("{mark}Other words."))
        };
        let after: Vec<String> = before.lines().map(line).collect();
        let after = format!("// A comment first.\n\n{}\n/* and last */", after.join("\n"));
        rewritten += u32::from(after.contains("Other words."));
        fs::write(&path, after).expect("written");
    }
    assert!(rewritten > 100, "{rewritten} files have comments");
    assert_eq!(copy.digest(), original().digest);
}

#[test]
fn sentences_for_the_user_change_nothing_and_names_do() {
    let copy = Copy::new("sentences");
    let board = "machine/src/board.rs";
    assert!(!copy.changes(board, "the clock in Hz", "the clock in hertz"));
    assert!(!copy.changes(board, "there is no memory of kind", "no memory has the kind"));
    assert!(copy.changes(board, "\"hz\"", "\"mhz\""));
}

#[test]
fn tests_and_lints_change_nothing() {
    let copy = Copy::new("tests");
    let timing = "avr/src/timing.rs";
    for (old, new) in [
        ("use crate::op::Code;", "use crate::op::Code;\n#[cfg(test)]\nmod tests { fn f() {} }"),
        ("use crate::op::Code;", "use crate::op::Code;\n#[cfg(test)]\nmod tests;"),
        ("use crate::op::Code;", "use crate::op::Code;\n#[cfg(test)]\nuse crate::{op, cpu};"),
        ("use crate::op::Code;", "use crate::op::Code;\n#[cfg( test )]\n#[rustfmt::skip]\nconst fn f() {}"),
        ("use crate::op::Code;", "use crate::op::Code;\n#[cfg(test)]\nfn f<const N: usize>() { g(); }"),
        ("use crate::op::Code;", "use crate::op::Code;\n#[cfg(test)]\nimpl<const N: usize> A<N> { }"),
        ("use crate::op::Code;", "use crate::op::Code;\n#[cfg(test)]\npub(crate) const A: B = B { c: 1 };"),
        ("use crate::op::Code;", "use crate::op::Code;\n#[cfg(feature = \"leakage\")]\n#[a] use crate::op;"),
        ("use crate::op::Code;", "use crate::op::Code;\n#[cfg(feature = \"effects\")]\nmod effects;"),
        (
            "use crate::op::Code;",
            "use crate::op::Code;\n#[cfg(feature = \"translator\")]\nimpl Op { fn f() {} }",
        ),
        ("use crate::op::Code;", "use crate::op::Code;\n#[cfg(test)]\nx: A<fn(B) -> C, D>,"),
        ("use crate::op::Code;", "use crate::op::Code;\n#[cfg(test)]\npub(crate) x: a::B::c(1),"),
        ("#[must_use]\n", ""),
        ("#[must_use]", "#[allow(clippy::all, reason = \"a reason\")]"),
    ] {
        assert!(!copy.changes(timing, old, new), "{new}");
    }
    // Other conditions count, and so does code after a test.
    let other = "use crate::op::Code;\n#[cfg(feature = \"fast\")]\nuse crate::op;";
    assert!(copy.changes(timing, "use crate::op::Code;", other));
    assert!(copy.changes(timing, "use crate::op::Code;", "#[cfg(test)]\nuse crate::x;\nuse crate::op::Op;"));
}

#[test]
fn code_changes_the_digest() {
    let copy = Copy::new("code");
    for (file, old, new) in [
        ("avr/src/timing.rs", "Code::Rjmp | Code::Ijmp => 2", "Code::Rjmp | Code::Ijmp => 3"),
        ("avr/src/timing.rs", "LOW_FLASH: usize = 1 << 16", "LOW_FLASH: usize = 1 << 15"),
        ("avr/src/timing.rs", "flash > LOW_FLASH", "flash >= LOW_FLASH"),
        ("avr/src/timing.rs", "model == \"avre\"", "model != \"avre\""),
        ("avr/src/sequences.rs", "LsrRor = Lsr Ror;", ""),
        ("avr/src/lib.rs", "mod timing;", "#[inline] mod timing;"),
        ("python/src/lib.rs", "use ", "use std::fmt as _; use "),
        ("boards/src/lib.rs", "use ", "use std::fmt as _; use "),
        ("memory/src/bus.rs", "use ", "use std::fmt as _; use "),
        ("thumb/src/core/cortex_m4.rs", "use ", "use std::fmt as _; use "),
    ] {
        assert!(copy.changes(file, old, new), "{file}: {old}");
    }
}

#[test]
fn a_file_that_code_includes_enters() {
    let copy = Copy::new("included");
    let timing = "avr/src/timing.rs";
    let path = copy.0.join(timing);
    let code = fs::read_to_string(&path).expect("a source");
    fs::write(&path, code + "\nconst TABLE: &str = include_str!(\"../../table.txt\");\n").expect("written");
    let with = ["1", "2"].map(|text| {
        fs::write(copy.0.join("table.txt"), text).expect("written");
        copy.digest()
    });
    assert!(with[0] != with[1] && !with.contains(&original().digest));
    assert!(sources(&copy.0, "python").expect("sound").files.iter().any(|file| file.ends_with("table.txt")));
}

#[test]
fn what_is_not_understood_is_an_error() {
    let copy = Copy::new("errors");
    let error = |name: &str, text: &str| {
        let path = copy.0.join("avr/src/timing.rs");
        let before = fs::read_to_string(&path).expect("a source");
        fs::write(&path, format!("{before}\n{text}\n")).expect("written");
        let error = sources(&copy.0, "python").expect_err(name);
        fs::write(&path, before).expect("written");
        assert!(error.contains("timing"), "{error}");
        error
    };
    assert!(
        error("computed", "const T: &str = include_str!(concat!(\"a\", \"b\"));").contains("plain string")
    );
    assert!(error("elsewhere", "#[path = \"other.rs\"] mod other;").contains("#[path]"));
    assert!(error("unclosed", "fn f() {").contains("timing.rs"));
    assert!(error("endless", "#[cfg(test)] use crate::op").contains("has no end"));
    assert!(error("missing", "mod nowhere;").contains("nowhere"));
}

/// The digest without the crates of other instruction sets, and without those that measure nothing.
fn of_set(folder: &Path, set: &str) -> Digest {
    let mut others = alternatives(folder, "boards").expect("manifests");
    assert!(others.remove(set), "{set}");
    others.extend(["leakage", "translate"].map(str::to_owned));
    sources_without(folder, "python", &others).expect("sound sources").digest
}

#[test]
fn the_alternatives_are_the_instruction_sets() {
    let sets = ["avr", "mips", "msp430", "riscv", "thumb", "xtensa"].map(str::to_owned);
    assert_eq!(alternatives(&simulator(), "boards"), Ok(BTreeSet::from(sets)));
}

#[test]
fn code_changes_the_digests_of_the_instruction_sets_that_use_it() {
    let copy = Copy::new("sets");
    let changed = |file: &str| -> Vec<&str> {
        let path = copy.0.join(file);
        let before = fs::read_to_string(&path).expect("a source");
        assert!(before.contains("use "), "{file}");
        fs::write(&path, before.replacen("use ", "use std::fmt as _; use ", 1)).expect("written");
        let sets = ["avr", "msp430", "mips", "riscv", "thumb", "xtensa"];
        let found =
            sets.into_iter().filter(|set| of_set(&copy.0, set) != of_set(&simulator(), set)).collect();
        fs::write(&path, before).expect("written");
        found
    };
    assert_eq!(changed("avr/src/timing.rs"), ["avr"]);
    assert_eq!(changed("thumb/src/core/cortex_m4.rs"), ["thumb"]);
    assert_eq!(changed("machine32/src/machine.rs"), ["mips", "riscv", "thumb", "xtensa"]);
    assert_eq!(changed("machine/src/call.rs").len(), 6);
    assert_eq!(changed("boards/src/lib.rs").len(), 6);
    assert_eq!(changed("leakage/src/lib.rs").len(), 0);
    assert_eq!(changed("translate/src/lib.rs").len(), 0);
    assert!(!original().files.contains(&simulator().join("python/src/leakage.rs")));
    assert_eq!(changed("python/src/lib.rs").len(), 6);
}
