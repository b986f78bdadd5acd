// The client of the apps against the real route: its receipts confirm what its activities show.

import Foundation
import LiveActivities
import LiveSurface
import MatchJournal
import MatchSamples
import ScoreClient
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import FollowService
@testable import ScoreServer

/// A phone that draws every state and reports it, as ActivityKit does while the app runs.
private final class DrawingHost: ActivityHost {
    private let listed = Mutex<[ObservedActivity]>([])
    private let writer = Mutex<AsyncStream<ActivityEvent>.Continuation?>(nil)

    func events() -> AsyncStream<ActivityEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: ActivityEvent.self)
        writer.withLock { $0 = continuation }
        return stream
    }

    func activities() async -> [ObservedActivity] { listed.withLock { $0 } }

    func start(_ start: ActivityStart) async throws(ActivityStartError) -> ObservedActivity { throw .unsupported }

    func update(
        _ activityID: String,
        to state: LiveActivityAttributes.ContentState,
        staleAt: Int64,
        timestamp: Int64?
    ) async {
        listed.withLock { $0[0].revision = state.rev }
        writer.withLock { $0 }?.yield(.shows(activityID: activityID, revision: state.rev))
    }

    func end(_ activityID: String) async { listed.withLock { $0 = [] } }

    func begin(_ activity: ObservedActivity) {
        listed.withLock { $0.append(activity) }
        writer.withLock { $0 }?.yield(.started(activity))
    }
}

private struct MemoryCredential: CredentialStore {
    private final class Box: Sendable { let value = Mutex<String?>(nil) }
    private let box = Box()

    func read() throws(CredentialStoreError) -> String? { box.value.withLock { $0 } }
    func write(_ credential: String) throws(CredentialStoreError) { box.value.withLock { $0 = credential } }
    func remove() throws(CredentialStoreError) { box.value.withLock { $0 = nil } }
}

/// A clock that the test moves, since the client leaves 15 seconds between two batches.
private final class SteppedClock: ClientClock {
    private struct State {
        var uptime = Duration.zero
        var waits: [(until: Duration, end: AsyncStream<Never>.Continuation)] = []
    }

    private let wall = ServiceClock().wall.milliseconds
    private let state = Mutex(State())

    var now: ClientInstant {
        let uptime = state.withLock { $0.uptime }
        return ClientInstant(wall: wall + uptime.components.seconds * 1000, uptime: uptime)
    }

    func wait(until uptime: Duration) async throws {
        let (stream, end) = AsyncStream.makeStream(of: Never.self)
        let isOver = state.withLock { state in
            if uptime > state.uptime { state.waits.append((uptime, end)) }
            return uptime <= state.uptime
        }
        if isOver { end.finish() }
        for await _ in stream {}
        try Task.checkCancellation()
    }

    func advance(by time: Duration) {
        let over = state.withLock { state in
            state.uptime += time
            let over = state.waits.filter { $0.until <= state.uptime }
            state.waits.removeAll { $0.until <= state.uptime }
            return over
        }
        for wait in over { wait.end.finish() }
    }
}

@Suite(.timeLimit(.minutes(2))) struct ClientReceiptTests {
    @Test("the client confirms what its activity shows, by telemetry and by reconcile")
    func theClientConfirms() async throws {
        try await withStore { stores in
            let counts = ReceiptCounts(stores.receipts, activities: stores.activities) { Bucket.all }
            let host = DrawingHost()
            let base = try #require(URL(string: "http://127.0.0.1:\(stores.client.port)"))
            let clock = SteppedClock()
            let client = LiveScoreClient(
                transport: URLSessionTransport(base: base),
                credentials: MemoryCredential(),
                records: RecordStore(read: { nil }, write: { _ in }),
                host: host,
                clock: clock
            )
            let running = Task { await client.run() }
            await client.describe(
                DeviceDescription(
                    bundleId: "com.example.scores",
                    appBuild: "412",
                    osVersion: "18.5",
                    apnsEnvironment: .sandbox
                )
            )
            await client.follow(Samples.match.text)
            try await eventually("the follow is stored") { await client.pendingChanges.isEmpty }
            // The store of matches is at revision 7, which the answer to the activity's registration draws.
            stores.receipts.published(Samples.match, 7, hash: 7, at: ServiceClock().wall)
            let token = String(repeating: "ab", count: 40)
            host.begin(ObservedActivity(id: "A-1", matchID: Samples.match.text, token: token, revision: 5))
            try await eventually("the state is confirmed") {
                clock.advance(by: .seconds(1))
                return try await counts.numbers(of: Samples.match).confirmed == 1
            }
            let numbers = try await counts.numbers(of: Samples.match)
            #expect(numbers.accepted == 0 && numbers.unknown == 0, "drawn from an answer, without a push")

            stores.receipts.published(Samples.match, 8, hash: 8, at: ServiceClock().wall)
            #expect(try await counts.numbers(of: Samples.match).confirmed == 0)
            await host.update("A-1", to: try Self.state(8), staleAt: 0, timestamp: nil)
            try await eventually("the next state is confirmed") {
                clock.advance(by: .seconds(1))
                return try await counts.numbers(of: Samples.match).confirmed == 1
            }
            running.cancel()
            await running.value
        }
    }

    private static func state(_ revision: Int64) throws -> LiveActivityAttributes.ContentState {
        let bytes = try Samples.view(revision).publication.contentState
        return try JSONDecoder().decode(LiveActivityAttributes.ContentState.self, from: Data(bytes))
    }
}
