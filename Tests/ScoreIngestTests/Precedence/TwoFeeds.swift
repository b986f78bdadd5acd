// Two feeds of one match behind one desk, in words of their own.

import MatchEngine
import ScoreTypes
import TestSupport

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// Two feeds and their sinks, on a journal of their own.
struct TwoFeeds {
    static let one = FeedID(unchecked: "one")
    static let two = FeedID(unchecked: "two")

    let bench: JournalBench
    let clock = ManualClock()
    let desk: SourceDesk
    var first: any ReplySink
    var second: any ReplySink

    init() async throws {
        let bench = try await JournalBench()
        self.bench = bench
        desk = bench.desk([Self.one: 1, Self.two: 2], clock: clock.clock())
        first = await desk.open(Scorebook.match, Self.one)
        second = await desk.open(Scorebook.match, Self.two)
    }

    func say(_ book: Scorebook, _ feed: FeedID) async throws -> Acceptance {
        let isFirst = feed == Self.one
        let source = JournalSource(isFirst ? .sportmonks : .roanuz, feed)
        let snapshot = isFirst ? book.snapshot : Self.foreign(book.snapshot)
        let reply = SeenReply(snapshot, seenAt: clock.clock().wall, source: source)
        return try await (isFirst ? first : second).accept(reply)
    }

    /// The same match as another provider tells it: other ids, other keys, the sides the other way round.
    static func foreign(_ snapshot: MatchSnapshot) -> MatchSnapshot {
        var renaming = Renaming(team: { "team-\($0)" }, player: { "p-\($0)" })
        var told = renaming.apply(to: snapshot)
        told.info.teams = told.info.teams.map { team in
            TeamInfo(id: team.id, name: team.name, players: team.players)
        }
        told.info.teams.swapAt(0, 1)
        for index in told.innings.indices { told.innings[index].batting = told.innings[index].batting.opponent }
        for index in told.deliveries.indices {
            told.deliveries[index].key = DeliveryKey("x\(index)")
            told.deliveries[index].order = OrderKey(Int64(index))
        }
        return told
    }

    static func begun() -> Scorebook {
        var book = Scorebook.begun
        let players = ["Rohit Sharma", "Ishan Kishan", "Surya", "Hardik"].map(Scorebook.player)
        book.info.teams[0] = TeamInfo(id: "MI", name: "Mumbai Indians", abbreviation: "MI", players: players)
        for runs in [1, 4, 0, 2] { book.ball(runs) }
        return book
    }
}
