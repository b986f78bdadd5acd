// The client of an app, with real time and a real network, against a server process.

import Foundation
import LiveSurface
import ScoreClient
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import ScoreLab

/// Keeps the credential of a test.
private final class KeptCredential: CredentialStore {
    private let text = Mutex<String?>(nil)

    var current: String? { text.withLock { $0 } }
    func read() throws(CredentialStoreError) -> String? { current }
    func write(_ credential: String) throws(CredentialStoreError) { text.withLock { $0 = credential } }
    func remove() throws(CredentialStoreError) { text.withLock { $0 = nil } }
}

/// Keeps the record of a test.
private final class KeptRecord: Sendable {
    let data = Mutex<Data?>(nil)

    func store(_ new: Data) { data.withLock { $0 = new } }
}

/// A system with one activity, whose updates and ends a test reads.
private final class OneActivity: ActivityHost {
    private let stream: AsyncStream<ActivityEvent>
    let writer: AsyncStream<ActivityEvent>.Continuation
    let listed = Mutex<[ObservedActivity]>([])
    let drawn = Mutex<[Int64]>([])
    let ended = Mutex<[String]>([])

    init() { (stream, writer) = AsyncStream.makeStream(of: ActivityEvent.self, bufferingPolicy: .unbounded) }

    func events() -> AsyncStream<ActivityEvent> { stream }
    func activities() async -> [ObservedActivity] { listed.withLock { $0 } }
    func start(_ start: ActivityStart) async throws(ActivityStartError) -> ObservedActivity { throw .unsupported }
    func update(
        _ id: String,
        to state: LiveActivityAttributes.ContentState,
        staleAt: Int64,
        timestamp: Int64?
    ) async {
        drawn.withLock { $0.append(state.rev) }
    }
    func end(_ id: String) async { ended.withLock { $0.append(id) } }
}

@Suite(.timeLimit(.minutes(5))) struct LiveClientTests {
    private static let device = DeviceDescription(
        bundleId: APNsTestAccount.bundleID,
        appBuild: "7",
        osVersion: "18.1",
        apnsEnvironment: .sandbox,
        quietHours: .init(from: "22:30", until: "07:00")
    )

    private static func withServer(_ body: (URLSessionTransport) async throws -> Void) async throws {
        let teardown = Teardown()
        let result: Result<Void, any Error>
        do {
            let server = try await ClientHistoriesRun.startServer(keepsFolder: false, say: { _ in }, undoneBy: teardown)
            let base = try #require(URL(string: "http://127.0.0.1:\(server.publicPort)"))
            result = .success(try await body(URLSessionTransport(base: base)))
        } catch {
            result = .failure(error)
        }
        await teardown.run()
        try result.get()
    }

    /// The body of an answer to a device, or its status when it is no success.
    private static func read(_ path: String, _ credential: String?, _ transport: URLSessionTransport) async throws
        -> String
    {
        let headers = ["authorization": "Bearer \(credential ?? "")"]
        let response = try await transport.send(ClientRequest(.get, path, headers: headers))
        return response.status == 200 ? String(decoding: response.body, as: UTF8.self) : "\(response.status)"
    }

    @Test("C21: an activity is drawn, dismissed and not registered again")
    func anActivityIsDrawnDismissedAndNotRegisteredAgain() async throws {
        try await Self.withServer { transport in
            let (credentials, record, host) = (KeptCredential(), KeptRecord(), OneActivity())
            let client = LiveScoreClient(
                transport: transport,
                credentials: credentials,
                records: RecordStore(read: { record.data.withLock { $0 } }, write: { record.store($0) }),
                host: host
            )
            let run = Task { await client.run() }
            defer { run.cancel() }
            await client.describe(Self.device)
            await client.follow("m0")
            let token = String(repeating: "cd", count: 40)
            let activity = ObservedActivity(id: "A-1", matchID: "m0", token: token)
            host.listed.withLock { $0 = [activity] }
            host.writer.yield(.started(activity))
            try await eventually("the newest state is drawn") { !host.drawn.withLock { $0.isEmpty } }
            let revision = try await client.match("m0").rev
            #expect(host.drawn.withLock { $0.allSatisfy { $0 == revision } })
            host.listed.withLock { $0 = [] }
            host.writer.yield(.ended(activityID: "A-1", isDismissed: true))
            try await eventually("the dismissal is confirmed") {
                let isSettled = await client.receiveBackgroundPush()
                return await client.pendingChanges.isEmpty && isSettled
            }
            host.writer.yield(.started(activity))
            try await eventually("the server has ended it") { host.ended.withLock { $0 == ["A-1"] } }
        }
    }

    @Test func anAppRegistersFollowsRotatesAndErases() async throws {
        try await Self.withServer { transport in
            let credentials = KeptCredential()
            let record = KeptRecord()
            let client = LiveScoreClient(
                transport: transport,
                credentials: credentials,
                records: RecordStore(read: { record.data.withLock { $0 } }, write: { record.store($0) })
            )
            let run = Task { await client.run() }
            defer { run.cancel() }
            await client.describe(Self.device)
            await client.setAlertToken(String(repeating: "ab", count: 40))
            await client.follow("m0", FollowChoices(teamIntent: HistoryMatches.team(1), moments: [.wicket]))
            await client.follow("nowhere")
            try await eventually("everything is confirmed") { await client.receiveBackgroundPush() }
            #expect(await client.follows.keys.sorted() == ["m0"], "an unknown match is not followed")
            let first = credentials.current
            let follows = try await Self.read("/v1/devices/me/follows", first, transport)
            #expect(follows.contains(#""teamIntent":"csk-1""#), "\(follows)")
            #expect(follows.contains(#""alerts":["wicket"]"#), "\(follows)")
            let profile = try await Self.read("/v1/devices/me", first, transport)
            #expect(profile.contains(#""from":"22:30""#) && profile.contains(#""alert":{"#), "\(profile)")

            await client.rotateCredential()
            try await eventually("the credential is replaced") { credentials.current != first }
            #expect(try await Self.read("/v1/devices/me", credentials.current, transport) == profile)
            #expect(try await client.match("m0").teams.map(\.id) == [HistoryMatches.team(0), HistoryMatches.team(1)])
            #expect(try await client.matches(status: "live").items.count == HistoryMatches.count)

            let last = credentials.current
            await client.erase()
            try await eventually("the device is erased") { credentials.current == nil }
            #expect(try await Self.read("/v1/devices/me", last, transport) == "401")
        }
    }
}
