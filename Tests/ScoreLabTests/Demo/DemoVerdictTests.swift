// Each part of a demo that did not work is named; a demo in which nothing happened is not right.

import MatchEngine
import ScoreTypes
import Testing

@testable import MatchJournal
@testable import ScoreLab
@testable import Simulators

@Suite struct DemoVerdictTests {
    private static func ball(_ number: Int64, isWicket: Bool = false) -> Delivery {
        let striker = Player(id: "rohit", name: "Rohit Sharma")
        return Delivery(
            key: DeliveryKey("1.\(number)"),
            order: OrderKey(number),
            innings: 1,
            over: 0,
            striker: striker,
            nonStriker: Player(id: "ishan", name: "Ishan Kishan"),
            bowler: Player(id: "chahar", name: "Deepak Chahar"),
            runs: DeliveryRuns(bat: 1),
            dismissals: isWicket ? [Dismissal(kind: .bowled, out: striker)] : []
        )
    }

    private static func tally(_ changes: [Change]) -> JournalTally {
        changes.enumerated().reduce(into: JournalTally()) { tally, change in
            let revision = Int64(change.offset + 1)
            tally.take(JournalEntry(revision: revision, at: Instant(milliseconds: 0), change: change.element))
        }
    }

    /// Two balls with a wicket, and the result.
    private static let match: [Change] = [
        .inserted(ball(1)), .inserted(ball(2, isWicket: true)), .result(ProviderResult(kind: .won)),
    ]

    /// A demo without a fault.
    private static func right() -> DemoVerdict {
        var (pushes, phones) = (PushStatistics(), PhoneFleetReport(phones: 10))
        pushes.acceptedWithAlert = 10
        (phones.reachable, phones.reachableAtNewest, phones.started, phones.ended) = (9, 9, 10, 9)
        return DemoVerdict(
            isOver: true,
            hasWinner: true,
            newest: 3,
            balls: 2,
            served: 2,
            journal: tally(match),
            pushes: pushes,
            phones: phones,
            stream: StreamWatcher.Report(revisions: 3, wentBack: 0, newest: 3),
            repeats: AlertRepeats([], changes: [])
        )
    }

    /// The faults after a change of the right demo.
    private static func faults(_ change: (inout DemoVerdict) -> Void) -> [String] {
        var verdict = right()
        change(&verdict)
        return verdict.faults
    }

    @Test func aDemoWithoutAFaultIsRight() {
        #expect(Self.right().faults.isEmpty)
    }

    @Test func aMatchThatDidNotEndIsAFault() {
        let unfinished = Self.faults { $0.isOver = false }
        #expect(unfinished == ["The match is not over in the journal; the newest publication is revision 3."])
        #expect(Self.faults { $0.journal = Self.tally(Array(Self.match.dropLast())) }.count == 1)
        #expect(Self.faults { $0.newest = 2 } == ["Revision 3 has a ball or the result; the newest publication is 2."])
        let abandoned = Self.faults {
            $0.hasWinner = false
            $0.journal = Self.tally(Array(Self.match.dropLast()))
        }
        #expect(abandoned.isEmpty)
    }

    @Test func aBallThatIsMissingOnTheWayIsAFault() {
        #expect(Self.faults { $0.balls = 3 } == ["The server has read 2 of 3 balls."])
        let lost = Self.faults { $0.journal = Self.tally(Self.match + [.withdrawn(DeliveryKey("1.1"))]) }
        #expect(lost == ["The journal has 1 of the 2 balls that were read."])
        #expect(Self.faults { $0.ballsWithoutPush = 1 } == ["1 balls have no push at or after their revision."])
        let alone = Self.faults {
            $0.ballsWithoutPush = 2
            $0.phones = PhoneFleetReport()
        }
        #expect(alone.isEmpty, "no phone follows the match")
        let repeated = Self.faults { verdict in
            (verdict.journal, verdict.newest) = (Self.tally([.inserted(Self.ball(3))] + Self.match), 4)
            verdict.stream.newest = 4
        }
        #expect(repeated == ["The journal has 3 of the 2 balls that were read."])
        let late = Self.faults { $0.ballToFirstPushMedian = .seconds(6) }
        #expect(late == ["Half of the balls were pushed more than 6.0 seconds after they were served."])
    }

    @Test func aMatchWithoutAlertsOrActivitiesIsAFault() {
        let verdict = Self.right()
        let silent = DemoVerdict(
            isOver: true,
            newest: 3,
            balls: 2,
            served: 2,
            journal: verdict.journal,
            pushes: PushStatistics(),
            phones: verdict.phones,
            stream: verdict.stream,
            repeats: verdict.repeats
        )
        #expect(silent.faults == ["1 wickets fell, and no push but starts had an alert."])
        let startsAlone = Self.faults { verdict in
            (verdict.pushes.acceptedWithAlert, verdict.pushes.events) = (5, ["start": 5])
        }
        #expect(startsAlone == silent.faults, "a start has an alert, too")
        #expect(Self.faults { $0.phones.started = 0 } == ["No activity was started on 10 phones."])
        #expect(Self.faults { $0.phones.ended = 0 } == ["No activity was ended on 10 phones."])
    }

    @Test func channelsAndWidgetsThatWereNotUsedAreFaults() {
        #expect(Self.faults { $0.phones.channelPhones = 5 }.count == 1)
        #expect(Self.faults { $0.phones.channelActivities = 5 } == ["No broadcast was sent to the channels."])
        #expect(Self.faults { $0.phones.widgetPhones = 2 } == ["No widget was reloaded on 2 phones."])
    }

    @Test func phonesThatAreBehindOrSilentAreFaults() {
        let behind = Self.faults { $0.phones.reachableAtNewest = 7 }
        #expect(behind == ["2 of 9 reachable phones do not show the newest state."])
        #expect(Self.faults { $0.phones.unconfirmed = 1 }.count == 1)
        #expect(Self.faults { $0.phones.wentBack = 1 }.count == 1)
        #expect(Self.faults { $0.phones.wentBackByOwnDrawing = 1 }.isEmpty)
        #expect(Self.faults { $0.stream.newest = 2 } == ["The stream ends at revision 2, before 3."])
        #expect(Self.faults { $0.kills = 1 }.count == 1)
        #expect(Self.faults { $0.calmLinks = 1 } == ["1 links of the network had no fault."])
        #expect(Self.faults { $0.restarts = 1 } == ["Restarts of the server: 1; planned kills: 0."])
        #expect(Self.faults { ($0.phones.cardsTwice, $0.phones.undecodable) = (1, 1) }.count == 2)
    }

    @Test func aWithdrawnInningsHasNoBalls() {
        let tally = Self.tally(Self.match + [.inningsWithdrawn(ordinal: 1)])
        #expect(tally.balls == 0 && tally.wickets == 0 && tally.newestFact == 3)
        #expect(Self.tally(Self.match + [.result(nil)]).result == nil)
    }
}
