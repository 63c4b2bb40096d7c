//! The figures that a contract leaves to be derived from its others.

use super::{Contract, EffectKind, KeyTime, Mark, Period, TakeOver};

impl Contract {
    /// The age at which a key that carries its time is refused; `None` if keys carry no time or are kept for ever.
    pub fn horizon(&self) -> Option<Period> {
        if self.key.time == KeyTime::None {
            return None;
        }
        let derived = || {
            let kept = self.retention.completed.period()?.millis();
            Some(Period::from_millis(kept.saturating_sub(self.servers.clock_skew.millis())))
        };
        self.key.horizon.or_else(derived)
    }

    /// How long after the mark the server calls the supplier again with the same key; `None`: never. A window of no
    /// length is none, and where no take-over goes by a mark none is ever looked at.
    pub fn call_again_for(&self) -> Option<Period> {
        let by_mark = self.reservation.take_over == TakeOver::ByStage && self.reservation.mark != Mark::Never;
        if !self.supplier.takes_key || !by_mark {
            return None;
        }
        let window = match (self.supplier.call_again_for, self.supplier.remembers.period()) {
            (Some(given), _) => given.period(),
            (None, None) => Some(Period::LONGEST),
            (None, Some(memory)) => {
                memory.millis().checked_sub(self.call_may_take().millis()).map(Period::from_millis)
            }
        };
        window.filter(|window| window.millis() > 0)
    }

    /// How long after the mark its call may still arrive: the longest run of the handler, the longest pause, and the
    /// longest call delay.
    pub fn call_may_take(&self) -> Period {
        let worker = self.effect.longest.millis() + self.servers.longest_pause.millis();
        Period::from_millis(worker + self.supplier.longest_delay.millis())
    }

    /// How long after a mark a call under it may still arrive, whoever makes it: at the end of the window for calling
    /// again one may begin, which takes as long as the first.
    pub fn last_call_arrives(&self) -> Period {
        let window = self.call_again_for().map_or(0, Period::millis);
        Period::from_millis(window.saturating_add(self.call_may_take().millis()))
    }

    /// How long after the first attempt a cancel is answered; `None`: at any time.
    pub fn cancel_within(&self) -> Option<Period> {
        self.routes.cancel_within.or(self.retention.completed.period())
    }

    /// Whether the effect is a call to a supplier.
    pub fn is_external(&self) -> bool {
        self.effect.kind == EffectKind::External
    }
}

/// The value of a field that stands without a figure, in words; `None` where no such field exists.
pub(super) fn words(contract: &Contract, path: &str) -> Option<String> {
    let written = |period: Option<Period>, without: &str| {
        period.map_or_else(|| without.to_owned(), |period| format!("\"{period}\""))
    };
    Some(match path {
        "key.horizon" if contract.key.time == KeyTime::None => "none".into(),
        "key.horizon" => written(contract.horizon(), "unlimited"),
        "supplier.call-again-for" => written(contract.call_again_for(), "never"),
        "routes.cancel-within" => written(contract.cancel_within(), "unlimited"),
        "store.durable" => contract.store.is_durable().to_string(),
        "store.failover" => toml::Value::try_from(contract.store.failover()).ok()?.to_string(),
        _ => return None,
    })
}
