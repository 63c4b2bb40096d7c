//! Scratch.
use idempotency_model::{scenario::Scenario, search::*, setup::Setup};
fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().unwrap();
    let reduce = args.next().as_deref() != Some("raw");
    let only = args.next();
    let contract: idempotency::contract::Contract =
        toml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    for s in Scenario::all() {
        if only.as_ref().is_some_and(|o| o != s.name) {
            continue;
        }
        let setup = Setup::new(&contract, &s);
        let t = std::time::Instant::now();
        let f = search(&setup, Goal { reduce, ..Goal::all() }, Bounds::default());
        println!(
            "{:12} {:>9} states {:>10} trans {:.2?} cut {:?} events {:b}",
            s.name,
            f.states,
            f.transitions,
            t.elapsed(),
            f.cut_short,
            f.events
        );
        for (i, p) in &f.broken {
            println!("   {i} in {}", p.steps.len());
            if std::env::var("STORY").is_ok() {
                for (a, _) in &p.steps {
                    println!("       {a:?}");
                }
            }
        }
    }
}
