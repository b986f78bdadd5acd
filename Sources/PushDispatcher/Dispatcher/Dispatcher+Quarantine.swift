// Bad tokens of all lanes are judged in one place, since a lane sees only its part of a fan-out.

internal import Logging
internal import ScoreTypes

extension Dispatcher {
    /// Notes what the lanes heard of tokens.
    func noteQuarantines(_ report: LaneReport) {
        for (environment, counts) in report.counts {
            quarantines[environment, default: QuarantineGuard()].record(
                answers: counts.tokenAnswers,
                report.quarantines[environment] ?? [],
                at: clock.monotonic
            )
        }
    }

    /// Carries out the quarantines of fan-outs that are over, or withholds them where there are too many.
    func evaluateQuarantines() async {
        for environment in environments {
            guard let evaluation = quarantines[environment]?.evaluate(at: clock.monotonic) else { continue }
            metrics.quarantinesWithheld(environment, evaluation.withheldCount)
            if evaluation.hasChanged { logQuarantineChange(environment, evaluation.withheldCount) }
            if !evaluation.released.isEmpty { await tokens.evict(evaluation.released) }
        }
    }

    private func logQuarantineChange(_ environment: PushEnvironment, _ withheld: Int) {
        guard quarantines[environment]?.isStopped == true else {
            log.notice("bad tokens are given up again", metadata: ["env": "\(environment.rawValue)"])
            return
        }
        log.error(
            "too many bad tokens, none is given up: are the environments of app and server the same?",
            metadata: ["env": "\(environment.rawValue)", "bad": "\(withheld)"]
        )
    }
}
