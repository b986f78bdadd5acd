// One app in the foreground: it reads the live stream with the client library, and judges the order of the states.

import LiveSurface
import ScoreClient
import ScoreTypes
import Simulators
import Synchronization

/// Watches one match's stream.
final class StreamWatcher: Sendable {
    /// The observations.
    struct Report: Sendable {
        var revisions = 0
        var wentBack = 0
        var newest: Int64 = 0
    }

    /// How long to wait before the stream of a match that is over is opened again: a correction may follow the result.
    static let reopeningWait = Duration.seconds(1)

    private let client: LiveScoreClient
    private let match: MatchID
    private let onState: @Sendable (LiveActivityAttributes.ContentState) async -> Void
    private let seen = Mutex(Report())

    init(
        server: PhoneServer,
        match: MatchID,
        onState: @escaping @Sendable (LiveActivityAttributes.ContentState) async -> Void
    ) {
        let storage = PhoneStorage()
        client = LiveScoreClient(
            transport: PhoneTransport(server: server, network: PhoneNetwork(seed: 0)),
            credentials: storage,
            records: storage.records
        )
        self.match = match
        self.onState = onState
    }

    var report: Report { seen.withLock { $0 } }

    /// Watches until cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                for try await state in try await client.live([match.text]).states { await take(state.display) }
            } catch {
                // The client reconnects by itself; an error is a refusal, such as a match that is not listed yet.
            }
            try? await Task.sleep(for: Self.reopeningWait)
        }
    }

    private func take(_ state: LiveActivityAttributes.ContentState) async {
        let isNew = seen.withLock { report -> Bool in
            // The client drops older states, but follows a reset of the server.
            if state.rev < report.newest { report.wentBack += 1 }
            guard state.rev > report.newest else { return false }
            report.newest = state.rev
            report.revisions += 1
            return true
        }
        if isNew { await onState(state) }
    }
}
