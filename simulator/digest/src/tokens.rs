//! The code of a module.
//!
//! Excluded are comments (the lexer drops them), documentation and lint attributes, items under
//! `#[cfg(test)]`, `#[cfg(feature = "effects")]`, `#[cfg(feature = "leakage")]` and
//! `#[cfg(feature = "translator")]`, and with them the files of such modules, and texts with a blank: they
//! are sentences for the user, whereas names of fields, models and registers have none. Files that are
//! included as text or bytes count as a whole.

use std::collections::BTreeMap;
use std::fs;
use std::iter::Peekable;
use std::path::{Path, PathBuf};

use proc_macro2::token_stream::IntoIter;
use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

use crate::{read, Digest};

/// Attributes that do not affect the compiled code.
const SILENT: [&str; 7] = ["doc", "allow", "expect", "warn", "deny", "forbid", "must_use"];

/// Conditions of items that no measurement depends on.
const EXCLUDED: [&str; 4] =
    ["(test)", "(feature=\"effects\")", "(feature=\"leakage\")", "(feature=\"translator\")"];

type Tokens = Peekable<IntoIter>;

/// Reads modules and adds the digest of each file's code to `contents`.
#[derive(Debug)]
pub struct Reader<'a> {
    /// By path.
    pub contents: &'a mut BTreeMap<PathBuf, Digest>,
}

/// Where tokens come from.
struct Place<'a> {
    file: &'a Path,
    /// The folder of the files of modules that are declared here.
    children: &'a Path,
}

impl Reader<'_> {
    /// Reads the module in `file`, whose own modules lie in `children`, and these.
    ///
    /// # Errors
    /// A file cannot be read, is not Rust, or has an attribute or an inclusion that is not supported.
    pub fn module(&mut self, file: &Path, children: &Path) -> Result<(), String> {
        let stream: TokenStream =
            read(file)?.parse().map_err(|error| format!("{}: {error}", file.display()))?;
        let mut digest = Digest::default();
        self.stream(stream, &Place { file, children }, &mut digest)?;
        self.contents.insert(file.to_owned(), digest);
        Ok(())
    }

    fn stream(&mut self, stream: TokenStream, place: &Place<'_>, digest: &mut Digest) -> Result<(), String> {
        let mut tokens = stream.into_iter().peekable();
        while let Some(token) = tokens.next() {
            if is_punct(&token, '#') {
                if let Some(attribute) = attribute(&mut tokens) {
                    self.attribute(&attribute, &mut tokens, place, digest)?;
                    continue;
                }
            }
            self.token(token, &mut tokens, place, digest)?;
        }
        Ok(())
    }

    fn attribute(
        &mut self,
        attribute: &Group,
        tokens: &mut Tokens,
        place: &Place<'_>,
        digest: &mut Digest,
    ) -> Result<(), String> {
        let mut inside = attribute.stream().into_iter();
        let name = inside.next().map(|token| token.to_string()).unwrap_or_default();
        if SILENT.contains(&name.as_str()) {
            return Ok(());
        }
        if name == "path" {
            return Err(format!(
                "{}: #[path] is not supported; name the file after the module",
                shown(place)
            ));
        }
        let condition = inside.next().map(|token| token.to_string()).unwrap_or_default();
        let condition: String = condition.split_whitespace().collect();
        if name == "cfg" && EXCLUDED.contains(&condition.as_str()) {
            return skip_item(tokens)
                .ok_or(format!("{}: the item under #[cfg{condition}] has no end", shown(place)));
        }
        digest.add(b"#");
        self.group(attribute, place, digest)
    }

    fn token(
        &mut self,
        token: TokenTree,
        tokens: &mut Tokens,
        place: &Place<'_>,
        digest: &mut Digest,
    ) -> Result<(), String> {
        match token {
            TokenTree::Group(group) => self.group(&group, place, digest)?,
            TokenTree::Punct(punct) => {
                // Some operators consist of several.
                let joint = u8::from(punct.spacing() == Spacing::Joint);
                digest.add(&[punct.as_char() as u8, joint]);
            }
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                digest.add(if is_sentence(&text) { b"\"\"" } else { text.as_bytes() });
            }
            TokenTree::Ident(ident) => {
                let word = ident.to_string();
                digest.add(word.as_bytes());
                match word.as_str() {
                    "mod" => self.declared(tokens, place, digest)?,
                    "include_str" | "include_bytes" | "include" => self.included(tokens, place)?,
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn group(&mut self, group: &Group, place: &Place<'_>, digest: &mut Digest) -> Result<(), String> {
        let (open, close): (&[u8], &[u8]) = match group.delimiter() {
            Delimiter::Parenthesis => (b"(", b")"),
            Delimiter::Brace => (b"{", b"}"),
            Delimiter::Bracket => (b"[", b"]"),
            Delimiter::None => (b"", b""),
        };
        digest.add(open);
        self.stream(group.stream(), place, digest)?;
        digest.add(close);
        Ok(())
    }

    /// After `mod`: the module's name and its contents, there or in a file of their own.
    fn declared(
        &mut self,
        tokens: &mut Tokens,
        place: &Place<'_>,
        digest: &mut Digest,
    ) -> Result<(), String> {
        let Some(TokenTree::Ident(name)) = tokens.next_if(|token| matches!(token, TokenTree::Ident(_)))
        else {
            return Ok(());
        };
        let name = name.to_string();
        digest.add(name.as_bytes());
        let children = place.children.join(&name);
        match tokens.peek() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let group = group.clone();
                tokens.next();
                self.group(&group, &Place { file: place.file, children: &children }, digest)
            }
            Some(token) if is_punct(token, ';') => {
                let file = place.children.join(format!("{name}.rs"));
                let file = if file.is_file() { file } else { children.join("mod.rs") };
                self.module(&file, &children)
            }
            _ => Ok(()),
        }
    }

    /// After `include_str` and its like: the file.
    fn included(&mut self, tokens: &mut Tokens, place: &Place<'_>) -> Result<(), String> {
        if tokens.peek().is_none_or(|token| !is_punct(token, '!')) {
            return Ok(()); // an ordinary name
        }
        let mut ahead = tokens.clone();
        ahead.next();
        let argument = match ahead.next() {
            Some(TokenTree::Group(group)) => group.stream().to_string(),
            _ => String::new(),
        };
        let name = argument.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let (Some(name), Some(folder)) =
            (name.filter(|name| !name.contains(['"', '\\'])), place.file.parent())
        else {
            return Err(format!("{}: only a plain string can be included, not {argument}", shown(place)));
        };
        let path = folder.join(name);
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut digest = Digest::default();
        digest.add(&bytes);
        self.contents.insert(path, digest);
        Ok(())
    }
}

