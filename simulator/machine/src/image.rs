//! An ELF image: what to load where, where each symbol is, which source line an address is.
//!
//! Addresses are those of the file. Bytes are given at their *load* address (`p_paddr`), so the
//! initial values of `.data` lie in flash, from where the start-up code copies them.

use std::collections::HashMap;
use std::fmt;

use addr2line::gimli;
use object::elf;
use object::read::elf::{ElfFile32, FileHeader as _, ProgramHeader as _, SectionHeader as _};
use object::{LittleEndian, Object as _, ObjectSection as _, ObjectSymbol as _, SymbolKind};

use crate::board::{Memory, LARGEST_MEMORY};

mod definitions;
mod error;

pub use definitions::defined_symbols;
pub use error::ImageError;

/// In a symbol's `st_other`: code of 16 bits (GNU binutils, include/elf/mips.h).
const STO_MIPS16: u8 = 0xf0;

type File<'data> = ElfFile32<'data, LittleEndian>;

/// The instruction set that an image is for (`e_machine`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    /// EM_AVR.
    Avr,
    /// EM_ARM.
    Arm,
    /// EM_RISCV.
    RiscV,
    /// EM_MSP430.
    Msp430,
    /// EM_XTENSA.
    Xtensa,
    /// EM_MIPS.
    Mips,
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Architecture::Avr => "AVR",
            Architecture::Arm => "Arm",
            Architecture::RiscV => "RISC-V",
            Architecture::Msp430 => "MSP430",
            Architecture::Xtensa => "Xtensa",
            Architecture::Mips => "MIPS",
        })
    }
}

/// Bytes to be in memory before the start-up code runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Load address of the first byte.
    pub address: u32,
    /// The bytes; never empty.
    pub bytes: Vec<u8>,
}

/// A named address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Name as in the file.
    pub name: String,
    /// Address; for Arm functions with the Thumb bit cleared, and for MIPS16 code with bit 0 cleared.
    pub address: u32,
    /// Bytes; 0 where the assembly code does not state it.
    pub size: u32,
    /// Code: typed as a function, or an untyped label in an executable section.
    pub is_function: bool,
}

/// A parsed image.
#[derive(Clone, Debug)]
pub struct Image {
    /// What it is for.
    pub architecture: Architecture,
    /// Entry address, for Arm with the Thumb bit cleared.
    pub entry: u32,
    /// What to load, by ascending address, without overlap.
    pub segments: Vec<Segment>,
    /// Functions and objects by ascending address.
    pub symbols: Vec<Symbol>,
    /// Position in `symbols` by name; of several symbols with one name, the global one.
    by_name: HashMap<String, usize>,
    /// End of the section that contains the symbol of the same position.
    section_ends: Vec<u32>,
    /// Where MIPS16 code begins that a symbol names.
    mips16: Vec<u32>,
    /// DWARF sections by name.
    debug: HashMap<String, Vec<u8>>,
}

impl Image {
    /// Parses an ELF file.
    ///
    /// # Errors
    /// Whatever is wrong with the file, as a sentence; never a panic.
    pub fn parse(file: &[u8]) -> Result<Image, ImageError> {
        check_identity(file)?;
        let elf = File::parse(file).map_err(|e| broken(file, &e))?;
        let header = elf.elf_header();
        let endian = elf.endian();
        let architecture = match header.e_machine(endian) {
            elf::EM_AVR => Architecture::Avr,
            elf::EM_ARM => Architecture::Arm,
            elf::EM_RISCV => Architecture::RiscV,
            elf::EM_MSP430 => Architecture::Msp430,
            elf::EM_XTENSA => Architecture::Xtensa,
            elf::EM_MIPS => Architecture::Mips,
            other => return Err(ImageError::UnknownMachine(other)),
        };
        if !matches!(header.e_type(endian), elf::ET_EXEC | elf::ET_DYN) {
            return Err(ImageError::NotLinked);
        }
        let segments = segments(file, &elf)?;
        let mut named = symbols(&elf, architecture);
        named.sort_by(|a, b| {
            (a.symbol.address, a.symbol.size, &a.symbol.name).cmp(&(
                b.symbol.address,
                b.symbol.size,
                &b.symbol.name,
            ))
        });
        let mut by_name = HashMap::new();
        for (position, n) in named.iter().enumerate() {
            if n.global || !by_name.contains_key(&n.symbol.name) {
                by_name.insert(n.symbol.name.clone(), position);
            }
        }
        let entry = (elf.entry() & u64::from(u32::MAX)) as u32;
        Ok(Image {
            architecture,
            entry: if architecture == Architecture::Arm { entry & !1 } else { entry },
            segments,
            by_name,
            mips16: named.iter().filter(|n| n.mips16).map(|n| n.symbol.address).collect(),
            section_ends: named.iter().map(|n| n.section_end).collect(),
            symbols: named.into_iter().map(|n| n.symbol).collect(),
            debug: debug_sections(&elf),
        })
    }

