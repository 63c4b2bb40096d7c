use std::collections::HashSet;

use idempotency::contract::Contract;

use super::*;
use crate::scenario::Scenario;
use crate::setup::Setup;
use crate::world::Scratch;

impl Seen {
    /// Keeps a world that is new; says whether it was.
    fn add(&mut self, world: &World, parent: usize) -> Result<bool, Full> {
        let before = self.len();
        self.note(world)?;
        self.keep(parent);
        Ok(self.len() > before)
    }
}

/// Under every scenario but the largest, the whole raw space of `contract` is what a plain set and plain vectors say.
fn agrees(contract: &str) {
    let contract = Contract::parse(contract).expect("a contract").contract;
    for scenario in Scenario::all().into_iter().filter(|scenario| scenario.name != "everything") {
        let setup = Setup::new(&contract, &scenario);
        let start = World::start(&setup);
        let mut seen = Seen::new(&start);
        let (mut known, mut worlds, mut parents) = (HashSet::from([start]), vec![start], vec![0]);
        let (mut scratch, mut actions) = (Scratch::default(), Vec::new());
        let mut next = 0;
        while next < worlds.len() {
            let world = seen.open(next);
            assert_eq!(world, worlds[next], "in {}", scenario.name);
            world.candidates(&setup, &mut scratch, &mut actions);
            for action in actions.drain(..) {
                let Some((after, _)) = world.after(&setup, action) else { continue };
                assert_eq!(seen.note(&after), Ok(()), "in {}", scenario.name);
                if known.insert(after) {
                    worlds.push(after);
                    parents.push(next);
                }
            }
            seen.keep(next);
            assert_eq!(seen.len(), worlds.len(), "in {}", scenario.name);
            next += 1;
        }
        for (index, (world, parent)) in worlds.iter().zip(&parents).enumerate() {
            assert_eq!((seen.world(index), seen.parent(index)), (*world, *parent), "in {}", scenario.name);
        }
    }
}

#[test]
fn a_local_effect() {
    agrees("");
}

#[test]
fn an_external_effect() {
    agrees("[effect]\nkind = \"external\"\n[supplier]\ntakes-key = true\ncall-again-for = \"24h\"\n");
}

#[test]
fn a_supplier_that_is_asked() {
    agrees("[effect]\nkind = \"external\"\n[supplier]\ncan-be-asked = true\nsettles = \"1h\"\n");
}

#[test]
fn no_guards() {
    agrees(
        "[key]\nscope = [\"operation\"]\n[reservation]\natomic = false\ncompletion = \"unfenced\"\n\
         hang-up = \"release\"\n[answers]\nerror = \"release\"\nrejection = \"release\"\n\
         [store]\nkind = \"redis\"\nevicts = true\nreads = \"may-be-stale\"\n[retention]\ncompleted = \"1s\"\n\
         unresolved = \"1h\"\n[client]\nafter-deadline = \"keep-sending\"\non-edit = \"send\"\n",
    );
}

#[test]
fn parents_with_no_child_and_with_many() {
    let mut parents = Parents::default();
    let mut plain = vec![0];
    parents.push(0);
    for parent in 0..3000 {
        let children = match parent % 7 {
            0..3 => 0,
            3 => 300,
            few => few,
        };
        for _ in 0..children {
            parents.push(parent);
            plain.push(parent);
        }
    }
    let found: Vec<usize> = (0..plain.len()).map(|child| parents.of(child)).collect();
    assert_eq!(found, plain);
}

#[test]
fn a_table_that_is_full_keeps_nothing_more() {
    let setup = Setup::new(&Contract::default(), &Scenario::all()[0]);
    let start = World::start(&setup);
    let mut seen = Seen::new(&start);
    seen.sites.room = 2;
    let (mut one, mut other) = (start, start);
    one.site.effects = 1;
    other.site.effects = 2;
    assert_eq!(seen.add(&one, 0), Ok(true));
    assert_eq!(seen.add(&other, 0), Err(Full));
    assert_eq!(seen.add(&one, 0), Ok(false), "what is known stays known");
    assert_eq!(seen.add(&start, 0), Ok(false));
    assert_eq!(seen.len(), 2);
}
