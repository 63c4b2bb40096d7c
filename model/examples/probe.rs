//! Scratch.
use idempotency_model::{scenario::Scenario, search::*, setup::Setup};
fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().unwrap();
    let mut reduce = true;
    let mut only = None;
    let mut value: toml::Value = toml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let mut quiet = false;
    for a in args {
        if a == "raw" {
            reduce = false
        } else if a == "quiet" {
            quiet = true
        } else if let Some((k, v)) = a.split_once('=') {
            let (s, f) = k.split_once('.').unwrap();
            let v: toml::Value = toml::from_str::<toml::Table>(&format!("x={v}"))
                .or_else(|_| toml::from_str::<toml::Table>(&format!("x=\"{v}\"")))
                .unwrap()["x"]
                .clone();
            value
                .as_table_mut()
                .unwrap()
                .entry(s)
                .or_insert(toml::Value::Table(Default::default()))
                .as_table_mut()
                .unwrap()
                .insert(f.into(), v);
        } else {
            only = Some(a)
        }
    }
    let contract: idempotency::contract::Contract = value.try_into().unwrap();
    for s in Scenario::all() {
        if only.as_ref().is_some_and(|o| o != s.name) {
            continue;
        }
        let setup = Setup::new(&contract, &s);
        let t = std::time::Instant::now();
        let f = search(&setup, Goal { reduce, ..Goal::all() }, Bounds::default());
        if !quiet {
            println!(
                "{:12} {:>9} states {:>10} trans {:.2?} cut {:?} events {:b}",
                s.name,
                f.states,
                f.transitions,
                t.elapsed(),
                f.cut_short,
                f.events
            );
        }
        if f.cut_short.is_some() {
            println!("  CUT {:?}", f.cut_short)
        }
        for (i, p) in &f.broken {
            println!("   {} {i} in {}", s.name, p.steps.len());
            if std::env::var("STORY").is_ok() {
                for (a, _) in &p.steps {
                    println!("       {a:?}");
                }
            }
        }
    }
}
