// A match in play that its provider removes is ended, and not deleted.

public import MatchEngine

extension MatchRecord {
    /// Whether play has begun and is not over.
    public var isInPlay: Bool { isInPlay(by: status) }

    /// The same by another status than the stored one.
    func isInPlay(by report: StatusReport) -> Bool {
        switch PlayPhase(of: report.status) {
        case .before: !deliveries.isEmpty
        case .live, .pause, .overnight: true
        case .over: false
        }
    }
}
