// APNs allows a connection one stream until its provider token is valid, and again after many bad tokens.

import HTTP2

/// The trust that a connection has earned; confined to the loop.
final class ConnectionTrust {
    var isTrusted = false
    private var rejectionsInRow = 0
    private var isPunished = false

    /// A bad device token; so many in a row take the streams away.
    func rejected(on connection: ServerConnection, limit: Int) {
        rejectionsInRow += 1
        guard rejectionsInRow >= limit, !isPunished else { return }
        isPunished = true
        connection.setMaxConcurrentStreams(SimulatorLimits.streamsAtFirst)
    }

    /// An accepted push; restores what a penalty had taken.
    func accepted(on connection: ServerConnection) {
        rejectionsInRow = 0
        guard isPunished else { return }
        isPunished = false
        connection.setMaxConcurrentStreams(SimulatorLimits.streamsLater)
    }
}
