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
    let progress = BenchProgress()
    let attempts = BenchAttempts()
    let clock = ServiceClock()
    private let work: Task<Void, Never>

    /// Fills the arena and starts the dispatcher on a core, any for -1; returns when its connections are open.
    init(
        tokens: Int,
        sink: BenchSink,
        lanes: Int,
        core: Int,
        smallMatches: Int = 1,
        smallMatchTokens: Int = 0,
        channel: ChannelID? = nil,
        observesAttempts: Bool = false
    ) async throws {
        if core >= 0 { try ProcessMeter.pin(to: core) }
        let pair = try SigningKeyPair()
        let arenas = try await Self.arena(tokens, smallMatches, smallMatchTokens, clock)
        let server = DispatcherConfiguration.Endpoint(host: sink.host, port: sink.port)
        let configuration = DispatcherConfiguration(
            bundleID: "app.score.bench",
            teamID: "TEAMTEAM01",
            keyID: "KEYKEYKEY1",
            signingKey: try SigningKey(pem: pair.privatePEM),
            environments: [Self.environment: DispatcherConfiguration.Endpoints(push: server, management: server)],
            authorities: sink.authority,
            lanes: lanes
        )
        let dispatcher = Dispatcher(
            configuration: configuration,
            tokens: arenas,
            progress: progress,
            channels: BenchChannels(
                match: Self.match,
                channel: channel,
                environment: Self.environment,
                now: clock.wall
            ),
            providerTokens: BenchProviderTokens(),
            clock: clock,
            attempts: observesAttempts ? attempts : nil,
            idKey: pair.publicPEM
        )
        self.dispatcher = dispatcher
        work = Task { await dispatcher.run() }
        try await untilConnected()
    }

    /// Ends the dispatcher.
    func stop() async {
        work.cancel()
        await work.value
    }

    /// Publishes one state and waits until all tokens of the match are accounted for.
    func send(_ publication: PushPublication) async {
        await dispatcher.publish(publication)
        await progress.all(of: publication.match, at: publication.revision.number)
    }

    /// Requests that were accepted so far.
    func accepted() async -> Int { await dispatcher.status().environments.first?.accepted ?? 0 }

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
