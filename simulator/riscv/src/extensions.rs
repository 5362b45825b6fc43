//! Which extensions beyond RV32IMAC a part has.

/// The optional extensions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extensions {
    /// Zba: shift and add.
    pub zba: bool,
    /// Zbb: basic bit manipulation.
    pub zbb: bool,
    /// Zbkb: bit manipulation for cryptography.
    pub zbkb: bool,
}

impl Extensions {
    /// From the names in a board file.
    ///
    /// # Errors
    /// The first name that is none of `zba`, `zbb`, `zbkb`.
    pub fn from_names(names: &[String]) -> Result<Extensions, String> {
        let mut extensions = Extensions::default();
        for name in names {
            match name.as_str() {
                "zba" => extensions.zba = true,
                "zbb" => extensions.zbb = true,
                "zbkb" => extensions.zbkb = true,
                _ => return Err(name.clone()),
            }
        }
        Ok(extensions)
    }
}
