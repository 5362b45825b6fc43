//! Sets the simulators' version: the package's version and a digest of the code of all crates in the
//! bindings, so that results of different simulators are never confused.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let simulator = folder.parent().unwrap_or(folder);
    match pennyweight_digest::sources(simulator, "python") {
        Ok(sources) => {
            for file in &sources.files {
                println!("cargo:rerun-if-changed={}", file.display());
            }
            let version = env!("CARGO_PKG_VERSION");
            println!("cargo:rustc-env=PENNYWEIGHT_SIMULATOR_VERSION={version}+{:016x}", sources.digest.0);
            ExitCode::SUCCESS
        }
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::FAILURE
        }
    }
}
