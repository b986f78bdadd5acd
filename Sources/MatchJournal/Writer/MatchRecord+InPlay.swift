// A match in play that its provider removes is ended, and not deleted.

public import MatchEngine

extension MatchRecord {
    /// Whether play has begun and is not over.
    public var isInPlay: Bool { status.isInPlay(hasBalls: !deliveries.isEmpty) }
}

extension StatusReport {
    /// Whether play has begun and is not over, in a match that may have balls before its status says so.
    public func isInPlay(hasBalls: Bool) -> Bool {
        switch PlayPhase(of: status) {
        case .before: hasBalls
        case .live, .pause, .overnight: true
        case .over: false
        }
    }
}