    /// Refuses an image for another machine.
    ///
    /// # Errors
    /// `WrongMachine`.
    pub fn require(&self, needed: Architecture) -> Result<(), ImageError> {
        if self.architecture == needed {
            Ok(())
        } else {
            Err(ImageError::WrongMachine { found: self.architecture, needed })
        }
    }

    /// The bytes of a flash memory with the segments that `select` takes written into it;
    /// what no segment covers is erased (0xff).
    ///
    /// # Errors
    /// `OutsideFlash` for the first selected segment that does not lie in `flash` as a whole.
    pub fn flash_bytes(
        &self,
        flash: &Memory,
        select: impl Fn(&Segment) -> bool,
    ) -> Result<Vec<u8>, ImageError> {
        let mut bytes = vec![0xff; flash.size as usize];
        for segment in self.segments.iter().filter(|s| select(s)) {
            let size = segment.bytes.len();
            let target = segment
                .address
                .checked_sub(flash.base)
                .and_then(|start| bytes.get_mut(start as usize..(start as usize).checked_add(size)?));
            match target {
                Some(target) => target.copy_from_slice(&segment.bytes),
                None => {
                    return Err(ImageError::OutsideFlash {
                        address: segment.address,
                        size: size as u32,
                        base: flash.base,
                        flash: flash.size,
                    });
                }
            }
        }
        Ok(bytes)
    }

    /// The symbol of that name.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.by_name.get(name).map(|&position| &self.symbols[position])
    }

    /// The function that contains `address`. Functions without a size (assembly) reach to the next
    /// function of their section.
    #[must_use]
    pub fn function_at(&self, address: u32) -> Option<&Symbol> {
        let end = self.symbols.partition_point(|s| s.address <= address);
        let before = || (0..end).rev().filter(|&i| self.symbols[i].is_function);
        let sized = before().find(|&i| address - self.symbols[i].address < self.symbols[i].size);
        let label =
            || before().next().filter(|&i| self.symbols[i].size == 0 && address < self.section_ends[i]);
        sized.or_else(label).map(|i| &self.symbols[i])
    }

    /// The addresses (even) of symbols that mark MIPS16 code.
    pub fn mips16(&self) -> impl Iterator<Item = u32> + '_ {
        self.mips16.iter().copied()
    }

    /// "file:line" of the instruction at `address`, if the image has debug information for it.
    ///
    /// The debug information is read at each call: lines are wanted for faults, which are rare.
    #[must_use]
    pub fn line(&self, address: u32) -> Option<String> {
        let dwarf = gimli::Dwarf::load(|id| {
            let bytes = self.debug.get(id.name()).map_or(&[][..], Vec::as_slice);
            Ok::<_, gimli::Error>(gimli::EndianSlice::new(bytes, gimli::LittleEndian))
        })
        .ok()?;
        let context = addr2line::Context::from_dwarf(dwarf).ok()?;
        // Lines of MIPS16 code are listed with bit 0 set, as jumps see it.
        let bit = self.function_at(address).is_some_and(|symbol| self.mips16.contains(&symbol.address));
        let location = context.find_location(u64::from(address | u32::from(bit))).ok()??;
        Some(format!("{}:{}", location.file?, location.line?))
    }
}

fn check_identity(file: &[u8]) -> Result<(), ImageError> {
    if !file.starts_with(&elf::ELFMAG) {
        return Err(ImageError::NotElf);
    }
    if file.len() < 52 {
        return Err(ImageError::Truncated);
    }
    if file[4] != elf::ELFCLASS32 {
        return Err(ImageError::Class);
    }
    if file[5] != elf::ELFDATA2LSB {
        return Err(ImageError::Endianness);
    }
    Ok(())
}

/// Header tables past the end of the file are its most common damage and get their own sentence.
fn broken(file: &[u8], error: &object::Error) -> ImageError {
    let word = |at: usize| file.get(at..at + 4).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let half = |at: usize| file.get(at..at + 2).map_or(0, |b| u32::from(u16::from_le_bytes([b[0], b[1]])));
    // e_phoff, e_shoff, e_phentsize, e_phnum, e_shentsize, e_shnum of an ELF32 header.
    let tables = [(word(28), half(42) * half(44)), (word(32), half(46) * half(48))];
    let past = |&(offset, size): &(u32, u32)| u64::from(offset) + u64::from(size) > file.len() as u64;
    if tables.iter().any(past) {
        ImageError::Truncated
    } else {
        ImageError::Malformed(error.to_string())
    }
}

