//! States field by field.

use std::borrow::Cow;
use std::fmt;

/// What is compared at a point of comparison. Two states are equal exactly if all their fields are.
pub trait State: Clone + PartialEq {
    /// All fields, by the names of the manual.
    fn fields(&mut self) -> Vec<Field<'_>>;
}

/// A part of a state.
#[derive(Debug)]
pub struct Field<'a> {
    /// Its name.
    pub name: Cow<'static, str>,
    /// What it holds.
    pub value: Value<'a>,
}

impl<'a> Field<'a> {
    /// A field that has a name.
    pub fn new(name: &'static str, value: impl Into<Value<'a>>) -> Self {
        Field { name: Cow::Borrowed(name), value: value.into() }
    }

    /// Registers `{prefix}0`, `{prefix}1`, and so on.
    pub fn numbered<T>(prefix: &'static str, values: &'a mut [T]) -> impl Iterator<Item = Field<'a>>
    where
        &'a mut T: Into<Value<'a>>,
    {
        values.iter_mut().enumerate().map(move |(number, value)| Field {
            name: Cow::Owned(format!("{prefix}{number}")),
            value: value.into(),
        })
    }
}

/// A number of a state, in its width.
#[derive(Debug)]
pub enum Value<'a> {
    /// 8 bits.
    Byte(&'a mut u8),
    /// 16 bits.
    Half(&'a mut u16),
    /// 32 bits.
    Word(&'a mut u32),
    /// 64 bits.
    Long(&'a mut u64),
}

macro_rules! from {
    ($($number:ty: $variant:ident),*) => {$(
        impl<'a> From<&'a mut $number> for Value<'a> {
            fn from(number: &'a mut $number) -> Self {
                Value::$variant(number)
            }
        }
    )*};
}

from! { u8: Byte, u16: Half, u32: Word, u64: Long }

impl Value<'_> {
    /// Changes one bit.
    pub fn falsify(&mut self, bit: u32) {
        match self {
            Value::Byte(number) => **number ^= 1 << (bit % 8),
            Value::Half(number) => **number ^= 1 << (bit % 16),
            Value::Word(number) => **number ^= 1 << (bit % 32),
            Value::Long(number) => **number ^= 1 << (bit % 64),
        }
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Byte(number) => write!(f, "{number:#04x}"),
            Value::Half(number) => write!(f, "{number:#06x}"),
            Value::Word(number) => write!(f, "{number:#010x}"),
            Value::Long(number) => write!(f, "{number:#x}"),
        }
    }
}

/// A field in which two states differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unequal {
    /// Its name.
    pub name: String,
    /// Its values: before the last instructions, in Pennyweight, in the peer.
    pub values: [String; 3],
}

/// The fields in which `ours` and `theirs` differ.
pub fn unequal<S: State>(before: Option<&S>, ours: &S, theirs: &S) -> Vec<Unequal> {
    let (mut ours, mut theirs) = (ours.clone(), theirs.clone());
    let mut before = before.cloned();
    let mut before = before.as_mut().map(State::fields).unwrap_or_default().into_iter();
    let pairs = ours.fields().into_iter().zip(theirs.fields());
    pairs
        .map(|(ours, theirs)| {
            let before = before.next().map_or("?".into(), |field| field.value.to_string());
            let values = [before, ours.value.to_string(), theirs.value.to_string()];
            Unequal { name: ours.name.into_owned(), values }
        })
        .filter(|field| field.values[1] != field.values[2])
        .collect()
}
