// Simulated phones with the client of apps follow a match at a whole node, whose time a test moves.

import CurlTransfer
import MatchEngine
import MatchSamples
import Postgres
import Providers
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal
@testable import ScoreServer
@testable import Simulators

/// A node, its phones and a match in play.
struct PhonesOfNode: Sendable {
    static let match = MatchID(unchecked: "test-day")
    /// Quotas that no phone of a test reaches.
    static let limits = [
        "READ", "WRITE", "TOKENS", "ACTIVITIES", "TELEMETRY", "REGISTER", "REGISTER_ATTEMPT", "REGISTER_DAILY",
        "REGISTER_ALL",
    ].reduce(into: [String: String]()) { $0["LIMITS_\($1)"] = "100000/1s" }

    let phones: [SimulatedPhone]
    let setup: NodeSetup
    let server: PhoneServer
    private let time: MovedTime
    let environment: PhoneEnvironment
    private let writer: MatchWriter

    /// Runs a node, and phones of these releases, during the body.
    static func run(
        _ releases: [IOSRelease],
        seed: UInt64,
        isNewestApp: @escaping @Sendable (Int) -> Bool = { _ in true },
        _ body: @escaping @Sendable (PhonesOfNode) async throws -> Void
    ) async throws {
        let time = MovedTime()
        let setup = try await NodeSetup(clock: time.phones)
        try await time.prepare(setup.pool)
        let driver = TransferDriver(name: "phones")
        let result: Result<Void, any Error>
        do {
            try await setup.withWholeNode(limits, clock: time.node) { whole in
                let server = PhoneServer(host: APNsTestAccount.host, port: whole.publicClient.port, driver: driver)
                let environment = PhoneEnvironment(network: setup.account.simulator, clock: time.phones)
                let setting = FleetSetting(match: match, server: server, environment: environment)
                let phones = releases.enumerated().map { number, release in
                    SimulatedPhone(
                        number: number,
                        release: release,
                        isNewestApp: isNewestApp(number),
                        faults: FleetFaults.OfPhone(),
                        seed: seed,
                        setting: setting
                    )
                }
                let services = whole.node.services
                let writer = MatchWriter(
                    match: match,
                    feed: FeedID(unchecked: "test"),
                    journal: services.journal,
                    fence: { services.membership.fence() },
                    clock: time.node
                )
                let rig = PhonesOfNode(
                    phones: phones,
                    setup: setup,
                    server: server,
                    time: time,
                    environment: environment,
                    writer: writer
                )
                try await rig.run(body)
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        driver.stop()
        await setup.stop()
        try result.get()
    }

    private func run(_ body: @escaping @Sendable (PhonesOfNode) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for phone in phones { group.addTask { await phone.run() } }
            group.addTask { await environment.schedule.run() }
            let result: Result<Void, any Error>
            do { result = .success(try await body(self)) } catch { result = .failure(error) }
            group.cancelAll()
            try await group.waitForAll()
            try result.get()
        }
    }

    /// Reports a Test with so many balls of the first innings; the revision.
    @discardableResult
    func report(balls: Int, status: MatchStatus = .live) async throws -> Int64 {
        try await writer.report(balls: balls, status: status, seenAt: time.node.wall)
    }

    /// Moves the time of all parts.
    func advance(by span: Duration) async throws {
        try await time.advance(by: span, setup.pool)
        environment.schedule.fireDue()
    }

    /// The time by which the test has moved the clocks.
    var elapsed: Duration { time.total }

    /// The cards of a phone.
    func cards(_ phone: SimulatedPhone) -> [PhoneCard] { phone.system.cards }
}

extension MatchWriter {
    /// Reports a Test with so many balls of the first innings; the revision, 0 for no change.
    @discardableResult
    func report(balls: Int, status: MatchStatus, seenAt: Instant) async throws -> Int64 {
        var info = Samples.info()
        (info.format, info.ballLimit, info.startsAt) = (.test, nil, nil)
        let snapshot = MatchSnapshot(
            info: info,
            innings: [InningsInfo(ordinal: 1, batting: .first)],
            deliveries: Samples.deliveries(balls),
            status: StatusReport(status: status),
            result: nil
        )
        let source = JournalSource(.cricsheet, FeedID(unchecked: "test"))
        let acceptance = try await accept(SeenReply(snapshot, seenAt: seenAt, source: source))
        guard case .applied(let revision) = acceptance else { return 0 }
        return revision.number
    }
}
