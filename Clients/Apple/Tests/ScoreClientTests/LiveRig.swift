// The stores, the host and the network of a client under test, all in memory.

import Foundation
import LiveSurface
import Testing

@testable import ScoreClient

/// A credential in memory, which the test can lock.
final class MemoryCredentials: CredentialStore, Sendable {
    let value = Locked<String?>(nil)
    let isLocked = Locked(false)

    func read() throws(CredentialStoreError) -> String? {
        if isLocked.with({ $0 }) { throw .locked }
        return value.with { $0 }
    }

    func write(_ credential: String) throws(CredentialStoreError) {
        if isLocked.with({ $0 }) { throw .locked }
        value.with { $0 = credential }
    }

    func remove() throws(CredentialStoreError) { value.with { $0 = nil } }
}

/// A system with Live Activities that does what the test says.
final class ScriptedHost: ActivityHost, Sendable {
    let listed = Locked<[ObservedActivity]>([])
    let started = Locked<[ActivityStart]>([])
    let updates = WaitingQueue<(id: String, revision: Int64)>()
    let ends = WaitingQueue<String>()
    /// Starts that wait for the gate.
    let heldStarts = WaitingQueue<Void>()
    /// Holds each start until it has a value; nil for no wait.
    let gate = Locked<Reply<Void, CancellationError>?>(nil)
    private let writer = Locked<AsyncStream<ActivityEvent>.Continuation?>(nil)

    func events() -> AsyncStream<ActivityEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: ActivityEvent.self)
        writer.with { $0 = continuation }
        return stream
    }

    func emit(_ event: ActivityEvent) { writer.with { $0 }?.yield(event) }

    func activities() async -> [ObservedActivity] { listed.with { $0 } }

    func start(_ start: ActivityStart) async throws(ActivityStartError) -> ObservedActivity {
        started.with { $0.append(start) }
        if let gate = gate.with({ $0 }) {
            heldStarts.put(())
            try? await gate.wait(cancelledBy: CancellationError())
        }
        return ObservedActivity(id: "activity", matchID: start.attributes.matchId, revision: start.state.rev)
    }

    func update(
        _ activityID: String,
        to state: LiveActivityAttributes.ContentState,
        staleAt: Int64,
        timestamp: Int64?
    ) async {
        updates.put((activityID, state.rev))
    }

    func end(_ activityID: String) async { ends.put(activityID) }
}

/// A client over a scripted network, host and clock.
struct LiveRig: Sendable {
    let transport = ScriptedTransport()
    let clock = ManualClock()
    let host = ScriptedHost()
    let credentials: MemoryCredentials
    let record: Locked<Data?>
    /// Whether the file protection of a locked phone refuses reads and writes of the record.
    let isRecordLocked: Locked<Bool>
    let client: LiveScoreClient

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - previous: The rig of an app that has ended, whose stores it continues.
    ///   - other: A host in place of the scripted one.
    ///   - surfaces: The snapshots for widgets.
    ///   - isLocked: Whether the record cannot be read yet.
    init(
        after previous: LiveRig? = nil,
        host other: (any ActivityHost)? = nil,
        surfaces: SharedSurfaces? = nil,
        isLocked: Bool = false
    ) {
        let isRecordLocked = Locked(isLocked)
        self.isRecordLocked = isRecordLocked
        let credentials = previous?.credentials ?? MemoryCredentials()
        let record = previous?.record ?? Locked<Data?>(nil)
        self.credentials = credentials
        self.record = record
        client = LiveScoreClient(
            transport: transport,
            credentials: credentials,
            records: Self.store(record, isLocked: isRecordLocked),
            host: other ?? host,
            surfaces: surfaces,
            clock: clock,
            random: { SeededSource(1) }
        )
    }

    private static func store(_ record: Locked<Data?>, isLocked: Locked<Bool>) -> RecordStore {
        let check: @Sendable () throws -> Void = {
            if isLocked.with({ $0 }) { throw CocoaError(.fileReadNoPermission) }
        }
        return RecordStore(
            read: {
                try check()
                return record.with { $0 }
            },
            write: { data in
                try check()
                record.with { $0 = data }
            }
        )
    }

    /// The record as it is stored.
    var stored: ClientRecord { ClientRecord(reading: record.with { $0 }) }

    /// The next request, which has to have a method and a path.
    func next(
        _ method: ClientRequest.Method,
        _ path: String,
        _ location: SourceLocation = #_sourceLocation
    ) async throws -> ScriptedTransport.Exchange {
        let exchange = try await transport.next()
        #expect(exchange.request.method == method, sourceLocation: location)
        #expect(exchange.request.path == path, sourceLocation: location)
        return exchange
    }

    /// Runs the client and registers the device, until no request is due; cancel the task to end the run.
    func register(_ location: SourceLocation = #_sourceLocation) async throws -> Task<Void, Never> {
        let running = Task { await client.run() }
        try await next(.get, "/v1/client-config", location).answer(200)
        await client.describe(ClientRig.device)
        try await next(.post, "/v1/devices", location).answer(201, #"{"credential":"ssd1.a"}"#)
        try await answerReads(location)
        return running
    }

    /// Answers a reconcile report and the list of follows.
    func answerReads(follows: String = "", _ location: SourceLocation = #_sourceLocation) async throws {
        try await next(.post, "/v1/devices/me/reconcile", location).answer(200)
        try await next(.get, "/v1/devices/me/follows", location).answer(200, "{\"items\":[\(follows)]}")
    }
}
