//! Decoding: from the JSON of a response straight into the rows, without building a document in between.

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use std::borrow::Cow;
use std::fmt;

/// Where the rows of a response go.
pub(crate) trait Take {
    /// A row of a search begins.
    fn row(&mut self, id: &str);
    /// A field of the row.
    fn field(&mut self, name: &str, value: &str);
}

/// Decodes the response of a GET by id; whether the document was found. `dropped` is the field that is left out.
pub(crate) fn read_document<T: Take>(
    body: &[u8],
    rows: &mut T,
    dropped: Option<&str>,
) -> Result<bool, serde_json::Error> {
    let mut document = Document { found: false, rows, dropped };
    decode(body, &mut document)?;
    Ok(document.found)
}

/// Decodes the response of a search: hands over every hit, leaves the last one's sort value in `last_sort` and returns
/// how many there were.
pub(crate) fn read_hits<T: Take>(
    body: &[u8],
    rows: &mut T,
    dropped: Option<&str>,
    last_sort: &mut String,
) -> Result<usize, serde_json::Error> {
    let mut hits = Hits { rows, dropped, last_sort, count: 0 };
    decode(body, &mut Nested("hits", Nested("hits", Each(&mut hits))))?;
    Ok(hits.count)
}

fn decode<'de, O: Object<'de>>(body: &'de [u8], object: &mut O) -> Result<(), serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    Walk(object).deserialize(&mut deserializer)?;
    deserializer.end()
}

/// A JSON object, of which only some members matter.
trait Object<'de> {
    /// Takes the value of a member from `map`; false = it does not matter, and was not taken.
    fn member<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<bool, A::Error>;
}

struct Document<'a, T> {
    found: bool,
    rows: &'a mut T,
    dropped: Option<&'a str>,
}

impl<'de, T: Take> Object<'de> for Document<'_, T> {
    fn member<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<bool, A::Error> {
        match name {
            "found" => self.found = map.next_value()?,
            "_source" => map.next_value_seed(Walk(&mut Source { rows: self.rows, dropped: self.dropped }))?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// The fields of a record; every one goes to the rows, but the copy of the key.
struct Source<'a, T> {
    rows: &'a mut T,
    dropped: Option<&'a str>,
}

impl<'de, T: Take> Object<'de> for Source<'_, T> {
    fn member<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<bool, A::Error> {
        if self.dropped == Some(name) {
            return Ok(false);
        }
        map.next_value_seed(Value { rows: self.rows, name })?;
        Ok(true)
    }
}

/// The hits of a search, one object after the other.
struct Hits<'a, T> {
    rows: &'a mut T,
    dropped: Option<&'a str>,
    last_sort: &'a mut String,
    count: usize,
}

impl<'de, T: Take> Object<'de> for Hits<'_, T> {
    fn member<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<bool, A::Error> {
        match name {
            // It stands before the source in every response of these servers.
            "_id" => {
                self.rows.row(&map.next_value_seed(Text)?);
                self.count += 1;
            }
            "_source" => map.next_value_seed(Walk(&mut Source { rows: self.rows, dropped: self.dropped }))?,
            "sort" => {
                let [value]: [&serde_json::value::RawValue; 1] = map.next_value()?;
                self.last_sort.clear();
                self.last_sort.push_str(value.get());
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// An object inside another, under the name given.
struct Nested<S>(&'static str, S);

impl<'de, O: Object<'de>> Object<'de> for Nested<Nested<Each<'_, O>>> {
    fn member<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<bool, A::Error> {
        if name == self.0 {
            map.next_value_seed(Walk(&mut self.1))?;
        }
        Ok(name == self.0)
    }
}

impl<'de, O: Object<'de>> Object<'de> for Nested<Each<'_, O>> {
    fn member<A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<bool, A::Error> {
        if name == self.0 {
            map.next_value_seed(Each(self.1.0))?;
        }
        Ok(name == self.0)
    }
}

/// Walks through the members of an object.
struct Walk<'a, O>(&'a mut O);

impl<'de, O: Object<'de>> DeserializeSeed<'de> for Walk<'_, O> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, O: Object<'de>> Visitor<'de> for Walk<'_, O> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key_seed(Text)? {
            if !self.0.member(&name, &mut map)? {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// Walks through the objects of a list.
struct Each<'a, O>(&'a mut O);

impl<'de, O: Object<'de>> DeserializeSeed<'de> for Each<'_, O> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, O: Object<'de>> Visitor<'de> for Each<'_, O> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of objects")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(Walk(self.0))?.is_some() {}
        Ok(())
    }
}

/// Text, borrowed from the response unless it holds escapes.
struct Text;

impl<'de> DeserializeSeed<'de> for Text {
    type Value = Cow<'de, str>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Text {
    type Value = Cow<'de, str>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text")
    }
    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}

