//! Sets the simulators' versions, so that results of different simulators are never confused. The version
//! of all is the package's and a digest of the code of all crates in the bindings; that of each instruction
//! set omits the crates of the others, so that a change to one keeps the results of the others.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use pennyweight_digest::{alternatives, sources_without, Sources};

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn main() -> ExitCode {
    match versions() {
        Ok((all, translator, each)) => {
            println!("cargo:rustc-env=PENNYWEIGHT_SIMULATOR_VERSION={all}");
            println!("cargo:rustc-env=PENNYWEIGHT_TRANSLATOR_VERSION={translator}");
            println!("cargo:rustc-env=PENNYWEIGHT_SIMULATOR_VERSIONS={}", each.join(" "));
            ExitCode::SUCCESS
        }
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::FAILURE
        }
    }
}

/// The crates that no measurement depends on; what uses them is under `#[cfg(feature = "leakage")]` and
/// `#[cfg(feature = "translator")]`. What is under `#[cfg(feature = "effects")]` needs no other crate.
const UNMEASURED: [&str; 2] = ["leakage", "translate"];

/// Of those, what is not part of translated code either.
const OBSERVERS: [&str; 1] = ["leakage"];

/// The version of all, the same with the translator, and for each instruction set `PACKAGE=VERSION`.
fn versions() -> Result<(String, String, Vec<String>), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let simulator = folder.parent().unwrap_or(folder);
    let unmeasured = BTreeSet::from(UNMEASURED.map(str::to_owned));
    let all = sources_without(simulator, "python", &unmeasured)?;
    let translated = sources_without(simulator, "python", &BTreeSet::from(OBSERVERS.map(str::to_owned)))?;
    for file in &translated.files {
        println!("cargo:rerun-if-changed={}", file.display());
    }
    let sets = alternatives(simulator, "boards")?;
    let mut each = Vec::new();
    for set in &sets {
        let others = sets.iter().filter(|other| *other != set);
        let others = others.chain(&unmeasured).cloned().collect();
        let version = version(&sources_without(simulator, "python", &others)?);
        each.push(format!("pennyweight-{set}={version}"));
    }
    Ok((version(&all), version(&translated), each))
}

fn version(sources: &Sources) -> String {
    format!("{VERSION}+{:016x}", sources.digest.0)
}
