//! `idem explore`.

use std::net::{Ipv4Addr, SocketAddr};

use idempotency_model::scenario::Scenario;
use idempotency_model::setup::Setup;
use idempotency_model::twin::{Explorer, Twin};

use crate::args::ExploreArgs;
use crate::exit::Exit;
use crate::output::{complain, note};
use crate::review::{no_scenario, read, tell};

/// Serves the Explorer until the process is stopped.
pub(crate) fn run(args: &ExploreArgs) -> Exit {
    let parsed = match read(&args.file) {
        Ok(read) => read.parsed,
        Err(refusal) => return tell(&refusal),
    };
    let Some(scenario) = Scenario::all().into_iter().find(|scenario| scenario.name == args.scenario) else {
        return tell(&no_scenario(&args.file.display().to_string(), &args.scenario));
    };
    let setup = Setup::new(&parsed.contract, &scenario);
    let (setup, left_out) = setup.without_what_the_twin_cannot_say();
    if !left_out.is_empty() {
        let names: Vec<_> = left_out.iter().map(|fault| fault.name()).collect();
        note(&format!("Left out, since actors cannot say it: {}.\n", names.join(", ")), Exit::Holds);
    }
    let twin = match Twin::new(&setup) {
        Ok(twin) => twin,
        Err(unsupported) => return complain(unsupported, Exit::Usage),
    };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    match Explorer::new(&twin, args.invariant, address) {
        Ok(explorer) => {
            let address = explorer.address();
            note(&format!("The Explorer is at http://{address}/ until this is stopped.\n"), Exit::Holds);
            explorer.serve();
            Exit::Holds
        }
        Err(error) => complain(format_args!("cannot listen on {address}: {error}"), Exit::Usage),
    }
}
