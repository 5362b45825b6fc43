//! Names the simulators' version: the package's version and a hash of all simulator sources, so
//! that results of different simulators are never mistaken for each other.

use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let simulator = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("simulator folder").to_path_buf();
    let mut files = Vec::new();
    for room in ["machine", "memory", "avr", "msp430", "thumb", "riscv", "xtensa", "mips", "boards", "python"]
    {
        collect(&simulator.join(room).join("src"), &mut files);
    }
    files.sort();
    // FNV-1a: a name, not a defence.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in &files {
        println!("cargo:rerun-if-changed={}", file.display());
        for byte in fs::read(file).expect("readable source") {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    println!("cargo:rustc-env=PENNYWEIGHT_SIMULATOR_VERSION={}+{hash:016x}", env!("CARGO_PKG_VERSION"));
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    println!("cargo:rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder).expect("readable folder") {
        let path = entry.expect("folder entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
