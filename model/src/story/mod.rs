//! Stub.
#![allow(missing_docs)]
use crate::{scenario::Scenario, search::Path, setup::Setup};
use idempotency::{contract::Contract, invariant::Invariant};
#[derive(Clone, Debug, serde::Serialize)]
pub struct Step {
    pub text: String,
}
#[derive(Clone, Debug, serde::Serialize)]
pub struct Story {
    pub steps: Vec<Step>,
}
impl Story {
    pub fn tell(_: &Contract, _: &Setup, _: &Scenario, _: Invariant, path: &Path) -> Result<Story, String> {
        Ok(Story { steps: path.steps.iter().map(|(a, _)| Step { text: format!("{a:?}") }).collect() })
    }
}
