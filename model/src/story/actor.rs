//! Who takes part.

use serde::Serialize;

/// A participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Actor {
    /// Somebody else who sends with the same key.
    Other,
    /// The client, with its user.
    Client,
    /// The proxy or gateway through which it sends.
    Proxy,
    /// One worker of the server.
    ServerA,
    /// The other worker.
    ServerB,
    /// The store of the records.
    Store,
    /// The supplier.
    Supplier,
}

impl Actor {
    /// The worker at this place.
    pub(super) fn server(at: usize) -> Self {
        if at == 0 { Self::ServerA } else { Self::ServerB }
    }

    /// Its name, as it is said in a sentence: `server A`. Where one process serves all, its two workers are named.
    pub(super) const fn name(self, one_process: bool) -> &'static str {
        match self {
            Self::Other => "somebody else",
            Self::Client => "the client",
            Self::Proxy => "the proxy",
            Self::ServerA if one_process => "worker A",
            Self::ServerB if one_process => "worker B",
            Self::ServerA => "server A",
            Self::ServerB => "server B",
            Self::Store => "the store",
            Self::Supplier => "the supplier",
        }
    }

    /// Its id in a chart's source: letters only.
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Other => "Other",
            Self::Client => "Client",
            Self::Proxy => "Proxy",
            Self::ServerA => "ServerA",
            Self::ServerB => "ServerB",
            Self::Store => "Store",
            Self::Supplier => "Supplier",
        }
    }
}

/// Somebody who takes part in a story, and the name that it has there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Participant {
    /// Who.
    pub actor: Actor,
    /// Its name, as it stands at the head of a chart.
    pub name: String,
}
