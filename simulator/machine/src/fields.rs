//! Reading the fields of a TOML table with messages that name file, table, field and remedy.

use std::collections::BTreeMap;

use toml::{Table, Value};

use crate::board::BoardError;

/// The table that a file is.
///
/// # Errors
/// It is not TOML.
pub(crate) fn table(text: &str, source: &str) -> Result<Table, BoardError> {
    text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(1, |span| {
            let before = text.as_bytes().get(..span.start).unwrap_or_default();
            1 + before.iter().filter(|&&byte| byte == b'\n').count()
        });
        let what = error.message().replace('\n', ", ");
        BoardError(format!("{source}: line {line} is not TOML ({what}); correct it"))
    })
}

/// A table being read: what it is called in messages, and which fields were asked for.
pub(crate) struct Fields<'a> {
    source: &'a str,
    /// "[core]", "[[memory]] flash"; empty at the top of the file.
    place: String,
    table: &'a Table,
    known: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(source: &'a str, place: String, table: &'a Table) -> Self {
        Fields { source, place, table, known: Vec::new() }
    }

    /// "file: place: field `problem`".
    pub(crate) fn error(&self, field: &str, problem: &str) -> BoardError {
        let (source, place) = (self.source, &self.place);
        let gap = if place.is_empty() { "" } else { ": " };
        BoardError(format!("{source}: {place}{gap}{field} {problem}"))
    }

    /// The field as it stands; none of the checks below.
    pub(crate) fn value(&self, field: &str) -> Option<&'a Value> {
        self.table.get(field)
    }

    fn required(&mut self, field: &'static str, meaning: &str) -> Result<&'a Value, BoardError> {
        self.known.push(field);
        self.table.get(field).ok_or_else(|| self.error(field, &format!("is missing; add it: {meaning}")))
    }

    /// A text that is not empty.
    pub(crate) fn text(&mut self, field: &'static str, meaning: &str) -> Result<String, BoardError> {
        match self.required(field, meaning)? {
            Value::String(text) if !text.trim().is_empty() => Ok(text.clone()),
            _ => Err(self.error(field, &format!("must be a text: {meaning}"))),
        }
    }

    /// A list of texts; empty if the field is not there.
    pub(crate) fn optional_texts(
        &mut self,
        field: &'static str,
        meaning: &str,
    ) -> Result<Vec<String>, BoardError> {
        self.known.push(field);
        let refuse = || self.error(field, &format!("must be {meaning}"));
        match self.table.get(field) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => {
                items.iter().map(|item| item.as_str().map(str::to_string).ok_or_else(refuse)).collect()
            }
            Some(_) => Err(refuse()),
        }
    }

    /// An integer from `least` to `most`.
    pub(crate) fn integer(
        &mut self,
        field: &'static str,
        least: i64,
        most: i64,
        meaning: &str,
    ) -> Result<i64, BoardError> {
        match self.required(field, meaning)? {
            Value::Integer(value) if (least..=most).contains(value) => Ok(*value),
            Value::Integer(value) => {
                Err(self.error(field, &format!("is {value}; give {meaning}, from {least} to {most}")))
            }
            _ => Err(self.error(field, &format!("must be a whole number: {meaning}"))),
        }
    }

    /// As `integer`, for fields that fit 32 bits.
    pub(crate) fn word(
        &mut self,
        field: &'static str,
        least: u32,
        most: u32,
        meaning: &str,
    ) -> Result<u32, BoardError> {
        let value = self.integer(field, least.into(), most.into(), meaning)?;
        Ok(u32::try_from(value).unwrap_or(most))
    }

    /// As `word`, for fields that need not be there.
    pub(crate) fn optional_word(
        &mut self,
        field: &'static str,
        least: u32,
        most: u32,
        meaning: &str,
    ) -> Result<Option<u32>, BoardError> {
        if self.value(field).is_none() {
            self.known.push(field);
            return Ok(None);
        }
        self.word(field, least, most, meaning).map(Some)
    }

    /// A power of two from `least` to `most`; 0 too, where that is the least.
    pub(crate) fn power_of_two(
        &mut self,
        field: &'static str,
        least: u32,
        most: u32,
        meaning: &str,
    ) -> Result<u32, BoardError> {
        let value = self.word(field, least, most, meaning)?;
        if value.is_power_of_two() || value == 0 {
            Ok(value)
        } else {
            Err(self.error(field, &format!("is {value}; give {meaning}, a power of two")))
        }
    }

    /// A text that need not be there.
    pub(crate) fn optional_text(
        &mut self,
        field: &'static str,
        meaning: &str,
    ) -> Result<Option<String>, BoardError> {
        if self.value(field).is_none() {
            self.known.push(field);
            return Ok(None);
        }
        self.text(field, meaning).map(Some)
    }

    /// Whether a field is true; false if it is not there.
    pub(crate) fn optional_flag(&mut self, field: &'static str, meaning: &str) -> Result<bool, BoardError> {
        self.known.push(field);
        match self.table.get(field) {
            None => Ok(false),
            Some(Value::Boolean(value)) => Ok(*value),
            Some(_) => Err(self.error(field, &format!("must be true or false: {meaning}"))),
        }
    }

    /// All fields that were not asked for, which must be integers.
    pub(crate) fn integers(self, meaning: &str) -> Result<BTreeMap<String, i64>, BoardError> {
        let rest = self.table.iter().filter(|(key, _)| !self.known.contains(&key.as_str()));
        rest.map(|(key, value)| match value {
            Value::Integer(value) => Ok((key.clone(), *value)),
            _ => Err(self.error(key, &format!("must be {meaning}"))),
        })
        .collect()
    }

    /// A table inside this one.
    pub(crate) fn table(&mut self, field: &'static str, meaning: &str) -> Result<Fields<'a>, BoardError> {
        let inner = match self.required(field, meaning)? {
            Value::Table(inner) => inner,
            _ => return Err(self.error(field, &format!("must be {meaning}"))),
        };
        let place =
            if self.place.is_empty() { format!("[{field}]") } else { format!("{}: {field}", self.place) };
        Ok(Fields::new(self.source, place, inner))
    }

    /// Rejects fields that were never read.
    pub(crate) fn finish(self) -> Result<(), BoardError> {
        match self.table.keys().find(|key| !self.known.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => Err(self.error(
                key,
                &format!("is unknown; remove it or correct it to one of {}", self.known.join(", ")),
            )),
        }
    }
}
