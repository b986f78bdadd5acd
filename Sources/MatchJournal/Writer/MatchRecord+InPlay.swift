// A match that has begun and is not over is ended, not forgotten, when its provider drops it.

public import MatchEngine

extension MatchRecord {
    /// Whether play has begun and is not over.
    public var isInPlay: Bool { isInPlay(by: status) }

    /// The same by another word than the one that stands.
    func isInPlay(by told: StatusReport) -> Bool {
        switch PlayPhase(of: told.status) {
        case .before: !deliveries.isEmpty
        case .live, .pause, .overnight: true
        case .over: false
        }
    }
}
