//! Scratch.
use idempotency_model::review::*;
fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    let mut parsed = idempotency::contract::Contract::parse(&text).unwrap();
    let changes: Vec<(String, toml::Value)> = args
        .map(|a| {
            let (k, v) = a.split_once('=').unwrap();
            (k.to_string(), v.parse::<toml::Value>().unwrap_or_else(|_| toml::Value::String(v.into())))
        })
        .collect();
    if !changes.is_empty() {
        let c = parsed
            .with_all(changes.iter().map(|(a, b)| (a.as_str(), b.clone())))
            .unwrap_or_else(|e| panic!("{e:?}"));
        let mut given = parsed.given.clone();
        for (k, _) in &changes {
            given.insert(k.clone(), parsed.given.values().next().unwrap().clone());
        }
        parsed.contract = c;
        parsed.given = given;
    }
    let t = std::time::Instant::now();
    let r = review(&file, &parsed, &Options::default(), &mut |_| {});
    println!("== {file} {changes:?}: {:?} in {:.2?}", r.verdict, t.elapsed());
    for i in idempotency::invariant::Invariant::ALL {
        if let Some(row) = r.shortest(*i) {
            println!("  {i} {} steps in {}", row.story.as_ref().unwrap().steps.len(), row.scenario);
        }
    }
    for m in &r.remedies {
        println!(
            "  mend {:?}: {} {}",
            m.mends,
            m.changes
                .iter()
                .map(|c| format!("{} {} -> {}", c.field, c.from, c.to))
                .collect::<Vec<_>>()
                .join(" + "),
            if m.tight { "(tight)" } else { "" }
        );
    }
    for m in &r.masked {
        println!("  masked {m:?}");
    }
    for o in &r.outcomes {
        println!("  {} {:?}", o.outcome, o.shown)
    }
    for u in &r.unproven {
        if !u.why.starts_with("taken on") && !u.why.starts_with("a guess") {
            println!("  unproven {} {}", u.what, u.why)
        }
    }
}
