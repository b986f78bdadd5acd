// When many tokens are suddenly called bad, it is not the tokens: somebody mixed up the environments.

internal import ScoreTypes

/// Holds back the quarantines of an environment until their share of a fan-out is known to be small.
///
/// What is withheld stays in the arenas, so that it is asked again with the next state, and judged again.
struct QuarantineGuard {
    /// Share of bad tokens above which a fan-out's quarantines are withheld.
    static let shareMax = 0.05
    /// Bad tokens let through whatever their share; once, until the environment has shown that it is healthy.
    static let harmlessMax = 20
    /// Answers that show whether an environment is healthy; fewer say nothing.
    static let evidenceMin = 200
    /// After this silence the fan-out is over, and is judged.
    static let silenceMax: Duration = .seconds(1)
    /// A fan-out into which the next one runs is judged after so long; a million tokens take less.
    static let roundMax: Duration = .seconds(60)
    /// Quarantines held at once; those beyond it count, and wait for the next state.
    static let heldMax = 50_000

    /// Answers, and those of them that called a token bad.
    private struct Share {
        var answers = 0
        var bad = 0

        var isSmall: Bool { Double(bad) <= shareMax * Double(answers) }

        mutating func add(_ other: Share) {
            answers += other.answers
            bad += other.bad
        }
    }

    /// What the end of a fan-out brought.
    struct Judgement {
        /// The quarantines to carry out now.
        var released: [RejectedToken] = []
        var withheldCount = 0
        /// Whether quarantines have stopped, or go on again.
        var hasTurned = false
    }

    private var held: [RejectedToken] = []
    /// The fan-out under way.
    private var round = Share()
    /// All since the environment last showed its health; while quarantines are stopped, since the last bad fan-out.
    private var standing = Share()
    private var since: Duration = .zero
    private var heardAt: Duration = .zero
    /// Whether nothing is quarantined, until a fan-out shows a small share.
    private(set) var isStopped = false
    /// Quarantines that were not carried out because there were too many.
    private(set) var withheldCount = 0

    /// Counts answers of a fan-out, `rejections` of which called their token bad.
    mutating func heard(answers: Int, _ rejections: [RejectedToken], at now: Duration) {
        guard answers > 0 else { return }
        if round.answers == 0 { since = now }
        heardAt = now
        round.add(Share(answers: answers, bad: rejections.count))
        held += rejections.prefix(max(0, Self.heldMax - held.count))
    }

    /// Judges the fan-out if it is over.
    mutating func judge(at now: Duration) -> Judgement? {
        guard round.answers > 0, now - heardAt >= Self.silenceMax || now - since >= Self.roundMax else { return nil }
        defer { (held, round) = ([], Share()) }
        standing.add(round)
        var judgement = Judgement()
        if isStopped {
            if !round.isSmall { standing = Share() }
            judgement.hasTurned = round.isSmall && standing.answers >= Self.evidenceMin
        } else {
            judgement.hasTurned = !round.isSmall && standing.bad > Self.harmlessMax
        }
        if judgement.hasTurned { isStopped.toggle() }
        let isHealthy = !isStopped && standing.answers >= Self.evidenceMin && standing.isSmall
        if judgement.hasTurned || isHealthy { standing = Share() }
        if isStopped {
            judgement.withheldCount = round.bad
            withheldCount += round.bad
        } else {
            judgement.released = held
        }
        return judgement
    }
}
