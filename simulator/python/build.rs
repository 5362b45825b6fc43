//! Names the simulators' version: the package's version and a hash of the sources of all crates that
//! the bindings are made of, so that results of different simulators are never mistaken for each other.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let simulator = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("simulator folder").to_path_buf();
    let mut rooms = BTreeSet::new();
    find_rooms(&simulator, "python", &mut rooms);
    let mut files = Vec::new();
    for room in rooms {
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

/// `room` and all crates beside it that its manifest names, and theirs.
fn find_rooms(simulator: &Path, room: &str, rooms: &mut BTreeSet<String>) {
    if !rooms.insert(room.to_owned()) {
        return;
    }
    let manifest = simulator.join(room).join("Cargo.toml");
    println!("cargo:rerun-if-changed={}", manifest.display());
    for line in fs::read_to_string(manifest).expect("readable manifest").lines() {
        if let Some((_, rest)) = line.split_once("path = \"../") {
            find_rooms(simulator, rest.split('"').next().unwrap_or_default(), rooms);
        }
    }
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
