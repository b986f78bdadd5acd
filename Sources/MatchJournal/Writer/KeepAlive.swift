// Rain can last for hours; activities of a match in a break must not count as silent (PUBLICATION section 3).

internal import MatchEngine
internal import ScoreTypes

/// When a match in a break is published again although nothing has changed.
struct KeepAlive: Sendable, Codable {
    /// Real time between two publications.
    let every: Duration
    /// Real time of the last publication.
    var lastPublication: Duration
    /// Real time of the feed's last answer; nil before the first.
    var lastReply: Duration?

    /// Real time until a keep-alive is due, zero for now; nil for a match that is not in a break.
    ///
    /// A silent feed keeps nothing alive: its last report may be wrong by now.
    func wait(status: MatchStatus, now: Duration) -> Duration? {
        // A result that never comes must not keep the match alive for ever.
        guard status.isPause, !status.isBetweenDays, status != .resultPending else { return nil }
        guard let lastReply, now - lastReply < every else { return nil }
        return max(.zero, lastPublication + every - now)
    }
}
