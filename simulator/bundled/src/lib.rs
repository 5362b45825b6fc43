//! The bundled core and board files, for tests and commands in Rust: they are read from this repository's
//! folders when they are asked for. The Python package reads its own copies.

use std::fs;
use std::path::{Path, PathBuf};

use pennyweight_machine::{Board, BoardError, CoreFile, CoreRef};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

fn read(path: &Path) -> Result<String, BoardError> {
    fs::read_to_string(path).map_err(|error| BoardError(format!("{}: {error}", path.display())))
}

fn core_at(path: &Path, name: &str) -> Result<CoreFile, BoardError> {
    CoreFile::from_toml(&read(path)?, name)
}

/// The core that a board in a folder refers to: a bundled one, or another file.
///
/// # Errors
/// No such file exists, or it is invalid.
pub fn find_core(core: &CoreRef, board_folder: &Path) -> Result<CoreFile, BoardError> {
    match core {
        CoreRef::Named(name) => {
            let file = format!("{name}.toml");
            core_at(&folder("cores").join(&file), &format!("cores/{file}"))
        }
        CoreRef::File(file) => core_at(&board_folder.join(file), file),
    }
}

/// The board that a file describes.
///
/// # Errors
/// It or its core's file cannot be read or is wrong.
pub fn board_at(path: &Path) -> Result<Board, BoardError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    Board::from_toml(&read(path)?, &path.display().to_string(), |core| find_core(core, folder))
}

/// The bundled core of that name, for tests.
///
/// # Panics
/// No such file exists, or it is invalid.
#[must_use]
pub fn core(name: &str) -> CoreFile {
    find_core(&CoreRef::Named(name.into()), Path::new("")).unwrap_or_else(|error| panic!("{error}"))
}

/// The bundled board of that name, for tests.
///
/// # Panics
/// No such file exists, or it is invalid.
#[must_use]
pub fn board(id: &str) -> Board {
    board_at(&folder("boards").join(format!("{id}.toml"))).unwrap_or_else(|error| panic!("{error}"))
}

/// The board that a text describes, for tests; its core is bundled.
///
/// # Panics
/// The text is wrong.
#[must_use]
pub fn board_from(text: &str) -> Board {
    let find = |core: &CoreRef| find_core(core, Path::new(""));
    Board::from_toml(text, "board test", find).unwrap_or_else(|error| panic!("{error}"))
}

/// The names of the TOML files in a folder of this repository, without `.toml`, in order.
///
/// # Errors
/// The folder cannot be read.
pub fn names(of: &str) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder(of)).map_err(|error| format!("{of}: {error}"))?;
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let files = paths.filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
    let mut names: Vec<String> =
        files.filter_map(|path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned())).collect();
    names.sort();
    Ok(names)
}