fn segments(file: &[u8], elf: &File<'_>) -> Result<Vec<Segment>, ImageError> {
    let endian = elf.endian();
    let mut found = Vec::new();
    for header in elf.elf_program_headers() {
        if header.p_type(endian) != elf::PT_LOAD {
            continue;
        }
        let (offset, size) = header.file_range(endian);
        let address = header.p_paddr(endian);
        let memory = header.p_memsz(endian);
        // No microcontroller has a larger memory: the header is broken.
        if size > u64::from(LARGEST_MEMORY) || memory > LARGEST_MEMORY {
            return Err(ImageError::TooLarge { address, size: size.max(u64::from(memory)) });
        }
        if u64::from(address) + size > 1 << 32 {
            return Err(ImageError::Malformed(format!(
                "the segment at {address:#010x} runs past the address space"
            )));
        }
        let bytes = usize::try_from(offset)
            .ok()
            .and_then(|start| file.get(start..start.checked_add(usize::try_from(size).ok()?)?))
            .ok_or(ImageError::Truncated)?;
        let parts = section_parts(elf, offset, size)?;
        if parts.is_empty() {
            push(&mut found, address, bytes);
        }
        for (start, length) in parts {
            let from = (start - offset) as usize;
            push(&mut found, address + from as u32, &bytes[from..from + length as usize]);
        }
    }
    found.sort_by_key(|s: &Segment| s.address);
    for pair in found.windows(2) {
        if u64::from(pair[0].address) + pair[0].bytes.len() as u64 > u64::from(pair[1].address) {
            return Err(ImageError::Overlap { address: pair[1].address });
        }
    }
    if found.is_empty() {
        return Err(ImageError::Empty);
    }
    Ok(found)
}

fn push(segments: &mut Vec<Segment>, address: u32, bytes: &[u8]) {
    if !bytes.is_empty() {
        segments.push(Segment { address, bytes: bytes.to_vec() });
    }
}

/// The file ranges of the allocated sections inside a segment: what a programmer would write.
///
/// A linker may stretch a segment over the file's own headers to keep it page-aligned; only the
/// sections count. A file without section headers has none, and then the segment counts whole.
fn section_parts(elf: &File<'_>, offset: u64, size: u64) -> Result<Vec<(u64, u64)>, ImageError> {
    let endian = elf.endian();
    let mut parts = Vec::new();
    for section in elf.elf_section_table().iter() {
        let allocated = section.sh_flags(endian) & elf::SHF_ALLOC != 0;
        let Some((start, length)) = section.file_range(endian) else { continue };
        if !allocated || length == 0 || start < offset || start >= offset + size {
            continue;
        }
        if start + length > offset + size {
            return Err(ImageError::Malformed("a section is larger than its segment".to_owned()));
        }
        parts.push((start, length));
    }
    Ok(parts)
}

struct Named {
    symbol: Symbol,
    global: bool,
    section_end: u32,
    mips16: bool,
}

fn symbols(elf: &File<'_>, architecture: Architecture) -> Vec<Named> {
    let mut found = Vec::new();
    for symbol in elf.symbols() {
        let Ok(name) = symbol.name() else { continue };
        // Mapping symbols ($t, $d) and compiler labels (.L1) mark places, they name nothing.
        if name.is_empty() || name.starts_with(['$', '.']) || symbol.is_undefined() {
            continue;
        }
        if matches!(symbol.kind(), SymbolKind::Section | SymbolKind::File) {
            continue;
        }
        let section = symbol.section_index().and_then(|i| elf.section_by_index(i).ok());
        let executable = section.as_ref().is_some_and(|s| {
            // The linker files constants such as __eeprom_end under .text, far outside it.
            let inside = (s.address()..s.address().saturating_add(s.size())).contains(&symbol.address());
            s.kind() == object::SectionKind::Text && inside
        });
        let is_function = symbol.kind() == SymbolKind::Text
            || (executable && matches!(symbol.kind(), SymbolKind::Unknown | SymbolKind::Label));
        let address = (symbol.address() & u64::from(u32::MAX)) as u32;
        let thumb = architecture == Architecture::Arm && symbol.kind() == SymbolKind::Text;
        let mips16 =
            architecture == Architecture::Mips && symbol.elf_symbol().st_other & STO_MIPS16 == STO_MIPS16;
        found.push(Named {
            symbol: Symbol {
                name: name.to_owned(),
                address: if thumb || mips16 { address & !1 } else { address },
                size: (symbol.size() & u64::from(u32::MAX)) as u32,
                is_function,
            },
            global: symbol.is_global(),
            mips16,
            section_end: section
                .map_or(0, |s| s.address().saturating_add(s.size()).min(u64::from(u32::MAX)) as u32),
        });
    }
    found
}

fn debug_sections(elf: &File<'_>) -> HashMap<String, Vec<u8>> {
    elf.sections()
        .filter_map(|section| {
            let name = section.name().ok().filter(|name| name.starts_with(".debug_"))?;
            Some((name.to_owned(), section.data().ok()?.to_vec()))
        })
        .collect()
}

#[cfg(test)]
mod tests;
