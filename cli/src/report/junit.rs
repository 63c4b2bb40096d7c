//! JUnit XML: a suite for each scenario, a case for each invariant.

use idempotency_model::review::{Review, Verdict};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// The review as JUnit XML. A row that is unknown is an error, not a pass.
pub(crate) fn write(review: &Review) -> Result<String, String> {
    let mut report = Report::new(format!("idem review {}", review.contract.file));
    let mut scenarios: Vec<&str> = review.results.iter().map(|row| row.scenario).collect();
    scenarios.dedup();
    for scenario in scenarios {
        let mut suite = TestSuite::new(scenario);
        for row in review.results.iter().filter(|row| row.scenario == scenario) {
            let status = match row.verdict {
                Verdict::Holds => TestCaseStatus::success(),
                Verdict::Violated => {
                    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                    status.set_type("violated").set_message(row.invariant.sentence());
                    status.set_description(
                        row.story.as_ref().map(|story| story.plain(super::WIDTH)).unwrap_or_default(),
                    );
                    status
                }
                Verdict::Unknown => {
                    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
                    status.set_type("unknown").set_message(row.reason.clone().unwrap_or_default());
                    status
                }
            };
            let name = format!("{} {}", row.invariant, row.invariant.title());
            let mut case = TestCase::new(name, status);
            case.set_classname(format!("{}.{scenario}", review.contract.operation));
            if row.verdict == Verdict::Holds && !row.shown {
                case.set_system_out(super::empty_row(row.invariant));
            }
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    report.to_string().map(|xml| xml + "\n").map_err(|error| error.to_string())
}
