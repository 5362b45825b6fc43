//! A core's file: instruction set, extensions, calling convention, and a timing model with its numbers.
//!
//! A core file is TOML. Tables that the simulator does not know (`[compiler]`, ...) and other fields at
//! the top belong to others and are not read here; inside `[timing]` a field that the model does not have
//! is an error.

use std::collections::BTreeMap;

use toml::Table;

use crate::board::BoardError;
use crate::fields::{table, Fields};

/// What the simulator needs to know of a core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreFile {
    /// Its name, as in board files.
    pub name: String,
    /// The file's name in messages.
    pub source: String,
    /// The instruction set without extensions.
    pub instruction_set: String,
    /// Width of its registers.
    pub bits: u32,
    /// The calling convention.
    pub abi: String,
    /// Extensions of the instruction set that every part with this core has.
    pub extensions: Vec<String>,
    /// Optional ones, which a part has if the file of its board lists them.
    pub optional: Vec<String>,
    /// The timing model's name.
    pub timing: String,
    /// The model's numbers, where the file gives them.
    parameters: BTreeMap<String, i64>,
}

impl CoreFile {
    /// Reads the text of a core file. `source` is its name in messages.
    ///
    /// # Errors
    /// The first thing that is missing or absurd. Whether there is such an instruction set or model is
    /// not known here.
    pub fn from_toml(text: &str, source: &str) -> Result<CoreFile, BoardError> {
        let file: Table = table(text, source)?;
        // At the top other fields belong to others: `finish` is not called on it.
        let mut top = Fields::new(source, String::new(), &file);
        let name = top.text("name", "the core's name in board files")?;
        let instruction_set = top.text("instruction_set", "such as \"armv6-m\"")?;
        let bits = top.word("bits", 8, 64, "the width of the core's registers")?;
        let endianness = top.text("endianness", "\"little\"")?;
        if endianness != "little" {
            let what = format!("is {endianness:?}, which no simulator has; write \"little\"");
            return Err(top.error("endianness", &what));
        }
        let abi = top.text("abi", "the calling convention, such as \"aapcs\"")?;
        let extensions = top.optional_texts("extensions", "a list of names, such as [\"m\", \"c\"]")?;
        let optional = top.optional_texts("optional", "a list of names, such as [\"zbb\"]")?;
        if let Some(twice) = optional.iter().find(|each| extensions.contains(each)) {
            let what = format!("has {twice:?}, which is in extensions too; remove it from one");
            return Err(top.error("optional", &what));
        }
        let mut timing = top.table("timing", "a table with the field model")?;
        let model = timing.text("model", "the timing model's name")?;
        let parameters = timing.integers("a whole number")?;
        Ok(CoreFile {
            name,
            source: source.to_owned(),
            instruction_set,
            bits,
            abi,
            extensions,
            optional,
            timing: model,
            parameters,
        })
    }

    /// The error that `field` of the core's file is not as it must be: "file: field `problem`".
    #[must_use]
    pub fn error(&self, field: &str, problem: &str) -> BoardError {
        BoardError(format!("{}: {field} {problem}", self.source))
    }

    /// The value that the file gives `field`, if it is one of `known`.
    ///
    /// # Errors
    /// It is not.
    pub fn one_of<'a>(&self, field: &str, value: &str, known: &[&'a str]) -> Result<&'a str, BoardError> {
        known.iter().copied().find(|each| *each == value).ok_or_else(|| {
            let what = match known {
                [] => format!("is {value:?}, but there is none; remove it"),
                _ => format!("is {value:?}; correct it to {}", alternatives(known)),
            };
            self.error(field, &what)
        })
    }

    /// Checks the width.
    ///
    /// # Errors
    /// The instruction set has another.
    pub fn check_bits(&self, bits: u32) -> Result<(), BoardError> {
        if self.bits == bits {
            return Ok(());
        }
        let (found, set) = (self.bits, &self.instruction_set);
        Err(self
            .error("bits", &format!("is {found}, but {set} has registers of {bits}; write bits = {bits}")))
    }

    /// Checks that the instruction set has the extensions of the file.
    ///
    /// # Errors
    /// One is not in `known`.
    pub fn check_extensions(&self, known: &[&str]) -> Result<(), BoardError> {
        for (field, names) in [("extensions", &self.extensions), ("optional", &self.optional)] {
            if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
                let set = &self.instruction_set;
                let what = match known {
                    [] => format!("has {name:?}, but the instruction set {set} has no extensions; remove it"),
                    _ => format!(
                        "has {name:?}, which is no extension of {set}; correct it to {}",
                        alternatives(known)
                    ),
                };
                return Err(self.error(field, &what));
            }
        }
        Ok(())
    }

    /// The numbers of the timing model, to be asked for one by one.
    #[must_use]
    pub fn parameters(&self) -> Parameters<'_> {
        Parameters { core: self, known: Vec::new() }
    }
}

/// `"a", "b" or "c"`.
pub(crate) fn alternatives(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// The numbers of a timing model: what was asked for is known, all else is refused at the end.
#[derive(Debug)]
pub struct Parameters<'a> {
    core: &'a CoreFile,
    known: Vec<&'static str>,
}

impl Parameters<'_> {
    /// A number from `least` to `most`; `default` unless the file gives it.
    ///
    /// # Errors
    /// It is out of this range.
    pub fn number(
        &mut self,
        name: &'static str,
        default: u32,
        (least, most): (u32, u32),
        meaning: &str,
    ) -> Result<u32, BoardError> {
        self.known.push(name);
        let Some(&given) = self.core.parameters.get(name) else { return Ok(default) };
        match u32::try_from(given) {
            Ok(number) if (least..=most).contains(&number) => Ok(number),
            _ => Err(self.core.error(
                &format!("[timing]: {name}"),
                &format!("is {given}; give {meaning}, from {least} to {most}"),
            )),
        }
    }

    /// One of some numbers; `default` unless the file gives it.
    ///
    /// # Errors
    /// It is another.
    pub fn choice(
        &mut self,
        name: &'static str,
        default: u32,
        choices: &[u32],
        meaning: &str,
    ) -> Result<u32, BoardError> {
        self.known.push(name);
        let Some(&given) = self.core.parameters.get(name) else { return Ok(default) };
        choices.iter().copied().find(|&choice| i64::from(choice) == given).ok_or_else(|| {
            let written: Vec<String> = choices.iter().map(u32::to_string).collect();
            let what = format!("is {given}; give {meaning}, {}", written.join(" or "));
            self.core.error(&format!("[timing]: {name}"), &what)
        })
    }

    /// Rejects parameters that were never read.
    ///
    /// # Errors
    /// There is one.
    pub fn finish(self) -> Result<(), BoardError> {
        match self.core.parameters.keys().find(|key| !self.known.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => {
                let known: Vec<&str> = ["model"].into_iter().chain(self.known).collect();
                let what = format!("is unknown; remove it or correct it to {}", alternatives(&known));
                Err(self.core.error(&format!("[timing]: {key}"), &what))
            }
        }
    }
}

#[cfg(test)]
mod tests;
