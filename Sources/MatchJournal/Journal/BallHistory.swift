// A reader of single balls needs the whole record, which publications leave out; it follows the journal by itself.

public import MatchEngine
public import ScoreTypes

/// A match folded from its journal, with the revision of each ball.
public struct BallHistory: Sendable {
    /// The match.
    public let match: MatchID
    /// The record and its state.
    public private(set) var replica = MatchReplica()
    /// The revision of the replica; 0 before the first entry.
    public private(set) var revision: Int64 = 0
    /// The revision that inserted or amended each ball last.
    private var revisions: [DeliveryKey: Int64] = [:]

    /// Starts before the first entry.
    public init(_ match: MatchID) { self.match = match }

    /// The revision that inserted or amended a ball last; nil for an unknown ball.
    public func revision(of key: DeliveryKey) -> Int64? { revisions[key] }

    /// Applies the entries of the journal up to a revision.
    ///
    /// - Throws: `JournalError`; the entries before the failure are applied.
    public mutating func follow(_ journal: Journal, through end: Int64) async throws(JournalError) {
        var balls: [DeliveryKey: Int64] = [:]
        defer { revisions.merge(balls) { $1 } }
        try await journal.follow(match, with: &replica, from: &revision, through: end) { entry in
            switch entry.change {
            case .inserted(let delivery), .amended(let delivery): balls[delivery.key] = entry.revision
            default: break
            }
        }
    }
}
