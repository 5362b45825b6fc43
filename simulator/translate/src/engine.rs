//! What runs a simulated program.

/// The environment variable that selects the engine where the caller does not.
pub const VARIABLE: &str = "PENNYWEIGHT_ENGINE";

/// What runs a simulated program. The outcome does not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The interpreter.
    Interpreter,
    /// Translated code as soon as possible, for tests.
    Translator,
    /// The interpreter first, translated code for what runs often.
    #[default]
    Auto,
}

impl Engine {
    /// The engines with their names.
    const NAMES: [(&'static str, Engine); 3] =
        [("interpreter", Engine::Interpreter), ("translator", Engine::Translator), ("auto", Engine::Auto)];

    /// The engine of this name.
    ///
    /// # Errors
    /// No engine has this name: one sentence.
    pub fn of_name(name: &str) -> Result<Engine, String> {
        let found = Engine::NAMES.into_iter().find(|(each, _)| *each == name);
        found
            .map(|(_, engine)| engine)
            .ok_or_else(|| format!("there is no engine {name:?}; choose interpreter, translator or auto"))
    }

    /// The engine that the environment selects.
    ///
    /// # Errors
    /// The variable names none: one sentence.
    pub fn of_environment() -> Result<Engine, String> {
        let Some(name) = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()) else {
            return Ok(Engine::default());
        };
        Engine::of_name(&name.to_string_lossy()).map_err(|error| format!("{VARIABLE}: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::Engine;

    #[test]
    fn engines_have_names() {
        assert_eq!(Engine::of_name("auto"), Ok(Engine::Auto));
        let error = Engine::of_name("turbo").unwrap_err();
        assert!(error.contains("\"turbo\"") && error.contains("interpreter"), "{error}");
    }
}
