//! What can be wrong with an image.

use std::fmt;

use super::Architecture;

/// Why a file was refused: one sentence on what is wrong and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImageError {
    /// No ELF magic.
    NotElf,
    /// A 64-bit ELF file.
    Class,
    /// A big-endian ELF file.
    Endianness,
    /// Not a linked program: an object file, a core dump.
    NotLinked,
    /// `e_machine` of a machine that nothing here simulates.
    UnknownMachine(u16),
    /// The image is for another machine than the board's core.
    WrongMachine {
        /// What the image is for.
        found: Architecture,
        /// What the core executes.
        needed: Architecture,
    },
    /// The file ends before something that its headers promise.
    Truncated,
    /// Headers that contradict themselves.
    Malformed(String),
    /// A segment that no microcontroller could hold.
    TooLarge {
        /// Load address.
        address: u32,
        /// Bytes.
        size: u64,
    },
    /// Two segments claim the same bytes.
    Overlap {
        /// First address that both claim.
        address: u32,
    },
    /// Nothing to load.
    Empty,
    /// A segment outside the memory it should be in.
    OutsideFlash {
        /// Load address of the segment.
        address: u32,
        /// Bytes of the segment.
        size: u32,
        /// First address of the board's flash.
        base: u32,
        /// Bytes of the board's flash.
        flash: u32,
    },
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImageError::NotElf => f.write_str("the image is not an ELF file; give the file that the linker wrote"),
            ImageError::Class => f.write_str(
                "the image is a 64-bit ELF file; build it with the compiler of the microcontroller",
            ),
            ImageError::Endianness => f.write_str(
                "the image is a big-endian ELF file; build it for a little-endian microcontroller",
            ),
            ImageError::NotLinked => {
                f.write_str("the image is not a linked program; link it before loading it")
            }
            ImageError::UnknownMachine(machine) => write!(
                f,
                "the image is for ELF machine {machine}, which is not simulated; build it for the board's core"
            ),
            ImageError::WrongMachine { found, needed } => write!(
                f,
                "the image is for {found} but the board's core executes {needed}; build it with the board's compiler"
            ),
            ImageError::Truncated => {
                f.write_str("the image is cut short: its headers point past its end; link it again")
            }
            ImageError::Malformed(what) => {
                write!(f, "the image's headers are broken ({what}); link it again")
            }
            ImageError::TooLarge { address, size } => write!(
                f,
                "the image's segment at {address:#010x} has {size} bytes, more than any microcontroller holds; check the linker script"
            ),
            ImageError::Overlap { address } => write!(
                f,
                "two segments of the image overlap at {address:#010x}; check the load addresses in the linker script"
            ),
            ImageError::Empty => {
                f.write_str("the image has nothing to load; check that the linker kept the program")
            }
            ImageError::OutsideFlash { address, size, base, flash } => write!(
                f,
                "the image's {size} bytes at {address:#010x} do not lie in the board's flash ({flash} bytes at {base:#010x}); build a smaller program or choose a larger board"
            ),
        }
    }
}

impl std::error::Error for ImageError {}
