// A whole dispatcher over the true arena, with everything but Postgres behind it.

import FollowService
import Foundation
import LiveActivities
import Postgres
import PushDispatcher
import ScoreTypes
import Simulators

/// A running dispatcher with its tokens.
final class FanoutFixture: Sendable {
    static let environment = PushEnvironment.production
    static let match = MatchID(unchecked: "bench-final")
    /// Other matches, with few followers each, that play beside the large one.
    static let smallMatch = smallMatch(0)
    static func smallMatch(_ number: Int) -> MatchID { MatchID(unchecked: "bench-small-\(number)") }

    let dispatcher: Dispatcher
    let progress: BenchProgress
    let attempts: BenchAttempts
    let clock = ServiceClock()
    private let work: Task<Void, Never>
    /// Keeps the arenas current; nil for arenas without a database.
    private let following: Task<Void, Never>?

    /// Fills the arena and starts the dispatcher on a core, any for -1; returns when its connections are open.
    init(
        tokens: Int,
        sink: BenchSink,
        lanes: Int,
        core: Int,
        smallMatches: Int = 1,
        smallMatchTokens: Int = 0,
        channel: ChannelID? = nil,
        connections: ConnectionsText = .fixed(LabLimits.connections),
        observesAttempts: Bool = false
    ) async throws {
        if core >= 0 { try ProcessMeter.pin(to: core) }
        let attempts = BenchAttempts()
        self.attempts = attempts
        progress = BenchProgress()
        following = nil
        let clock = clock
        dispatcher = try Self.dispatcher(
            tokens: try await Self.arena(tokens, smallMatches, smallMatchTokens, clock),
            sink: sink,
            progress: progress,
            attempts: observesAttempts ? attempts : nil,
            channel: channel,
            clock: clock
        ) {
            $0.lanes = lanes
            ($0.connectionsPerEnvironment, $0.connectionsMax) = connections.bounds
        }
        work = Task { [dispatcher] in await dispatcher.run() }
        try await untilConnected()
    }

    /// Starts the dispatcher of arenas that `following` fills; returns when its connections are open.
    init(
        arenas: ArenaIndex,
        sink: BenchSink,
        progress: BenchProgress,
        attempts: BenchAttempts,
        following: Task<Void, Never>
    ) async throws {
        (self.progress, self.attempts, self.following) = (progress, attempts, following)
        dispatcher = try Self.dispatcher(
            tokens: arenas,
            sink: sink,
            progress: progress,
            attempts: attempts,
            channel: nil,
            clock: clock
        ) { $0.connectionsMax = LabLimits.benchConnections }
        work = Task { [dispatcher] in await dispatcher.run() }
        try await untilConnected()
    }

    private static func dispatcher(
        tokens: ArenaIndex,
        sink: BenchSink,
        progress: BenchProgress,
        attempts: BenchAttempts?,
        channel: ChannelID?,
        clock: ServiceClock,
        change: (inout DispatcherConfiguration) -> Void
    ) throws -> Dispatcher {
        let pair = try SigningKeyPair()
        let server = DispatcherConfiguration.Endpoint(host: sink.host, port: sink.port)
        var configuration = DispatcherConfiguration(
            bundleID: "app.score.bench",
            teamID: "TEAMTEAM01",
            keyID: "KEYKEYKEY1",
            signingKey: try SigningKey(pem: pair.privatePEM),
            environments: [environment: DispatcherConfiguration.Endpoints(push: server, management: server)],
            authorities: sink.authority
        )
        change(&configuration)
        return Dispatcher(
            configuration: configuration,
            tokens: tokens,
            progress: progress,
            channels: BenchChannels(match: match, channel: channel, environment: environment, now: clock.wall),
            providerTokens: BenchProviderTokens(),
            clock: clock,
            attempts: attempts,
            idKey: pair.publicPEM
        )
    }

    /// Ends the dispatcher.
    func stop() async {
        work.cancel()
        await work.value
        following?.cancel()
        await following?.value
    }

    /// Publishes one state and waits until all tokens of the match are accounted for.
    func send(_ publication: PushPublication) async {
        await dispatcher.publish(publication)
        await progress.all(of: publication.match, at: publication.revision.number)
    }

    /// Requests that were accepted so far.
    func accepted() async -> Int { await dispatcher.status().environments.first?.accepted ?? 0 }

    /// Open connections.
    func openConnections() async -> Int {
        await dispatcher.status().environments.first?.gauges.connectionsOpen ?? 0
    }

    private func untilConnected() async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while await dispatcher.status().environments.first?.gauges.connectionsOpen == 0 {
            guard ContinuousClock.now < deadline else { throw MeasurementFailure("the sink cannot be reached") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private static func arena(
        _ tokens: Int,
        _ smallMatches: Int,
        _ smallMatchTokens: Int,
        _ clock: ServiceClock
    ) async throws -> ArenaIndex {
        // Never connected to: nothing here is read or written.
        let nowhere = ConnectionInfo("host=/nonexistent")
        let pool = Pool(nowhere, size: 1, name: "bench")
        let arenas = ArenaIndex(info: nowhere, pool: pool, clock: clock)
        try await arenas.own(Bucket.all)
        let small = (0..<smallMatches).map { (smallMatch($0), smallMatchTokens, UInt64(8 + $0)) }
        for (match, count, series) in [(match, tokens, UInt64(7))] + small {
            let followers = BenchFollowers(series: series, startedAt: clock.wall, matches: [match])
            var number = 0
            arenas.fill(match) { put in
                guard number < count else { return false }
                let call = followers.registration(number, round: 1)
                number += 1
                guard case .token(let token) = call.route else { return true }
                token.bytes.withUnsafeBytes { bytes in
                    let activity = HeldActivity(
                        device: call.device,
                        generation: 1,
                        startedAt: 0,
                        environment: environment
                    )
                    put(ArenaEntry(activity, token: bytes))
                }
                return true
            }
        }
        return arenas
    }
}