/// The value of a field: text as it is, other JSON (of documents that another tool wrote) as JSON; null is no value.
struct Value<'a, T> {
    rows: &'a mut T,
    name: &'a str,
}

impl<T: Take> Value<'_, T> {
    fn json<E: Error>(self, value: serde_json::Value) -> Result<(), E> {
        self.rows.field(self.name, &value.to_string());
        Ok(())
    }
}

impl<'de, T: Take> DeserializeSeed<'de> for Value<'_, T> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Take> Visitor<'de> for Value<'_, T> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.rows.field(self.name, text);
        Ok(())
    }
    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.json(value.into())
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.json(value.into())
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.json(value.into())
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.json(value.into())
    }
    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        let values = Deserialize::deserialize(SeqAccessDeserializer::new(seq))?;
        self.json(serde_json::Value::Array(values))
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        let members = Deserialize::deserialize(MapAccessDeserializer::new(map))?;
        self.json(serde_json::Value::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Seen(Vec<String>);

    impl Take for Seen {
        fn row(&mut self, id: &str) {
            self.0.push(format!("[{id}]"));
        }
        fn field(&mut self, name: &str, value: &str) {
            self.0.push(format!("{name}={value}"));
        }
    }

    #[test]
    fn a_document_goes_straight_to_the_rows_without_the_copy_of_its_key() {
        let body = br#"{"_index":"i","_id":"k","_version":1,"found":true,
            "_source":{"key":"k","field0":"plain","field1":"q\"b\\u\u00e9","field2":""}}"#;
        let mut seen = Seen::default();
        assert!(read_document(body, &mut seen, Some("key")).unwrap());
        assert_eq!(seen.0, ["field0=plain", "field1=q\"b\\u\u{e9}", "field2="]);
    }

    #[test]
    fn other_json_is_handed_over_as_json_and_null_is_left_out() {
        let body = br#"{"found":true,"_source":{"a":1,"b":-2.5,"c":true,"d":null,"e":[1,"x"],"f":{"g":"h"},"key":"k"}}"#;
        let mut seen = Seen::default();
        assert!(read_document(body, &mut seen, None).unwrap());
        assert_eq!(seen.0, ["a=1", "b=-2.5", "c=true", "e=[1,\"x\"]", "f={\"g\":\"h\"}", "key=k"]);
    }

    #[test]
    fn hits_are_rows_and_the_last_sort_value_is_kept_as_json() {
        let body = br#"{"took":1,"hits":{"max_score":null,"hits":[
            {"_id":"a","_score":null,"_source":{"key":"a","f":"1"},"sort":["a"]},
            {"_id":"b\"","_score":null,"_source":{},"sort":["b\""]}]}}"#;
        let (mut seen, mut last_sort) = (Seen::default(), String::new());
        assert_eq!(read_hits(body, &mut seen, Some("key"), &mut last_sort).unwrap(), 2);
        assert_eq!(seen.0, ["[a]", "f=1", "[b\"]"]);
        assert_eq!(last_sort, r#""b\"""#);
    }

    #[test]
    fn a_search_without_hits_has_no_rows() {
        let mut last_sort = String::new();
        assert_eq!(read_hits(b"{}", &mut Seen::default(), None, &mut last_sort).unwrap(), 0);
    }

    #[test]
    fn what_is_no_response_is_an_error() {
        assert!(read_document(b"<html>", &mut Seen::default(), None).is_err());
        assert!(read_document(br#"{"found":true} trailing"#, &mut Seen::default(), None).is_err());
    }
}
