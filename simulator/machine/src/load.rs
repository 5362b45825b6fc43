//! Why a board with an image could not be set up.

use std::fmt;

use crate::board::BoardError;
use crate::image::ImageError;

/// One sentence: the board does not suit the core, or the image does not suit the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// The board asks for something that the core does not have.
    Board(BoardError),
    /// The image cannot run on the board.
    Image(ImageError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Board(error) => error.fmt(f),
            LoadError::Image(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

impl From<BoardError> for LoadError {
    fn from(error: BoardError) -> Self {
        LoadError::Board(error)
    }
}

impl From<ImageError> for LoadError {
    fn from(error: ImageError) -> Self {
        LoadError::Image(error)
    }
}
