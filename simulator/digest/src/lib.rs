//! The digest of a crate and of the neighbouring crates that it depends on, for a version that changes with
//! the code and with nothing else.
//!
//! It covers the tokens of each module that is reached from a `lib.rs`, without comments, documentation,
//! tests and layout (see [`tokens`]).

pub mod tokens;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::tokens::Reader;

/// FNV-1a, 64 bits (Fowler, Noll, Vo): an identifier, no protection against forgery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(pub u64);

impl Default for Digest {
    fn default() -> Self {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Adds bytes and their number.
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes.iter().chain(&(bytes.len() as u64).to_le_bytes()) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// What a digest was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// The digest.
    pub digest: Digest,
    /// All files that were read, manifests too.
    pub files: BTreeSet<PathBuf>,
}

/// Reads the crate in the folder `name` of `folder`, and all crates in `folder` that it depends on.
///
/// # Errors
/// A file cannot be read, is not Rust, or includes a file whose name is computed.
pub fn sources(folder: &Path, name: &str) -> Result<Sources, String> {
    sources_without(folder, name, &BTreeSet::new())
}

/// The same without some crates and those that only they depend on.
///
/// # Errors
/// As for [`sources`].
pub fn sources_without(folder: &Path, name: &str, without: &BTreeSet<String>) -> Result<Sources, String> {
    let mut files = BTreeSet::new();
    let mut crates = without.clone();
    find_crates(folder, name, &mut crates, &mut files)?;
    let mut contents = BTreeMap::new();
    for each in crates.difference(without) {
        let source = folder.join(each).join("src");
        Reader { contents: &mut contents }.module(&source.join("lib.rs"), &source)?;
    }
    let mut digest = Digest::default();
    for (path, part) in &contents {
        let relative = path.strip_prefix(folder).unwrap_or(path);
        digest.add(relative.to_string_lossy().replace('\\', "/").as_bytes());
        digest.add(&part.0.to_le_bytes());
    }
    files.extend(contents.into_keys());
    Ok(Sources { digest, files })
}

/// The neighbouring crates that `name` depends on and none of these depends on: a simulator's
/// instruction sets, if `name` is the crate that lists them.
///
/// # Errors
/// A manifest cannot be read.
pub fn alternatives(folder: &Path, name: &str) -> Result<BTreeSet<String>, String> {
    let listed = dependencies(&manifest(folder, name))?;
    let mut shared = BTreeSet::new();
    for each in &listed {
        shared.extend(dependencies(&manifest(folder, each))?);
    }
    Ok(listed.into_iter().filter(|each| !shared.contains(each)).collect())
}

/// Adds the crate `name` and, recursively, the neighbours that its manifest lists under `[dependencies]`.
fn find_crates(
    folder: &Path,
    name: &str,
    crates: &mut BTreeSet<String>,
    files: &mut BTreeSet<PathBuf>,
) -> Result<(), String> {
    if !crates.insert(name.to_owned()) {
        return Ok(());
    }
    let manifest = manifest(folder, name);
    for each in dependencies(&manifest)? {
        find_crates(folder, &each, crates, files)?;
    }
    files.insert(manifest);
    Ok(())
}

/// The folders of the neighbouring crates that a manifest lists under `[dependencies]`.
fn dependencies(manifest: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut listed = false;
    for line in read(manifest)?.lines() {
        if line.starts_with('[') {
            listed = line.trim_end() == "[dependencies]";
        } else if let (true, Some((_, rest))) = (listed, line.split_once("path = \"../")) {
            found.push(rest.split('"').next().unwrap_or_default().to_owned());
        }
    }
    Ok(found)
}

fn manifest(folder: &Path, name: &str) -> PathBuf {
    folder.join(name).join("Cargo.toml")
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
