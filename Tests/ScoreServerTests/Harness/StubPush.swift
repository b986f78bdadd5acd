// A way to APNs with a chosen state, and attempts that a test makes up.

import HTTP2
import ScoreTypes
import Synchronization
import Testing

@testable import PushDispatcher
@testable import ScoreServer

/// The way to APNs in tests; production is the environment that it serves.
final class StubPush: PushControl {
    let history: AttemptHistory
    /// The finding of the next probe.
    let finding = Mutex(KeyProbe.Finding.good(duration: .milliseconds(80)))
    let isServing: Bool
    private let reports = Mutex<[PushEnvironment: ProbeReport]>([:])
    private let resets = Mutex(0)
    private let clock: ServiceClock

    init(clock: ServiceClock = ServiceClock(), isServing: Bool = true) {
        (self.clock, self.isServing) = (clock, isServing)
        history = AttemptHistory(clock: clock)
    }

    var resetCount: Int { resets.withLock { $0 } }

    func status() async -> DispatcherStatus? {
        guard isServing else { return nil }
        var gauges = LaneGauges()
        (gauges.connections, gauges.connectionsOpen, gauges.streamsInUse, gauges.streamsAllowed) = (2, 2, 7, 1000)
        var counts = [Int](repeating: 0, count: PayloadKind.allCases.count)
        (counts[PayloadKind.start.index], counts[PayloadKind.end.index]) = (3, 2)
        gauges.lifecycle = QueueGauge(waiting: counts, retrying: 1, oldest: .milliseconds(120))
        var trips = RoundTrips()
        trips.add((1...100).map { .milliseconds($0) })
        let environment = DispatcherStatus.Environment(
            environment: .production,
            isPaused: false,
            accepted: 41,
            rejected: 2,
            failed: 1,
            expired: 0,
            gauges: gauges,
            quarantinesWithheld: 0,
            providerTokenAge: .seconds(600),
            providerTokensMinted: 1,
            keyID: "ABCDEFGHIJ",
            host: "api.push.apple.com",
            topic: "app.score.push-type.liveactivity",
            roundTrips: trips
        )
        return DispatcherStatus(
            environments: [environment],
            matches: [],
            unrecordedSends: 0,
            startsWaiting: 12,
            endsWaiting: 4,
            lanes: 1
        )
    }

    func resetBreaker(_ environment: PushEnvironment) async -> Bool {
        guard environment == .production else { return false }
        resets.withLock { $0 += 1 }
        return true
    }

    func probe(_ environment: PushEnvironment) async -> ProbeReport? {
        guard environment == .production else { return nil }
        let report = ProbeReport(at: clock.wall, finding: finding.withLock { $0 })
        reports.withLock { $0[environment] = report }
        return report
    }

    func probes() -> [PushEnvironment: ProbeReport] { reports.withLock { $0 } }

    func reloadKey() async throws(SigningError) -> KeyReload? { .replaced("BBBBBBBBBB") }
}

extension PushAttempt {
    /// A try of an update; the same device and revision give the same id.
    static func sample(
        _ outcome: PushOutcome,
        _ reason: APNsReason,
        status: Int,
        number: Int = 1,
        revision: Int64 = 7,
        device: DeviceID = DeviceID(high: 1, low: 2),
        match: String = "ipl-final",
        isFinal: Bool? = nil,
        body: String? = nil
    ) throws -> PushAttempt {
        let id = MatchID(unchecked: match)
        let isRepeated = if case .failed = outcome { true } else { false }
        let token = try #require(PushToken(bytes: Array(repeating: 0xab, count: 32)))
        var attempt = PushAttempt(
            operation: .update,
            isBroadcast: false,
            match: id,
            revision: revision,
            environment: .production,
            number: number,
            isFinal: isFinal ?? !isRepeated,
            outcome: outcome,
            status: status,
            reason: reason,
            sentAt: .seconds(5),
            duration: .milliseconds(80),
            seed: RequestSeed(match: id, revision: revision, kind: .update, key: []),
            device: device,
            generation: 1,
            recipient: .token(token)
        )
        attempt.body = body.map { BodyBytes(Array($0.utf8)) }
        return attempt
    }
}
