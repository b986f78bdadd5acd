// If APNs suddenly rejects many tokens as bad, the environments are mixed up and the tokens are good.

internal import ScoreTypes

/// Withholds the quarantines of an environment until their share of a fan-out proves small.
///
/// Withheld tokens stay in memory, receive the next state, and are evaluated again.
struct QuarantineGuard {
    /// Answers, and the number that rejected their token as bad.
    private struct Share {
        var answers = 0
        var bad = 0

        var isSmall: Bool { Double(bad) <= PushLimits.badTokenShare * Double(answers) }

        mutating func add(_ other: Share) {
            answers += other.answers
            bad += other.bad
        }
    }

    /// The result of a finished fan-out.
    struct Evaluation {
        /// The quarantines to perform now.
        var released: [RejectedToken] = []
        var withheldCount = 0
        /// Whether quarantines have stopped or resumed.
        var hasChanged = false
    }

    private var held: [RejectedToken] = []
    /// The current fan-out.
    private var round = Share()
    /// All answers since the environment last proved healthy; while stopped, since the last bad fan-out.
    private var history = Share()
    private var since: Duration = .zero
    private var lastAnswerAt: Duration = .zero
    /// Whether no token is quarantined, until a fan-out shows a small share.
    private(set) var isStopped = false
    /// Quarantines that were not performed because there were too many.
    private(set) var withheldCount = 0

    /// Counts answers of a fan-out, with the rejections of bad tokens among them.
    mutating func record(answers: Int, _ rejections: [RejectedToken], at now: Duration) {
        guard answers > 0 else { return }
        if round.answers == 0 { since = now }
        lastAnswerAt = now
        round.add(Share(answers: answers, bad: rejections.count))
        held.append(rejections, upTo: PushLimits.quarantinesHeld)
    }

    /// Evaluates the fan-out; nil while it is not finished.
    mutating func evaluate(at now: Duration) -> Evaluation? {
        guard round.answers > 0,
            now - lastAnswerAt >= PushLimits.fanoutSilence || now - since >= PushLimits.fanoutEvaluation
        else { return nil }
        defer { (held, round) = ([], Share()) }
        history.add(round)
        var evaluation = Evaluation()
        if isStopped {
            if !round.isSmall { history = Share() }
            evaluation.hasChanged = round.isSmall && history.answers >= PushLimits.quarantineEvidence
        } else {
            evaluation.hasChanged = !round.isSmall && history.bad > PushLimits.badTokensHarmless
        }
        if evaluation.hasChanged { isStopped.toggle() }
        let isHealthy = !isStopped && history.answers >= PushLimits.quarantineEvidence && history.isSmall
        if evaluation.hasChanged || isHealthy { history = Share() }
        if isStopped {
            evaluation.withheldCount = round.bad
            withheldCount += round.bad
        } else {
            evaluation.released = held
        }
        return evaluation
    }
}
