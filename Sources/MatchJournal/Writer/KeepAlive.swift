// Rain can last for hours; those who wait must not be taken for gone (PUBLICATION section 3).

internal import MatchEngine
internal import ScoreTypes

/// When a waiting match is published again although nothing has changed.
struct KeepAlive: Sendable, Codable {
    /// Domain time without a publication.
    static let interval: Duration = .seconds(20 * 60)

    /// Real time between two publications.
    let every: Duration
    /// Real time of the last publication.
    var lastPublication: Duration
    /// Real time of the feed's last answer; nil before the first.
    var lastReply: Duration?

    /// Real time until a keep-alive is due, zero when it is; nil when the match does not wait.
    ///
    /// A feed that is silent itself keeps nothing alive: what it said last may be long untrue.
    func wait(status: MatchStatus, now: Duration) -> Duration? {
        // Who waits for a result that never comes must not wait for ever.
        guard status.isPause, !status.isBetweenDays, status != .resultPending else { return nil }
        guard let lastReply, now - lastReply < every else { return nil }
        return max(.zero, lastPublication + every - now)
    }
}
