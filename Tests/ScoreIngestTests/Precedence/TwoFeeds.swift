// Two feeds of one match with different ids, on one journal.

import JournalSamples
import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// Two feeds and their sinks, on their own journal.
struct TwoFeeds {
    static let one = FeedID(unchecked: "one")
    static let two = FeedID(unchecked: "two")

    let bench: JournalBench
    let clock = ManualClock()
    let intakes: MatchIntakes
    var first: any ReplySink
    var second: any ReplySink

    init() async throws {
        let bench = try await JournalBench()
        self.bench = bench
        intakes = bench.intakes([Self.one: 1, Self.two: 2], clock: clock.clock())
        first = await intakes.open(Scorebook.match, Self.one)
        second = await intakes.open(Scorebook.match, Self.two)
    }

    func say(_ book: Scorebook, _ feed: FeedID) async throws -> Acceptance {
        let isFirst = feed == Self.one
        let source = JournalSource(isFirst ? .sportmonks : .roanuz, feed)
        let snapshot = isFirst ? book.snapshot : Self.foreign(book.snapshot)
        let reply = SeenReply(snapshot, seenAt: clock.clock().wall, source: source)
        return try await (isFirst ? first : second).accept(reply).acceptance
    }

    /// The match in another provider's form: other ids, other keys, the sides in reverse order.
    static func foreign(_ snapshot: MatchSnapshot) -> MatchSnapshot {
        var renaming = Renaming(team: { "team-\($0)" }, player: { "p-\($0)" })
        var reported = renaming.apply(to: snapshot)
        reported.info.teams = reported.info.teams.map { team in
            TeamInfo(id: team.id, name: team.name, players: team.players)
        }
        reported.info.teams.swapAt(0, 1)
        for index in reported.innings.indices {
            reported.innings[index].batting = reported.innings[index].batting.opponent
        }
        for index in reported.deliveries.indices {
            reported.deliveries[index].key = DeliveryKey("x\(index)")
            reported.deliveries[index].order = OrderKey(Int64(index))
        }
        return reported
    }

    static func begun() -> Scorebook {
        var book = Scorebook.begun
        let players = ["Rohit Sharma", "Ishan Kishan", "Surya", "Hardik"].map(Scorebook.player)
        book.info.teams[0] = TeamInfo(id: "MI", name: "Mumbai Indians", abbreviation: "MI", players: players)
        for runs in [1, 4, 0, 2] { book.ball(runs) }
        return book
    }
}
