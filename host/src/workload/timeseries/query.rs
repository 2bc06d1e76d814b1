//! What reads and scans ask for, as text tokens.

use super::properties as property;
use super::series::SeriesSet;
use super::timeline::TimeScale;
use crate::base::rng::StreamRng;
use crate::config::{ConfigError, Declaration, Settings};
use crate::workload::digest::Digest;
use crate::workload::records::refused;
use std::fmt::Write;

/// Names, delimiters and functions of the tokens.
#[derive(Clone, Debug)]
pub(super) struct QueryShape {
    tag_delimiter: String,
    time_delimiter: String,
    pub(super) delete_delimiter: String,
    timestamp_key: String,
    /// From one timestamp to the next.
    step: i64,
    /// Time span that is asked for; 0 asks for one timestamp.
    pub(super) span: i64,
    random_span: bool,
    pub(super) group_by: Option<GroupBy>,
    /// The whole token.
    pub(super) downsampling: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) struct GroupBy {
    /// The whole token.
    token: String,
    /// For each tag whether it is grouped.
    grouped: Vec<bool>,
}

impl QueryShape {
    pub(super) fn from_settings(
        settings: &Settings,
        tags: usize,
        scale: TimeScale,
    ) -> Result<Self, ConfigError> {
        Ok(QueryShape {
            tag_delimiter: settings.text(&property::TAGPAIRDELIMITER)?,
            time_delimiter: settings.text(&property::QUERYTIMESPANDELIMITER)?,
            delete_delimiter: settings.text(&property::DELETEDELIMITER)?,
            timestamp_key: settings.text(&property::TIMESTAMPKEY)?,
            step: scale.step,
            span: settings.i64(&property::QUERYTIMESPAN)?,
            random_span: settings.bool(&property::QUERYRANDOMTIMESPAN)?,
            group_by: group_by(settings, tags)?,
            downsampling: downsampling(settings)?,
        })
    }

    /// Writes the tokens of a query that begins at `timestamp`: a value for each tag, the time, the functions.
    pub(super) fn write_tokens(
        &self,
        series: &SeriesSet,
        timestamp: i64,
        rng: &mut StreamRng,
        digest: &mut Digest,
        tokens: &mut Tokens<'_>,
    ) {
        for (number, tag) in series.tags.iter().enumerate() {
            let value = rng.below(tag.values.len() as u64);
            digest.add(value);
            let token = tokens.next();
            token.push_str(&tag.key);
            if !self.group_by.as_ref().is_some_and(|group_by| group_by.grouped[number]) {
                token.push_str(&self.tag_delimiter);
                token.push_str(&tag.values[value as usize]);
            }
        }
        self.write_time(timestamp, rng, tokens.next());
        if let Some(group_by) = &self.group_by {
            tokens.next().push_str(&group_by.token);
        }
        if let Some(downsampling) = &self.downsampling {
            tokens.next().push_str(downsampling);
        }
    }

    fn write_time(&self, timestamp: i64, rng: &mut StreamRng, token: &mut String) {
        token.push_str(&self.timestamp_key);
        token.push_str(&self.tag_delimiter);
        push_number(timestamp, token);
        if self.span > 0 {
            // A span shorter than a step ends where it begins.
            let steps = self.span / self.step;
            let span = match (self.random_span, steps) {
                (false, _) => self.span,
                (true, ..=0) => 0,
                (true, steps) => self.step * rng.below(steps as u64) as i64,
            };
            token.push_str(&self.time_delimiter);
            push_number(timestamp + span, token);
        }
    }
}

/// Tokens that are written one after the other into strings that are used again.
pub(super) struct Tokens<'a> {
    strings: &'a mut Vec<String>,
    written: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(strings: &'a mut Vec<String>) -> Self {
        Tokens { strings, written: 0 }
    }

    fn next(&mut self) -> &mut String {
        if self.written == self.strings.len() {
            self.strings.push(String::new());
        }
        let token = &mut self.strings[self.written];
        token.clear();
        self.written += 1;
        token
    }
}

impl Drop for Tokens<'_> {
    fn drop(&mut self) {
        self.strings.truncate(self.written);
    }
}

pub(super) fn push_number(number: i64, text: &mut String) {
    text.push_str(itoa::Buffer::new().format(number));
}

fn group_by(settings: &Settings, tags: usize) -> Result<Option<GroupBy>, ConfigError> {
    let Some(function) = function(settings, &property::GROUPBYFUNCTION) else { return Ok(None) };
    let keys = settings.optional_text(&property::GROUPBYKEYS).unwrap_or_default();
    let grouped: Option<Vec<bool>> =
        keys.split(',').map(|key| key.trim().parse::<i64>().ok().map(|key| key != 0)).collect();
    let Some(grouped) = grouped.filter(|grouped| grouped.len() == tags) else {
        let reason = format!(
            "must be one whole number for each of the {tags} tags, as groupbyfunction={function} is given"
        );
        return Err(refused(settings, &property::GROUPBYKEYS, &reason));
    };
    Ok(Some(GroupBy { token: token(settings, &property::GROUPBYKEY, &function)?, grouped }))
}

fn downsampling(settings: &Settings) -> Result<Option<String>, ConfigError> {
    let Some(mut text) = function(settings, &property::DOWNSAMPLINGFUNCTION) else { return Ok(None) };
    let Some(interval) = settings.optional_i64(&property::DOWNSAMPLINGINTERVAL)? else {
        let reason = format!("must be given, as downsamplingfunction={text} is given");
        return Err(refused(settings, &property::DOWNSAMPLINGINTERVAL, &reason));
    };
    write!(text, "{interval}").expect("a String takes everything");
    Ok(Some(token(settings, &property::DOWNSAMPLINGKEY, &text)?))
}

fn function(settings: &Settings, declaration: &Declaration) -> Option<String> {
    let text = settings.optional_text(declaration)?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn token(settings: &Settings, key: &Declaration, value: &str) -> Result<String, ConfigError> {
    Ok(format!("{}{}{value}", settings.text(key)?, settings.text(&property::TAGPAIRDELIMITER)?))
}
