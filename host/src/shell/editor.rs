//! Where lines come from: an editor with history and completion on a terminal, plain lines otherwise.

use super::grammar::COMMANDS;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{Context, Editor, Helper, Highlighter, Hinter, Validator};
use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;

/// The prompt.
const PROMPT: &str = "> ";

/// A source of lines.
pub(super) enum Lines {
    /// A person types.
    Terminal(Box<Editor<Words, DefaultHistory>>, Option<PathBuf>),
    /// A script is piped in.
    Piped(std::io::StdinLock<'static>),
}

impl Lines {
    /// An editor if both ends are terminals, else plain lines.
    pub(super) fn new() -> Lines {
        if !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
            return Lines::Piped(std::io::stdin().lock());
        }
        let Ok(mut editor) = Editor::<Words, DefaultHistory>::new() else {
            return Lines::Piped(std::io::stdin().lock());
        };
        editor.set_helper(Some(Words));
        let history = history_file();
        if let Some(file) = &history {
            // The first shell of a user has no history.
            let _ = editor.load_history(file);
        }
        Lines::Terminal(Box::new(editor), history)
    }

    /// The next line after a prompt; `None` at the end of input.
    ///
    /// # Errors
    /// The terminal or pipe cannot be read.
    pub(super) fn next(&mut self) -> std::io::Result<Option<String>> {
        match self {
            Lines::Terminal(editor, _) => loop {
                match editor.readline(PROMPT) {
                    Ok(line) => {
                        let _ = editor.add_history_entry(&line);
                        return Ok(Some(line));
                    }
                    // Ctrl-C drops the line, as in every shell.
                    Err(ReadlineError::Interrupted) => {}
                    Err(ReadlineError::Eof) => return Ok(None),
                    Err(error) => return Err(std::io::Error::other(error)),
                }
            },
            Lines::Piped(stdin) => {
                let mut out = std::io::stdout();
                out.write_all(PROMPT.as_bytes())?;
                out.flush()?;
                let mut bytes = Vec::new();
                if stdin.read_until(b'\n', &mut bytes)? == 0 {
                    return Ok(None);
                }
                let line = String::from_utf8_lossy(&bytes);
                Ok(Some(line.trim_end_matches(['\n', '\r']).to_owned()))
            }
        }
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        if let Lines::Terminal(editor, Some(file)) = self {
            if let Some(folder) = file.parent() {
                let _ = std::fs::create_dir_all(folder);
            }
            // A history that cannot be kept is no failure of the shell.
            let _ = editor.save_history(file);
        }
    }
}

fn history_file() -> Option<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let state =
        state.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state")));
    state.map(|folder| folder.join("ycsb-host/shell_history"))
}

/// Completes the first word of a line.
#[derive(Helper, Hinter, Highlighter, Validator)]
pub(super) struct Words;

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = &line[..at];
        if typed.contains(' ') {
            return Ok((at, Vec::new()));
        }
        let fitting = COMMANDS.iter().filter(|(name, _, _)| name.starts_with(typed));
        Ok((
            0,
            fitting
                .map(|(name, form, _)| format!("{name}{}", if form.is_empty() { "" } else { " " }))
                .collect(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_is_completed_and_followed_by_a_blank_where_more_comes() {
        let history = DefaultHistory::new();
        let context = Context::new(&history);
        let completed = |line: &str| Words.complete(line, line.len(), &context).unwrap();
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(completed("re"), (0, words(&["read "])));
        assert_eq!(completed("qu"), (0, words(&["quit"])));
        assert_eq!(completed("").1.len(), COMMANDS.len());
        assert_eq!(completed("nothing"), (0, words(&[])));
        assert_eq!(completed("read us"), (7, words(&[])));
    }
}