fn is_sentence(literal: &str) -> bool {
    literal.starts_with('"') && literal.contains(' ')
}

fn shown(place: &Place<'_>) -> String {
    place.file.display().to_string()
}

fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

/// After `#`: the attribute's brackets, if it is one.
fn attribute(tokens: &mut Tokens) -> Option<Group> {
    let is_bracket =
        |token: &TokenTree| matches!(token, TokenTree::Group(g) if g.delimiter() == Delimiter::Bracket);
    let mut ahead = tokens.clone();
    if ahead.peek().is_some_and(|token| is_punct(token, '!')) {
        ahead.next();
    }
    match ahead.next() {
        Some(token) if is_bracket(&token) => {
            *tokens = ahead;
            match token {
                TokenTree::Group(group) => Some(group),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Skips an item: other attributes, then everything up to its braces or its semicolon. `use` and items
/// with a value may have braces before the semicolon. A field ends with its comma or what it is in. `None` if
/// the item does not end.
fn skip_item(tokens: &mut Tokens) -> Option<()> {
    if is_field(tokens.clone()) {
        skip_field(tokens);
        return Some(());
    }
    let mut to_semicolon = None;
    while let Some(token) = tokens.next() {
        match token {
            // The first word but the visibility decides; a later `const` is a generic parameter's.
            TokenTree::Ident(word) if to_semicolon.is_none() && word != "pub" => {
                let has_value = ["use", "const", "static", "let"].iter().any(|known| word == known);
                let is_function = tokens.peek().is_some_and(|next| {
                    ["async", "unsafe", "extern", "fn"].contains(&next.to_string().as_str())
                });
                to_semicolon = Some(has_value && !is_function);
            }
            TokenTree::Punct(punct) if punct.as_char() == ';' => return Some(()),
            TokenTree::Group(group)
                if group.delimiter() == Delimiter::Brace && to_semicolon != Some(true) =>
            {
                return Some(());
            }
            _ => {}
        }
    }
    None
}

/// Is it a field of a structure, in its definition or in a value: a name and a colon?
fn is_field(mut tokens: Tokens) -> bool {
    let is_word = |token: &TokenTree| matches!(token, TokenTree::Ident(_));
    if tokens.next_if(|token| token.to_string() == "pub").is_some() {
        tokens.next_if(|token| matches!(token, TokenTree::Group(_)));
    }
    let is_colon = |token: TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':' && punct.spacing() == Spacing::Alone);
    tokens.next_if(is_word).is_some() && tokens.next().is_some_and(is_colon)
}

/// Skips a field up to the comma behind it, which is not one between parameters of types.
fn skip_field(tokens: &mut Tokens) {
    let (mut depth, mut arrow) = (0, false);
    for token in tokens.by_ref() {
        let TokenTree::Punct(punct) = token else { continue };
        match punct.as_char() {
            '<' => depth += 1,
            '>' if !arrow => depth -= 1,
            ',' if depth == 0 => return,
            _ => {}
        }
        arrow = punct.as_char() == '-';
    }
}
