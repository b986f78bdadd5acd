// An app that does what the example does reaches a channel: ActivityKit's journal says so, since no app can.

import MatchJournal
import Postgres
import ScoreClient
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import Simulators

/// The code of `Examples/ScoreBoard`: one client for each process, a follow and a start.
private final class ExampleApp: Sendable {
    private struct State {
        var client: LiveScoreClient?
        var running: Task<Void, Never>?
    }

    private let server: PhoneServer
    private let release: IOSRelease
    private let storage = PhoneStorage()
    private let state = Mutex(State())

    init(server: PhoneServer, release: IOSRelease) { (self.server, self.release) = (server, release) }

    var client: LiveScoreClient? { state.withLock { $0.client } }

    func take(_ process: AppProcess, _ signal: AppSignal) {
        switch signal {
        case .launched: launch(process)
        case .enteredForeground: call { await $0.enterForeground() }
        case .alertToken(let token): call { await $0.setAlertToken(token) }
        default: break
        }
    }

    func stop() { state.withLock { $0.running }?.cancel() }

    private func call(_ body: @escaping @Sendable (LiveScoreClient) async -> Void) {
        if let client { Task { await body(client) } }
    }

    private func launch(_ process: AppProcess) {
        let client = LiveScoreClient(
            transport: PhoneTransport(
                server: server,
                network: PhoneNetwork(seed: 1, isReachable: { process.reachesNetwork })
            ),
            credentials: storage,
            records: storage.records,
            host: process,
            clock: process.clock
        )
        let device = DeviceDescription(
            bundleId: APNsTestAccount.bundleID,
            appBuild: "1",
            osVersion: release.rawValue,
            apnsEnvironment: .sandbox,
            frequentPushesEnabled: true,
            channelsSupported: release.hasChannels
        )
        let running = Task {
            await client.describe(device)
            await client.run()
        }
        state.withLock { $0 = State(client: client, running: running) }
    }
}

@Suite(.timeLimit(.minutes(2))) struct ExampleAppTests {
    @Test(
        "a follow and a start as in the example reach a channel, with usual and with own moments",
        arguments: [IOSRelease.ios18, .ios26],
        [FollowChoices(), FollowChoices(moments: [.wicket, .result])]
    )
    func theExampleReachesAChannel(release: IOSRelease, choices: FollowChoices) async throws {
        try await PhonesOfNode.run([], seed: 1) { rig in
            try await rig.report(balls: 1)
            let match = PhonesOfNode.match.text
            let app = ExampleApp(server: rig.server, release: release)
            let phone = SimulatedPhoneSystem(
                number: 1,
                release: release,
                seed: 7,
                environment: rig.environment,
                app: { app.take($0, $1) }
            )
            phone.openApp()
            try await eventually("the match is known") { (try? await app.client?.match(match)) != nil }
            let client = try #require(app.client)
            await client.follow(match, choices)
            _ = try? await client.startActivity(of: match)

            let revision = try await rig.report(balls: 2)
            try await eventually("its channel delivers the next ball") {
                phone.cards.map(\.revision) == [revision]
            }
            let starts = phone.journal.compactMap { entry in
                if case .started(_, match, _, let onChannel) = entry.event { onChannel } else { nil }
            }
            #expect(!starts.isEmpty && starts.allSatisfy { $0 }, "\(phone.journal.map(\.event))")
            let reported = Statement("select count(*) from activity where state = 1 and channel_id is not null")
            try await eventually("the server knows its channel") { try await rig.setup.number(reported) == 1 }
            phone.switchOff()
            app.stop()
        }
    }
}
