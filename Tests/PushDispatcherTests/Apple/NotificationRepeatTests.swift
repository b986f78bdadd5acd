// A notification is repeated with its alert only if APNs certainly did not process it.

import HTTP2
import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2)))
struct NotificationRepeatTests {
    /// Sends a notification whose first request meets an interference.
    ///
    /// Returns what the phone received and the outcomes.
    private func send(_ interference: APNsInterference) async throws -> (phone: Screen, outcomes: [PushOutcome]) {
        let apple = try await AppleSide()
        let phone = apple.phones(0..<1, kind: .alert)[0]
        await apple.simulator.interfere { $0.number == 1 ? interference : nil }
        var configuration = try apple.configuration()
        configuration.requestTimeout = .seconds(1)
        let node = Node(configuration)
        await node.dispatcher.notify([Fixture.recipient(0)], of: Fixture.match, Fixture.notification("w1"))
        try await eventually("it has its outcome", within: .seconds(40)) { node.outcomes.all.count == 1 }
        await node.stop()
        await apple.simulator.stop()
        return (phone, node.outcomes.all.map(\.outcome))
    }

    @Test(
        "A4, 4: a notification that may have arrived is repeated without its alert",
        arguments: [APNsInterference.cutAfter, .silenceAfter]
    )
    func aNotificationWhoseAnswerIsLostAlertsOnce(interference: APNsInterference) async throws {
        let (phone, outcomes) = try await send(interference)
        #expect(outcomes == [.accepted])
        #expect(phone.all.map(\.hasAlert) == [true, false])
        #expect(phone.all.map(\.priority) == [10, 5])
        #expect(phone.all.map(\.collapseID) == ["w1", "w1"], "the second replaces the first")
    }

    @Test(
        "4: a lost notification is listed by its repetition, without an alert",
        arguments: [APNsInterference.cut, .silence]
    )
    func aLostNotificationIsListed(interference: APNsInterference) async throws {
        let (phone, outcomes) = try await send(interference)
        #expect(outcomes == [.accepted])
        #expect(phone.all.map(\.hasAlert) == [false] && phone.all.map(\.collapseID) == ["w1"])
    }

    @Test(
        "A3, 3: a notification that APNs certainly did not process keeps its alert",
        arguments: [
            APNsInterference.refuse, .goAway, .answer(status: 503, reason: "Shutdown"),
            .answer(status: 500, reason: "InternalServerError"),
        ]
    )
    func anUnprocessedNotificationKeepsItsAlert(interference: APNsInterference) async throws {
        let (phone, outcomes) = try await send(interference)
        #expect(outcomes == [.accepted])
        #expect(phone.all.map(\.hasAlert) == [true] && phone.all.map(\.priority) == [10])
    }

    @Test("a cut connection leaves at most a hundred notifications without an answer")
    func openNotificationsAreBounded() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<600, kind: .alert)
        let isCut = Mutex(false)
        await apple.simulator.interfere { arrival in
            // Late answers keep as many requests open as the dispatcher permits.
            guard arrival.number >= 300, !isCut.withLock({ $0 }) else { return .delay(.milliseconds(300)) }
            isCut.withLock { $0 = true }
            return .cut
        }
        let node = Node(try apple.configuration())
        await node.dispatcher.notify((0..<600).map(Fixture.recipient), of: Fixture.match, Fixture.notification("w1"))
        try await eventually("all have an outcome", within: .seconds(40)) { node.outcomes.all.count == 600 }
        #expect(screens.allSatisfy { !$0.all.isEmpty && $0.alerts <= 1 })
        let silent = screens.count { $0.alerts == 0 }
        #expect((1...PushLimits.directedPerConnection).contains(silent), "\(silent)")
        #expect(apple.simulator.statistics.streamsMost <= PushLimits.directedPerConnection)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test func aRefusalAfterATryOfUnknownOutcomeDoesNotMakeItCertain() throws {
        let push = DirectedPush(
            ticket: 1,
            kind: .alert,
            match: Fixture.match,
            target: .init(Fixture.recipient(0)),
            body: BodyBytes([1]),
            priority: .ten,
            expiration: 300,
            seed: RequestSeed(match: Fixture.match, revision: 1, kind: .alert, key: []),
            whenAmbiguous: .replace(BodyBytes([2, 2])),
            repeatsWhenFailed: true
        )
        let refused = try #require(push.next(after: .refused))
        #expect(refused.body.count == 1 && refused.priority == .ten)
        #expect(refused.outcome(.failed(.server)) == .failed(.server))
        let repeated = try #require(refused.next(after: .ambiguous))
        #expect(repeated.body.count == 2 && repeated.priority == .five)
        let again = try #require(repeated.next(after: .ambiguous)?.next(after: .server))
        #expect(again.body.count == 2)
        #expect(again.outcome(.failed(.server)) == .failed(.ambiguous) && again.outcome(.accepted) == .accepted)
    }

    @Test func aCollapseIDIsVisibleShortAndDifferentForEachMoment() {
        func header(_ id: String) -> String {
            NotificationContent(payload: [], passivePayload: nil, collapseID: id).collapseHeader
        }
        let match = String(repeating: "m", count: 64)
        #expect(header("w:1:4/ipl-final") == "w:1:4/ipl-final")
        let ids = ["w:1:4/\(match)1", "w:1:4/\(match)2", "b50:1:Müller/m1", "b50:1:a b/m1"].map(header)
        #expect(Set(ids).count == 4)
        #expect(ids.allSatisfy { $0.utf8.count == 64 && $0.allSatisfy(\.isHexDigit) })
    }
}
