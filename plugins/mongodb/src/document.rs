//! Records as BSON documents: `_id` is the key as a string, every field a binary value of subtype 0.

use mongodb::bson::raw::{CStr, RawBinaryRef, RawBsonRef};
use mongodb::bson::spec::BinarySubtype;
use mongodb::bson::{Binary, Document, RawDocument, RawDocumentBuf, cstr, doc};
use ycsb_plugin_api::{Failure, Rows, Select, Values};

/// A whole record.
///
/// # Errors
/// BAD_REQUEST for a field name with a NUL.
pub(crate) fn record(key: &str, values: Values<'_>) -> Result<RawDocumentBuf, Failure> {
    let mut document = RawDocumentBuf::new();
    document.append(cstr!("_id"), key);
    for (name, bytes) in values.iter() {
        let name = <&CStr>::try_from(name).map_err(|_| unusable(name))?;
        document.append(name, RawBinaryRef { subtype: BinarySubtype::Generic, bytes });
    }
    Ok(document)
}

#[cold]
fn unusable(name: &str) -> Failure {
    Failure::bad_request(format!("{name:?} cannot be the name of a field: it holds a NUL"))
}

/// What an update changes.
///
/// # Errors
/// BAD_REQUEST for a field name with a NUL.
pub(crate) fn changes(values: Values<'_>) -> Result<Document, Failure> {
    let mut set = Document::new();
    for (name, bytes) in values.iter() {
        if name.contains('\0') {
            return Err(unusable(name));
        }
        set.insert(name, Binary { subtype: BinarySubtype::Generic, bytes: bytes.to_vec() });
    }
    Ok(doc! {"$set": set})
}

/// Which fields to send: the wanted ones. `with_id`: and the key.
pub(crate) fn projection(select: Select<'_>, with_id: bool) -> Option<Document> {
    if select.is_all() {
        return None;
    }
    let mut fields: Document = select.iter().map(|name| (name.to_owned(), 1.into())).collect();
    if !with_id {
        fields.insert("_id", 0);
    }
    Some(fields)
}

/// Hands over the fields of a document: binary values and, so that data of other tools can be read, strings.
///
/// # Errors
/// If the document is malformed.
#[inline]
pub(crate) fn push_fields(document: &RawDocument, rows: &mut Rows<'_>) -> mongodb::bson::error::Result<()> {
    for element in document.iter() {
        match element? {
            (name, _) if name.as_str() == "_id" => {}
            (name, RawBsonRef::Binary(binary)) => rows.field(name.as_str(), binary.bytes),
            (name, RawBsonRef::String(text)) => rows.field(name.as_str(), text),
            _ => {}
        }
    }
    Ok(())
}

/// The key of a document; empty if it is no string.
#[inline]
pub(crate) fn key_of(document: &RawDocument) -> &str {
    document.get_str("_id").unwrap_or_default()
}
