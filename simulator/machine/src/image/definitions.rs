//! What an object file, not linked yet, brings to the linker.

use object::elf;
use object::read::elf::{ElfFile32, FileHeader as _, Sym as _};
use object::LittleEndian;

/// The global and weak symbols that an object defines, in the order of its symbol table.
///
/// Empty for a file that is not a 32-bit little-endian ELF object or has no symbol table: one that
/// holds no machine code yet defines no known symbols.
#[must_use]
pub fn defined_symbols(file: &[u8]) -> Vec<String> {
    table(file).unwrap_or_default()
}

fn table(file: &[u8]) -> Option<Vec<String>> {
    let elf = ElfFile32::<LittleEndian>::parse(file).ok()?;
    let endian = elf.endian();
    let sections = elf.elf_header().sections(endian, file).ok()?;
    let symbols = sections.symbols(endian, file, elf::SHT_SYMTAB).ok()?;
    let defined = symbols
        .iter()
        .filter(|symbol| symbol.st_bind() != elf::STB_LOCAL && symbol.st_shndx(endian) != elf::SHN_UNDEF);
    Some(
        defined
            .filter_map(|symbol| symbol.name(endian, symbols.strings()).ok())
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::defined_symbols;

    const LINES: &[u8] = include_bytes!("../../tests/data/lines.elf");

    #[test]
    fn global_definitions_only() {
        let found = defined_symbols(LINES);
        for name in ["add_three", "after", "counter", "main"] {
            assert_eq!(found.iter().filter(|found| *found == name).count(), 1, "{name}");
        }
        assert!(!found.iter().any(|name| name.is_empty() || name == "lines.c"), "{found:?}");
    }

    #[test]
    fn no_object_defines_nothing() {
        assert!(defined_symbols(b"").is_empty());
        assert!(defined_symbols(b"\x7fELF").is_empty());
        for end in 0..LINES.len() {
            let whole = defined_symbols(LINES);
            let part = defined_symbols(&LINES[..end]);
            assert!(part.iter().all(|name| whole.contains(name)), "cut at {end}");
        }
    }
}
