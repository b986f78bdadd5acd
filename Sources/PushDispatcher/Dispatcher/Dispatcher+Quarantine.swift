// Bad tokens of all lanes are evaluated in one place, since a lane sees only a part of a fan-out.

internal import Logging
internal import ScoreTypes

extension Dispatcher {
    /// Adds the token answers of a report.
    func noteQuarantines(_ report: LaneReport) {
        for (environment, counts) in report.counts {
            quarantines[environment, default: QuarantineGuard()].record(
                answers: counts.tokenAnswers,
                report.quarantines[environment] ?? [],
                at: clock.monotonic
            )
        }
    }

    /// Evicts the quarantined tokens of finished fan-outs, or withholds them if there are too many.
    func evaluateQuarantines() async {
        for environment in environments {
            guard let evaluation = quarantines[environment]?.evaluate(at: clock.monotonic) else { continue }
            metrics.quarantinesWithheld(environment, evaluation.withheldCount)
            if evaluation.hasChanged { logQuarantineChange(environment, evaluation.withheldCount) }
            evaluation.released.forEach(tokens.evict)
        }
    }

    private func logQuarantineChange(_ environment: PushEnvironment, _ withheld: Int) {
        guard quarantines[environment]?.isStopped == true else {
            log.notice("bad tokens are quarantined again", metadata: ["env": "\(environment.rawValue)"])
            return
        }
        log.error(
            "too many bad tokens, quarantine stopped: compare the environments of app and server",
            metadata: ["env": "\(environment.rawValue)", "bad": "\(withheld)"]
        )
    }
}
