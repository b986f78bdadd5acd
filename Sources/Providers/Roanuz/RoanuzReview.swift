// The provider's staff review the scorecard; what they have reviewed is final.

internal import MatchEngine
internal import ScoreTypes

/// How far the scorecard is reviewed.
struct RoanuzReview: Sendable {
    /// Checkpoints after which the whole scorecard is final; before a match only its information is validated.
    private static let final: Set<String> = ["validated", "post-match-validated"]

    private let isWhole: Bool
    /// The ball that was reviewed last; its innings counts from 1.
    private let last: (innings: Int, over: Int, ball: Int)?

    /// Reads the review of a match with these innings.
    init(_ match: RoanuzMatch, _ order: [String]) {
        isWhole = match.dataReview?.score?.value == true || match.dataReviewCheckpoint.map(Self.final.contains) == true
        var innings: Int?
        var label: [Int] = []
        for part in match.dataReview?.scoreReviewedBallIndex ?? [] {
            switch part {
            case .innings(let key): innings = order.firstIndex(of: key).map { $0 + 1 }
            case .label(let numbers): label = numbers
            case .other: break
            }
        }
        last = label.count == 2 ? innings.map { ($0, label[0], label[1]) } : nil
    }

    /// Marks the balls of rows as final or not; rows that are right already stay as they are.
    func mark(_ rows: inout [RoanuzPageRow]) {
        for place in rows.indices {
            let isFinal = covers(rows[place].key, in: rows[place].delivery.over)
            if rows[place].delivery.isFinal != isFinal { rows[place].delivery.isFinal = isFinal }
        }
    }

    /// Whether a ball is reviewed: with the whole scorecard, or up to the ball that was reviewed last.
    private func covers(_ ball: RoanuzBallKey, in over: Int) -> Bool {
        if isWhole { return true }
        return last.map { (ball.innings, over, ball.number(in: over)) <= $0 } ?? false
    }
}
