// When many tokens are suddenly called bad, it is not the tokens: somebody mixed up the environments.

internal import ScoreTypes

/// Holds back the quarantines of an environment until their share of a fan-out is known to be small.
///
/// What is withheld stays in the arenas, so that it is asked again with the next state, and judged again.
struct QuarantineGuard {
    /// Answers, and those of them that called a token bad.
    private struct Share {
        var answers = 0
        var bad = 0

        var isSmall: Bool { Double(bad) <= PushLimits.badTokenShare * Double(answers) }

        mutating func add(_ other: Share) {
            answers += other.answers
            bad += other.bad
        }
    }

    /// What the end of a fan-out brought.
    struct Evaluation {
        /// The quarantines to carry out now.
        var released: [Rejection] = []
        var withheldCount = 0
        /// Whether quarantines have stopped, or go on again.
        var hasChanged = false
    }

    private var held: [Rejection] = []
    /// The fan-out under way.
    private var round = Share()
    /// All since the environment last showed its health; while quarantines are stopped, since the last bad fan-out.
    private var history = Share()
    private var since: Duration = .zero
    private var heardAt: Duration = .zero
    /// Whether nothing is quarantined, until a fan-out shows a small share.
    private(set) var isStopped = false
    /// Quarantines that were not carried out because there were too many.
    private(set) var withheldCount = 0

    /// Counts answers of a fan-out, `rejections` of which called their token bad.
    mutating func record(answers: Int, _ rejections: [Rejection], at now: Duration) {
        guard answers > 0 else { return }
        if round.answers == 0 { since = now }
        heardAt = now
        round.add(Share(answers: answers, bad: rejections.count))
        held += rejections.prefix(max(0, PushLimits.quarantinesHeld - held.count))
    }

    /// Judges the fan-out if it is over.
    mutating func evaluate(at now: Duration) -> Evaluation? {
        guard round.answers > 0, now - heardAt >= PushLimits.fanoutSilence || now - since >= PushLimits.fanoutEvaluation
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
