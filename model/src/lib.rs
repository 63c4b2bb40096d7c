//! A model of the idempotency contract.
