// Repeated alerts are explained by a restart between their arrivals, and counted by request.

import ScoreTypes
import Testing

@testable import ScoreLab
@testable import Simulators

@Suite struct AlertRepeatsTests {
    private static func alert(_ way: AlertArrival.Way, _ first: Int64, _ again: Int64) -> RepeatedAlert {
        RepeatedAlert(
            title: "Wicket!",
            first: AlertArrival(way: way, acceptedAt: Instant(milliseconds: first)),
            again: AlertArrival(way: .notification, acceptedAt: Instant(milliseconds: again))
        )
    }

    private static func repeats(_ alerts: [RepeatedAlert]) -> AlertRepeats {
        AlertRepeats(alerts, changes: [1_000, 5_000].map { Instant(milliseconds: $0)...Instant(milliseconds: $0) })
    }

    @Test func aRestartBetweenTheArrivalsExplainsARepetition() {
        let repeats = Self.repeats([Self.alert(.token, 960, 2_000), Self.alert(.notification, 4_900, 6_000)])
        #expect(repeats.total == 2 && repeats.unexplained == 0 && repeats.requestsMost == 1)
        #expect(repeats.oldest == .milliseconds(100))
    }

    @Test func aRepetitionByOneProcessIsUnexplained() {
        let early = Self.alert(.token, 100, 900)
        let later = Self.alert(.token, 1_100, 4_900)
        let last = Self.alert(.token, 5_100, 9_000)
        let repeats = Self.repeats([early, later, last])
        #expect(repeats.unexplained == 3 && !repeats.isWithin(1_000))
    }

    @Test func aChangeOfOwnersBetweenTwoLooksExplainsARepetition() {
        let change = Instant(milliseconds: 9_000)...Instant(milliseconds: 10_000)
        func repeats(_ first: Int64, _ again: Int64) -> AlertRepeats {
            AlertRepeats([Self.alert(.token, first, again)], changes: [change])
        }
        #expect(repeats(8_000, 9_500).isWithin(1) && !repeats(8_000, 9_500).isWithin(0))
        #expect(repeats(9_500, 12_000).isWithin(1))
        #expect(repeats(8_000, 8_900).unexplained == 1 && repeats(10_100, 12_000).unexplained == 1)
    }

    @Test func theAlertsOfOneBroadcastAreOneRequest() throws {
        let channel = try #require(ChannelID("dHN0LXNyY2gtY2hubA=="))
        let alerts = [Self.alert(.channel(channel), 900, 2_000), Self.alert(.channel(channel), 900, 2_100)]
        let repeats = Self.repeats(alerts + [Self.alert(.token, 950, 2_000)])
        #expect(repeats.total == 3 && repeats.requestsMost == 2)
        #expect(repeats.isWithin(2) && !repeats.isWithin(1))
    }
}
