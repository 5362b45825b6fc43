//! The entry of a crate in the list of instruction sets, from which boards are made.

use crate::board::Board;
use crate::call::Machine;
use crate::core::CoreFile;
use crate::image::Image;
use crate::load::LoadError;

/// A simulated board.
pub type Simulated = Box<dyn Machine + Send + Sync>;

/// An instruction set, or several of one family.
#[derive(Clone, Copy, Debug)]
pub struct InstructionSet {
    /// The package that implements them.
    pub package: &'static str,
    /// Their names in core files.
    pub names: &'static [&'static str],
    /// Is the core's file right, as far as it can be known without a board?
    pub check_core: fn(&CoreFile) -> Result<(), LoadError>,
    /// Do programs reach the part's random number generator?
    pub random: bool,
    /// Can the board's core be on such a board?
    pub check_board: fn(&Board) -> Result<(), LoadError>,
}

/// Makes the board with an image loaded. Apart from [`InstructionSet`], since all of an interpreter is compiled
/// where a pointer to it is.
pub type Load = fn(&Board, &Image) -> Result<Simulated, LoadError>;
