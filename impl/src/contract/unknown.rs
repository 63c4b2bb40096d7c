//! Names that no contract has, and the names that were meant.

use toml::de::DeValue;

use super::fields::{Section, fields, sections};
use super::found::Fault;
use super::show::{listed, short};
use super::suggest::{closest, distance};

/// A name at the top of a file that is no section.
pub(super) fn top(name: &str, value: &DeValue<'_>) -> Fault {
    let names = || sections().iter().map(|section| section.name.as_str());
    let meant = closest(name, names());
    let shown = short(name);
    if let DeValue::Table(_) = value {
        let fault = Fault::new("unknown-section", &shown, format!("unknown section `{shown}`"));
        return fault.help(match meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("the sections are {}", listed(names())),
        });
    }
    let fault = Fault::new("unknown-field", &shown, format!("unknown field `{shown}` outside of a section"));
    fault.help(elsewhere(name).unwrap_or_else(|| match meant {
        Some(meant) => format!("did you mean the section `[{meant}]`?"),
        None => format!("a field stands in a section: {}", listed(names())),
    }))
}

/// A name in a section that is none of its fields.
pub(super) fn field(section: &Section, name: &str) -> Fault {
    let shown = short(name);
    let home = &section.name;
    let fault = Fault::new(
        "unknown-field",
        format!("{home}.{shown}"),
        format!("unknown field `{shown}` in [{home}]"),
    );
    let siblings = || section.fields.iter().map(|field| field.name.as_str());
    let sibling = closest(name, siblings());
    // A slip of one letter in this section is likelier than a field of another, and that likelier than more slips.
    let is_elsewhere = fields().any(|field| field.name == name);
    if let Some(meant) = sibling.filter(|meant| distance(name, meant) <= 1 || !is_elsewhere) {
        return fault.help(format!("did you mean `{meant}`?"));
    }
    fault.help(elsewhere(name).unwrap_or_else(|| format!("[{home}] has the fields {}", listed(siblings()))))
}

/// A source of a field that is not there.
pub(super) fn source(path: &str) -> Fault {
    let shown = short(path);
    let fault =
        Fault::new("unknown-field", format!("sources.{shown}"), format!("there is no field `{shown}`"));
    match closest(path, fields().map(|field| field.path.as_str())) {
        Some(meant) => fault.help(format!("did you mean `{meant}`?")),
        None => fault.help("write the path of a field, such as `\"retention.completed\"`"),
    }
}

/// How the source of a field is written whose path stands without quotes: the field that was meant, if that is known.
pub(super) fn unquoted_source(name: &str, below: Option<&str>) -> String {
    let path = below.map(|below| format!("{name}.{below}"));
    let meant = path.and_then(|path| closest(&path, fields().map(|field| field.path.as_str())));
    match meant {
        Some(meant) => format!("write `\"{meant}\" = \"https://…\"`"),
        None => "write the path of a field in quotes, such as `\"key.made\" = \"https://…\"`".into(),
    }
}

/// A field of this name, or nearly, in any section.
fn elsewhere(name: &str) -> Option<String> {
    let meant = closest(name, fields().map(|field| field.name.as_str()))?;
    let homes = fields().filter(|field| field.name == meant).filter_map(|field| field.path.split_once('.'));
    let homes = homes.map(|(section, _)| format!("[{section}]")).collect::<Vec<_>>().join(" or ");
    Some(match meant == name {
        true => format!("`{meant}` belongs to {homes}"),
        false => format!("did you mean `{meant}`, which belongs to {homes}?"),
    })
}
