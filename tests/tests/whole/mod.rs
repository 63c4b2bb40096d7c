//! The world as a model of stateright that is searched to its end, whatever breaks in it.

use idempotency_model::world::{World, Worlds};
use stateright::{Model, Property};

/// The worlds with a property that never stops the search.
pub(crate) struct WholeWorlds(pub(crate) Worlds);

impl Model for WholeWorlds {
    type State = World;
    type Action = <Worlds as Model>::Action;

    fn init_states(&self) -> Vec<World> {
        self.0.init_states()
    }

    fn actions(&self, world: &World, actions: &mut Vec<Self::Action>) {
        self.0.actions(world, actions);
    }

    fn next_state(&self, world: &World, action: Self::Action) -> Option<World> {
        self.0.next_state(world, action)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("whole", |_, _| true)]
    }
}
