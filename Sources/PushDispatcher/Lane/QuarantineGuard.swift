// When half of all tokens are suddenly called bad, it is not the tokens: somebody mixed up the environments.

internal import ScoreTypes

/// Holds back quarantines until their share among the answers is known to be small.
struct QuarantineGuard {
    /// Answers that are looked at together.
    static let windowSize = 200
    /// Share of bad tokens above which none of a window is quarantined.
    static let shareMax = 0.5
    /// A smaller number is let through whatever its share.
    static let harmlessMax = 20
    /// How long a window may stay open before it is judged with what it has.
    static let windowMax: Duration = .seconds(1)

    private var answers = 0
    private var held: [Rejection] = []
    private var since: Duration = .zero
    /// Quarantines that were dropped because there were too many.
    private(set) var withheldCount = 0

    init() {}

    mutating func answered() { if !held.isEmpty { answers += 1 } }

    mutating func hold(_ rejection: Rejection, at now: Duration) {
        if held.isEmpty { (since, answers) = (now, 0) }
        answers += 1
        held.append(rejection)
    }

    /// The quarantines to carry out now.
    mutating func release(at now: Duration) -> [Rejection] {
        guard !held.isEmpty, answers >= Self.windowSize || now - since >= Self.windowMax else { return [] }
        defer { (held, answers) = ([], 0) }
        guard held.count <= Self.harmlessMax || Double(held.count) <= Self.shareMax * Double(answers) else {
            withheldCount += held.count
            return []
        }
        return held
    }
}
