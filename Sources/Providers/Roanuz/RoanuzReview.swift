// People of the provider check what others typed in; what they have checked is final.

/// How far the provider's people have checked the card.
struct RoanuzReview: Sendable {
    /// Checkpoints after which the whole card stands; what is validated before a match is its frame.
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

    /// Whether a ball is checked: by the whole card, or as one at or before the ball that was checked last.
    func covers(innings: String, over: Int, ball: Int, order: [String]) -> Bool {
        if isWhole { return true }
        guard let reached = self.innings, !label.isEmpty, let last = order.firstIndex(of: reached),
            let own = order.firstIndex(of: innings)
        else { return false }
        return own < last || own == last && (over, ball) <= (label[0], label[1])
    }
}
