// The provider's staff review the scorecard; what they have reviewed is final.

internal import ScoreTypes

/// How far the scorecard is reviewed.
struct RoanuzReview: Sendable {
    /// Checkpoints after which the whole scorecard is final; before a match only its information is validated.
    private static let final: Set<String> = ["validated", "post-match-validated"]

    private let isWhole: Bool
    private let innings: String?
    private let label: [Int]

    init(_ match: RoanuzMatch) {
        isWhole = match.dataReview?.score?.value == true || match.dataReviewCheckpoint.map(Self.final.contains) == true
        var innings: String?
        var label: [Int] = []
        for part in match.dataReview?.scoreReviewedBallIndex ?? [] {
            switch part {
            case .innings(let key): innings = key
            case .label(let numbers): label = numbers
            case .other: break
            }
        }
        self.innings = innings
        self.label = label.count == 2 ? label : []
    }

    /// Whether a ball is reviewed: with the whole scorecard, or up to the ball that was reviewed last.
    func covers(innings: String, over: Int, ball: Int, order: [String]) -> Bool {
        if isWhole { return true }
        guard let reached = self.innings, !label.isEmpty, let last = order.firstIndex(of: reached),
            let own = order.firstIndex(of: innings)
        else { return false }
        return own < last || own == last && (over, ball) <= (label[0], label[1])
    }
}
