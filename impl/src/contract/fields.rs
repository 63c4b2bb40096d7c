//! The fields of a contract as data, read from its schema: the checks, the reference and the tests share them.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::Contract;

/// A section of a contract file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its name, as it stands in the section's header.
    pub name: String,
    /// What it holds, in a sentence.
    pub about: String,
    /// Its fields in their order; none for `sources`, whose keys are the paths of other fields.
    pub fields: Vec<Field>,
}

impl Section {
    /// Whether its keys are free: it holds the source of any other field.
    pub fn is_open(&self) -> bool {
        self.fields.is_empty()
    }

    /// The field with this name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// A field of a contract file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its path, such as `key.made`.
    pub path: String,
    /// Its name, such as `made`.
    pub name: String,
    /// What it says, and what follows from it, in paragraphs.
    pub about: String,
    /// What may stand there.
    pub kind: Kind,
    /// Its default, as it would be written; `None` where it is derived from other fields.
    pub default: Option<String>,
}

/// What may stand in a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Flag,
    /// A whole number in a range, both ends included.
    Number {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
    },
    /// Free text.
    Text {
        /// Whether it may be empty.
        may_be_empty: bool,
    },
    /// One word of a few.
    Word(Vec<Choice>),
    /// A length of time, or a word in its place.
    Period {
        /// That word.
        or: Option<String>,
    },
    /// A list of texts or words.
    List {
        /// What an entry may be.
        of: Box<Kind>,
        /// Whether no entry may stand twice.
        unique: bool,
    },
}

/// A word, and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The word.
    pub word: String,
    /// What it means.
    pub about: String,
}

/// Every section, in the order of the contract's declaration.
pub fn sections() -> &'static [Section] {
    static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(|| read(&Contract::schema()));
    &SECTIONS
}

/// The section with this name.
pub(super) fn section(name: &str) -> Option<&'static Section> {
    sections().iter().find(|section| section.name == name)
}

/// Every field of every section.
pub fn fields() -> impl Iterator<Item = &'static Field> {
    sections().iter().flat_map(|section| &section.fields)
}

/// The field with this path.
pub fn field(path: &str) -> Option<&'static Field> {
    let (name, field) = path.split_once('.')?;
    section(name)?.field(field)
}

fn read(root: &Value) -> Vec<Section> {
    properties(root)
        .map(|(name, section)| {
            let fields = properties(target(root, section))
                .map(|(field, schema)| read_field(root, name, field, schema));
            Section { name: name.clone(), about: text(section, "description"), fields: fields.collect() }
        })
        .collect()
}

fn read_field(root: &Value, section: &str, name: &str, schema: &Value) -> Field {
    Field {
        path: format!("{section}.{name}"),
        name: name.into(),
        about: text(schema, "description"),
        kind: kind(root, schema)
            .unwrap_or_else(|| panic!("`{section}.{name}` has a type that no check knows")),
        default: schema.get("default").map(written),
    }
}

/// What a schema allows; `None` where it is of a kind that no field has yet.
fn kind(root: &Value, schema: &Value) -> Option<Kind> {
    let schema = target(root, schema);
    if let Some(words) = schema.get("oneOf").and_then(Value::as_array) {
        let choice = |word: &Value| Choice { word: text(word, "const"), about: text(word, "description") };
        return Some(Kind::Word(words.iter().map(choice).collect()));
    }
    if let Some(choices) = schema.get("anyOf").and_then(Value::as_array) {
        let word = choices.iter().find_map(|choice| choice.get("const")?.as_str());
        return Some(Kind::Period { or: Some(word?.into()) });
    }
    match schema.get("type")?.as_str()? {
        "boolean" => Some(Kind::Flag),
        "integer" => Some(Kind::Number { min: limit(schema, "minimum")?, max: limit(schema, "maximum")? }),
        "string" if schema.get("pattern").is_some() => Some(Kind::Period { or: None }),
        "string" => {
            Some(Kind::Text { may_be_empty: limit(schema, "minLength").is_none_or(|least| least == 0) })
        }
        "array" => Some(Kind::List {
            of: Box::new(kind(root, schema.get("items")?)?),
            unique: schema.get("uniqueItems").is_some_and(|unique| unique == true),
        }),
        _ => None,
    }
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::iter)
}

/// The schema that a reference points at, or the schema itself.
fn target<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let target =
        schema.get("$ref").and_then(Value::as_str).and_then(|target| root.pointer(target.strip_prefix('#')?));
    target.unwrap_or(schema)
}

fn text(schema: &Value, key: &str) -> String {
    schema.get(key).and_then(Value::as_str).unwrap_or_default().into()
}

fn limit(schema: &Value, key: &str) -> Option<u64> {
    schema.get(key)?.as_u64()
}

/// A JSON value as TOML would write it.
fn written(value: &Value) -> String {
    toml::Value::try_from(value).map_or_else(|_| value.to_string(), |value| value.to_string())
}
