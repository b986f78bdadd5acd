// The demo's delay joins balls with the publications that show them.

import MatchEngine
import MatchSamples
import Providers
import ScoreTypes
import Testing

@testable import MatchJournal
@testable import ScoreIngest
@testable import ScoreLab
@testable import Simulators

struct BallTimesTests {
    private static func seconds(_ first: Int, _ last: Int) -> RevisionTimes {
        RevisionTimes(first: .seconds(first), last: .seconds(last))
    }

    private static func span(_ first: Int, _ last: Int) -> BallTimes.Span {
        BallTimes.Span(first: .seconds(first), last: .seconds(last))
    }

    private static func ball(_ number: Int64) -> Delivery {
        Delivery(
            key: DeliveryKey("1.\(number)"),
            order: OrderKey(number),
            innings: 1,
            over: Int(number) / 6,
            striker: Player(id: "rohit", name: "Rohit Sharma"),
            nonStriker: Player(id: "ishan", name: "Ishan Kishan"),
            bowler: Player(id: "chahar", name: "Deepak Chahar"),
            runs: DeliveryRuns(bat: 1)
        )
    }

    /// A journal in which the given revisions contain a ball and all others a status; two entries are read at once.
    private static func reader(
        balls: Set<Int64>,
        upTo head: Int64
    ) -> @Sendable (_ after: Int64) async throws -> [JournalEntry] {
        { after in
            (after + 1...max(after + 1, head)).prefix(2).filter { $0 <= head }.map { revision in
                let change =
                    balls.contains(revision) ? Change.inserted(ball(revision)) : .status(StatusReport(status: .live))
                return JournalEntry(revision: revision, at: Instant(milliseconds: 0), change: change)
            }
        }
    }

    @Test func aBallIsShownByTheNextPublicationAtOrBehindIt() async throws {
        var times = BallTimes()
        // Balls at 2, 3 and 6; published were 3 (both balls of one reply) and 7.
        let spans = try await times.next(
            served: [.seconds(10), .seconds(11), .seconds(20)],
            pushed: [3: Self.seconds(12, 15), 7: Self.seconds(21, 29)],
            entries: Self.reader(balls: [2, 3, 6], upTo: 7)
        )
        #expect(spans == [Self.span(2, 5), Self.span(1, 4), Self.span(1, 9)] && times.withoutPush == 0)
    }

    @Test func aLaterReadContinuesAndCountsNoBallTwice() async throws {
        var times = BallTimes()
        let served: [Duration] = [.seconds(10), .seconds(20), .seconds(30)]
        var pushed: [Int64: RevisionTimes] = [1: Self.seconds(11, 12), 3: Self.seconds(23, 24)]
        pushed[5] = Self.seconds(35, 36)
        let read = Self.reader(balls: [1, 3, 5], upTo: 5)
        var seen: [Int64] = []
        let first = try await times.next(served: served, pushed: pushed, upTo: 2, entries: read) {
            seen.append($0.revision)
        }
        let second = try await times.next(served: served, pushed: pushed, entries: read) { seen.append($0.revision) }
        let third = try await times.next(served: served, pushed: pushed, entries: read)
        #expect(first == [Self.span(1, 2)] && second == [Self.span(3, 4), Self.span(5, 6)] && third.isEmpty)
        #expect(seen == [1, 2, 3, 4, 5])
    }

    @Test func ballsWithoutAPublicationOrATimeAreLeftOut() async throws {
        var times = BallTimes()
        // The feed has the times of two balls only, and nothing was published behind the third.
        let spans = try await times.next(
            served: [.seconds(10), .seconds(20)],
            pushed: [2: Self.seconds(22, 23)],
            entries: Self.reader(balls: [1, 2, 3], upTo: 3)
        )
        #expect(spans == [Self.span(12, 13), Self.span(2, 3)] && times.withoutPush == 1)
    }
}
