//! The JSON Schema of a contract file: what an editor checks while it is written, and the one definition of the
//! fields, words and ranges that [`Contract::parse`](super::Contract::parse) enforces.

use schemars::{Schema, generate::SchemaSettings, transform::RecursiveTransform};
use serde_json::Value;

use super::Contract;

impl Contract {
    /// The JSON Schema (draft 2020-12) of a contract file.
    pub fn schema() -> Value {
        SchemaSettings::draft2020_12()
            .with_transform(RecursiveTransform(without_null))
            .with_transform(RecursiveTransform(without_section_default))
            .into_generator()
            .into_root_schema_for::<Contract>()
            .to_value()
    }
}

/// TOML has no null: a field that may be left out has no other way to say so.
fn without_null(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
    if let Some(Value::Array(kinds)) = object.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = &mut kinds[..] {
            let only = only.take();
            object.insert("type".into(), only);
        }
    }
    let Some(Value::Array(choices)) = object.get_mut("anyOf") else { return };
    choices.retain(|choice| choice.get("type").is_none_or(|kind| kind != "null"));
    if choices.len() > 1 {
        return;
    }
    let only = choices.pop();
    object.remove("anyOf");
    if let Some(Value::Object(only)) = only {
        object.extend(only);
    }
}

/// A section's default is the defaults of its fields, which stand at the fields.
fn without_section_default(schema: &mut Schema) {
    if let Some(object) = schema.as_object_mut()
        && object.get("default").is_some_and(Value::is_object)
    {
        object.remove("default");
    }
}
