//! The suites that hold contracts, model and stores to one set of invariants.
