//! How the text of a value becomes a number, a word, a duration. Each function answers with a value or with
//! the part of a sentence that says what is wrong: `must be 1 or more`.

use super::Declaration;
use super::nearest::nearest;
use crate::base::units::{parse_bytes, parse_duration_ns};

/// How a value is read: the type, or what is wrong with the text.
pub(super) type Parse<T> = fn(&Declaration, &str) -> Result<T, String>;

pub(super) fn parse_text(_: &Declaration, value: &str) -> Result<String, String> {
    Ok(value.to_owned())
}

pub(super) fn parse_i64(declaration: &Declaration, value: &str) -> Result<i64, String> {
    let text = value.trim();
    let number: i64 = text.parse().map_err(|_| no_integer(text))?;
    let (low, high) = ends(declaration.allowed);
    let below = low.is_some_and(|low| low.parse::<i64>().is_ok_and(|low| number < low));
    let above = high.is_some_and(|high| high.parse::<i64>().is_ok_and(|high| number > high));
    in_range(number, below || above, declaration.allowed)
}

pub(super) fn parse_u64(declaration: &Declaration, value: &str) -> Result<u64, String> {
    let number = parse_i64(declaration, value)?;
    u64::try_from(number).map_err(|_| "must be 0 or more".to_owned())
}

pub(super) fn parse_number(declaration: &Declaration, value: &str) -> Result<f64, String> {
    let text = value.trim();
    // Java's parser takes a type letter at the end: 0.5f, 2d.
    let bare = text
        .strip_suffix(['d', 'D', 'f', 'F'])
        .filter(|bare| bare.ends_with(|c: char| c.is_ascii_digit() || c == '.'))
        .unwrap_or(text);
    let number: f64 = bare.parse().map_err(|_| no_number(text))?;
    if !number.is_finite() {
        return Err("must be a finite number".to_owned());
    }
    let (low, high) = ends(declaration.allowed);
    let below = low.is_some_and(|low| low.parse::<f64>().is_ok_and(|low| number < low));
    let above = high.is_some_and(|high| high.parse::<f64>().is_ok_and(|high| number > high));
    in_range(number, below || above, declaration.allowed)
}

pub(super) fn parse_bool(_: &Declaration, value: &str) -> Result<bool, String> {
    let text = value.trim();
    if text.eq_ignore_ascii_case("true") {
        Ok(true)
    } else if text.eq_ignore_ascii_case("false") {
        Ok(false)
    } else {
        Err(trailing_comment(text, |word| word == "true" || word == "false")
            .unwrap_or_else(|| "must be true or false".to_owned()))
    }
}

pub(super) fn parse_duration(declaration: &Declaration, value: &str) -> Result<u64, String> {
    let bare_unit_ns = declaration.bare_unit_ns;
    let duration_ns = parse_duration_ns(value, bare_unit_ns).map_err(|reason| {
        trailing_comment(value, |word| parse_duration_ns(word, bare_unit_ns).is_ok()).unwrap_or(reason)
    })?;
    let end_ns = |end: &str| parse_duration_ns(end, bare_unit_ns).ok();
    let (low, high) = ends(declaration.allowed);
    let below = low.and_then(end_ns).is_some_and(|low_ns| duration_ns < low_ns);
    let above = high.and_then(end_ns).is_some_and(|high_ns| duration_ns > high_ns);
    in_range(duration_ns, below || above, declaration.allowed)
}

pub(super) fn parse_byte_count(declaration: &Declaration, value: &str) -> Result<u64, String> {
    let bytes = parse_bytes(value)
        .map_err(|reason| trailing_comment(value, |word| parse_bytes(word).is_ok()).unwrap_or(reason))?;
    let (low, high) = ends(declaration.allowed);
    let below = low.and_then(|low| parse_bytes(low).ok()).is_some_and(|low| bytes < low);
    let above = high.and_then(|high| parse_bytes(high).ok()).is_some_and(|high| bytes > high);
    in_range(bytes, below || above, declaration.allowed)
}

pub(super) fn parse_one_of(declaration: &Declaration, value: &str) -> Result<&'static str, String> {
    let text = value.trim();
    let mut words = declaration.allowed.split('|');
    if let Some(word) = words.clone().find(|word| *word == text) {
        return Ok(word);
    }
    if let Some(reason) = trailing_comment(text, |first| words.any(|word| word == first)) {
        return Err(reason);
    }
    let listed = declaration.allowed.replace('|', ", ");
    let near = nearest(text, declaration.allowed.split('|'));
    let hint = near.first().map(|word| format!(" (did you mean \"{word}\"?)")).unwrap_or_default();
    Err(format!("must be one of {listed}{hint}"))
}

/// The ends of a range `low..high`; no range has no ends.
fn ends(range: &'static str) -> (Option<&'static str>, Option<&'static str>) {
    let (low, high) = range.split_once("..").unwrap_or(("", ""));
    let end = |text: &'static str| Some(text.trim()).filter(|text| !text.is_empty());
    (end(low), end(high))
}

fn in_range<T>(value: T, outside: bool, range: &'static str) -> Result<T, String> {
    if !outside {
        return Ok(value);
    }
    Err(match ends(range) {
        (Some(low), Some(high)) => format!("must be between {low} and {high}"),
        (Some(low), None) => format!("must be {low} or more"),
        (None, Some(high)) => format!("must be {high} or less"),
        (None, None) => "is out of range".to_owned(),
    })
}

fn no_integer(text: &str) -> String {
    if text.is_empty() {
        return "is empty where a whole number is expected".to_owned();
    }
    if let Some(reason) = trailing_comment(text, |word| word.parse::<i64>().is_ok()) {
        return reason;
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return "does not fit into a whole number of 64 bits".to_owned();
    }
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number.fract() == 0.0 && number.abs() < 9e15 => {
            format!("must be written as a whole number: {number:.0}")
        }
        Ok(number) if number.is_finite() => "must be a whole number without a fraction".to_owned(),
        _ => "is not a whole number".to_owned(),
    }
}

fn no_number(text: &str) -> String {
    if text.is_empty() {
        return "is empty where a number is expected".to_owned();
    }
    trailing_comment(text, |word| word.parse::<f64>().is_ok()).unwrap_or_else(|| {
        let pointed = text.replacen(',', ".", 1);
        if pointed != text && pointed.parse::<f64>().is_ok() {
            format!("must be written with a decimal point: {pointed}")
        } else {
            "is not a number".to_owned()
        }
    })
}

/// The reason if the value is a good word with a comment behind it.
fn trailing_comment(text: &str, mut good: impl FnMut(&str) -> bool) -> Option<String> {
    let at = ["//", "#", "!", ";", "/*"].iter().filter_map(|mark| text.find(mark)).min()?;
    let word = text[..at].trim();
    good(word).then(|| {
        format!("has a comment behind the value, and property files know comments on lines of their own only; write {word}")
    })
}
