//! A record as a JSON object of field name to text.

use serde::Deserializer;
use serde::de::{self, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use ycsb_plugin_api::{Failure, Values};

/// Appends the fields as an object.
///
/// # Errors
/// BAD_REQUEST for a value that is not UTF-8: JSON holds text.
pub(crate) fn write(key: &str, values: Values<'_>, out: &mut Vec<u8>) -> Result<(), Failure> {
    out.push(b'{');
    for (number, (name, value)) in values.iter().enumerate() {
        if number > 0 {
            out.push(b',');
        }
        let text = std::str::from_utf8(value).map_err(|_| {
            Failure::bad_request(format!(
                "field {name:?} of {key:?} is not UTF-8, which JSON cannot hold; generate text values"
            ))
        })?;
        serde_json::to_writer(&mut *out, name)?;
        out.push(b':');
        serde_json::to_writer(&mut *out, text)?;
    }
    out.push(b'}');
    Ok(())
}

/// Hands over the fields of an object. What is no string is handed over as PostgreSQL's `->>` shows it; a null is
/// left out.
///
/// # Errors
/// ERROR for what is no object.
pub(crate) fn read(document: &[u8], on_field: impl FnMut(&str, &[u8])) -> Result<(), Failure> {
    let mut json = serde_json::Deserializer::from_slice(document);
    json.deserialize_map(Fields(on_field))?;
    Ok(())
}

struct Fields<F>(F);

impl<'de, F: FnMut(&str, &[u8])> Visitor<'de> for Fields<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of field name to text")
    }

    fn visit_map<M: MapAccess<'de>>(mut self, mut map: M) -> Result<(), M::Error> {
        while let Some((name, value)) = map.next_entry::<Text<'de>, &'de RawValue>()? {
            match value.get() {
                "null" => {}
                text if text.starts_with('"') => {
                    let value = string(text).map_err(de::Error::custom)?;
                    (self.0)(&name.0, value.as_bytes());
                }
                other => (self.0)(&name.0, other.as_bytes()),
            }
        }
        Ok(())
    }
}

/// The text of a JSON string, in place where nothing is escaped.
fn string(quoted: &str) -> Result<Cow<'_, str>, serde_json::Error> {
    match quoted.get(1..quoted.len() - 1) {
        Some(inside) if !inside.contains('\\') => Ok(Cow::Borrowed(inside)),
        _ => serde_json::from_str(quoted).map(Cow::Owned),
    }
}

/// A string that is borrowed where it can be.
struct Text<'a>(Cow<'a, str>);

impl<'de> serde::Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Text<'de>, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        from.deserialize_str(TextVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(document: &str) -> Vec<(String, String)> {
        let mut fields = Vec::new();
        read(document.as_bytes(), |name, value| {
            fields.push((name.to_owned(), String::from_utf8(value.to_vec()).unwrap()));
        })
        .unwrap();
        fields
    }

    #[test]
    fn fields_are_handed_over_as_text() {
        let document = r#"{"a": "x", "": "", "\"n\u00fc": "\ttab \\ \u20ac", "n": 1.50, "t": true, "o": {"k": [1]}, "z": null}"#;
        let expected = [
            ("a", "x"),
            ("", ""),
            ("\"nü", "\ttab \\ €"),
            ("n", "1.50"),
            ("t", "true"),
            ("o", "{\"k\": [1]}"),
        ];
        assert_eq!(fields(document), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(fields("{}"), []);
    }

    #[test]
    fn what_is_no_object_is_an_error() {
        assert!(read(b"[1]", |_, _| ()).is_err());
        assert!(read(b"{\"a\": ", |_, _| ()).is_err());
    }
}
