//! AVRxt.
//!
//! Nothing is published for this core: that of AVRe is assumed.

use super::{avre, Model};

pub const NAME: &str = "avrxt";

pub const MODEL: Model = Model {
    neighbours: avre::MODEL.neighbours,
    source: "that of AVRe (K. Papagiannopoulos, N. Veshchikov, COSADE 2017), assumed",
};
