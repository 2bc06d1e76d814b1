//! A progress bar for people, on a terminal that shows no status lines.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// A progress bar on standard error. On anything but a terminal nothing is drawn.
#[derive(Debug)]
pub struct ProgressDisplay {
    bar: ProgressBar,
}

impl ProgressDisplay {
    /// A bar for a phase (`load`, `run`) of so many operations; 0 = not known, then a spinner.
    pub fn new(phase: &str, operations: u64) -> Self {
        let target = if std::io::stderr().is_terminal() {
            ProgressDrawTarget::stderr_with_hz(5)
        } else {
            ProgressDrawTarget::hidden()
        };
        ProgressDisplay::on(target, phase, operations)
    }

    fn on(target: ProgressDrawTarget, phase: &str, operations: u64) -> Self {
        let (length, template) = if operations > 0 {
            (Some(operations), "{prefix} {wide_bar} {human_pos}/{human_len} {msg} {eta}")
        } else {
            (None, "{prefix} {spinner} {human_pos} operations {msg} {elapsed}")
        };
        let bar = ProgressBar::with_draw_target(length, target).with_prefix(phase.to_owned());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        ProgressDisplay { bar }
    }

    /// Whether anything is drawn.
    pub fn is_shown(&self) -> bool {
        !self.bar.is_hidden()
    }

    /// Shows operations done so far, the current rate of successful ones, and how many failed.
    pub fn update(&self, done: u64, rate_per_sec: f64, failed: u64) {
        let failures = if failed > 0 { format!(", {failed} failed") } else { String::new() };
        self.bar.set_message(format!("{rate_per_sec:.0}/s{failures}"));
        self.bar.set_position(done);
    }

    /// Removes the bar, so that what follows stands on clean lines.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;
    use std::io;
    use std::sync::{Arc, Mutex};

    /// A terminal that keeps what is written.
    #[derive(Clone, Debug, Default)]
    struct Paper(Arc<Mutex<String>>);

    impl TermLike for Paper {
        fn width(&self) -> u16 {
            100
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, line: &str) -> io::Result<()> {
            self.write_str(line)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            self.0.lock().unwrap().clear();
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn drawn(operations: u64, failed: u64) -> String {
        let paper = Paper::default();
        let target = ProgressDrawTarget::term_like(Box::new(paper.clone()));
        let display = ProgressDisplay::on(target, "load", operations);
        display.update(250, 1234.4, failed);
        display.bar.force_draw();
        let shown = paper.0.lock().unwrap().clone();
        display.clear();
        assert_eq!(paper.0.lock().unwrap().trim(), "", "cleared");
        shown
    }

    #[test]
    fn a_bar_shows_phase_progress_rate_and_failures() {
        let shown = drawn(1_000, 3);
        assert!(shown.contains("load ") && shown.contains("250/1,000 1234/s, 3 failed"), "{shown}");
    }

    #[test]
    fn an_unlimited_run_shows_what_was_done() {
        let shown = drawn(0, 0);
        assert!(shown.contains("250 operations 1234/s"), "{shown}");
    }

    #[test]
    fn nothing_is_drawn_where_there_is_no_terminal() {
        assert!(!ProgressDisplay::on(ProgressDrawTarget::hidden(), "run", 10).is_shown());
    }
}
