// APNs allows a connection one stream until its provider token is valid, and again after it expires or many bad tokens.

import HTTP2

/// The provider token and the trust of one connection; confined to the loop.
final class ConnectionTrust {
    private(set) var isTrusted = false
    private var token = ConnectionToken()
    private var rejectionsInRow = 0
    private var isPunished = false
    private var isLimited = true

    /// Checks the provider token of a request: a valid one allows many streams, an expired one allows one.
    ///
    /// Apple was seen to limit a connection whose token expires (Pushy, issue 476). The history gets the tokens in use.
    func verify(
        _ authorization: UnsafeRawBufferPointer?,
        by verifier: ProviderTokenVerifier,
        now: Int64,
        on connection: ServerConnection,
        notingIn history: SharedPushHistory
    ) throws(PushRefusal) {
        do throws(PushRefusal) {
            let used = try token.verify(authorization, by: verifier, now: now)
            if let used { history.with { $0.used(used, now: now) } }
            isTrusted = true
        } catch {
            if error == .expiredToken { isTrusted = false }
            limit(connection)
            throw error
        }
        limit(connection)
    }

    /// Counts a bad device token; `limit` of them in a row leave the connection one stream.
    func rejected(on connection: ServerConnection, limit: Int) {
        rejectionsInRow += 1
        if rejectionsInRow >= limit { isPunished = true }
        self.limit(connection)
    }

    /// Counts an accepted push, which ends the penalty of bad device tokens.
    func accepted(on connection: ServerConnection) {
        rejectionsInRow = 0
        isPunished = false
        limit(connection)
    }

    private func limit(_ connection: ServerConnection) {
        let isNowLimited = !isTrusted || isPunished
        guard isLimited != isNowLimited else { return }
        isLimited = isNowLimited
        connection.setMaxConcurrentStreams(
            isLimited ? SimulatorLimits.streamsAtFirst : SimulatorLimits.streamsLater
        )
    }
}

extension ServerConnection {
    /// The provider token and the trust of this connection.
    var trust: ConnectionTrust {
        if let known = memory as? ConnectionTrust { return known }
        let made = ConnectionTrust()
        memory = made
        return made
    }
}
