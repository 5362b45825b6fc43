//! The memories of a part with one flash and one RAM, built from a board description.

use pennyweight_machine::board::{BoardError, Memory, MemoryKind, MemoryTiming};
use pennyweight_machine::{Board, Image, LoadError, OutOfMap};

use crate::bus::Word;

/// Contents and places of flash and RAM.
#[derive(Clone, Debug)]
pub struct Memories {
    /// Flash, erased where nothing was loaded.
    pub flash: Vec<Word>,
    /// First address of flash.
    pub flash_base: u32,
    /// RAM.
    pub ram: Vec<Word>,
    /// First address of RAM.
    pub ram_base: u32,
}

impl Memories {
    /// Flash with `bytes` from its start on, RAM of zeros.
    ///
    /// # Errors
    /// The board has not exactly one flash and one RAM made of whole words, RAM has a timing, or
    /// `bytes` do not fit.
    pub fn new(board: &Board, bytes: &[u8]) -> Result<Memories, LoadError> {
        let (flash, ram) = (only(board, MemoryKind::Flash)?, only(board, MemoryKind::Ram)?);
        if ram.timing != MemoryTiming::ZeroWait {
            return Err(refuse(board, ram, "timing.model must be \"zero-wait\" for RAM"));
        }
        if bytes.len() > flash.size as usize {
            let what = format!("{} bytes do not fit {}; build a smaller program", bytes.len(), flash.size);
            return Err(refuse(board, flash, &what));
        }
        let mut words = vec![[0xff; 4]; flash.size as usize / 4];
        words.as_flattened_mut()[..bytes.len()].copy_from_slice(bytes);
        Ok(Memories {
            flash: words,
            flash_base: flash.base,
            ram: vec![[0; 4]; ram.size as usize / 4],
            ram_base: ram.base,
        })
    }

    /// Copies memory from `address` on into `out`.
    ///
    /// # Errors
    /// The range is not inside one memory.
    pub fn read(&self, address: u32, out: &mut [u8]) -> Result<(), OutOfMap> {
        let size = out.len();
        for (memory, base) in [(&self.ram, self.ram_base), (&self.flash, self.flash_base)] {
            let start = address.wrapping_sub(base) as usize;
            if let Some(bytes) = start.checked_add(size).and_then(|end| memory.as_flattened().get(start..end))
            {
                out.copy_from_slice(bytes);
                return Ok(());
            }
        }
        Err(OutOfMap { address, size })
    }

    /// Copies `data` into RAM from `address` on.
    ///
    /// # Errors
    /// The range is not inside RAM.
    pub fn write(&mut self, address: u32, data: &[u8]) -> Result<(), OutOfMap> {
        let start = address.wrapping_sub(self.ram_base) as usize;
        let bytes =
            start.checked_add(data.len()).and_then(|end| self.ram.as_flattened_mut().get_mut(start..end));
        match bytes {
            Some(bytes) => bytes.copy_from_slice(data),
            None => return Err(OutOfMap { address, size: data.len() }),
        }
        Ok(())
    }
}

/// The board's one memory of that kind; base and size are multiples of four.
///
/// # Errors
/// The part does not have exactly one of that kind, or its size is not a multiple of the word.
pub fn only(board: &Board, kind: MemoryKind) -> Result<&Memory, LoadError> {
    let word = if kind == MemoryKind::Flash { "flash" } else { "ram" };
    let mut memories = board.memories.iter().filter(|m| m.kind == kind);
    match (memories.next(), memories.next()) {
        (Some(memory), None) if (memory.base | memory.size) & 3 == 0 => Ok(memory),
        (Some(memory), None) => {
            let what = format!(
                "base {:#x} and size {:#x} must be multiples of 4 on a 32-bit part",
                memory.base, memory.size
            );
            Err(refuse(board, memory, &what))
        }
        _ => {
            let what = format!(
                "core {:?} needs exactly one memory of kind \"{word}\"; correct the list",
                board.core.name
            );
            Err(LoadError::Board(BoardError(format!("{}: [[memory]]: {what}", board.source))))
        }
    }
}

/// The content of flash: all of it, and how many bytes from its start the image fills.
///
/// # Errors
/// There is not exactly one flash, or the image does not fit it.
pub fn flash_contents(board: &Board, image: &Image) -> Result<(Vec<u8>, usize), LoadError> {
    let flash = only(board, MemoryKind::Flash)?;
    let bytes = image.flash_bytes(flash, |_| true)?;
    let end = |address: u32, size: usize| address.wrapping_sub(flash.base) as usize + size;
    let used = image.segments.iter().map(|s| end(s.address, s.bytes.len())).max().unwrap_or(0);
    Ok((bytes, used))
}

/// The error that `memory` of `board` is not as it must be.
#[must_use]
pub fn refuse(board: &Board, memory: &Memory, what: &str) -> LoadError {
    LoadError::Board(BoardError(format!("{}: [[memory]] {}: {what}", board.source, memory.name)))
}
