// The day that phones show during a Test, as each provider reports it: right, or none.

import MatchEngine
import ScoreIngest
import ScoreTypes
import TestSupport
import Testing

@testable import Providers
@testable import Simulators

@Suite(.timeLimit(.minutes(10)), .needsRecordedMatches) struct DayOfFeedTests {
    private static let looks = 100
    private static let credentials = ProviderCredentials(project: "p", key: Secret("k"), secret: Secret("s"))

    private static func feed(_ provider: Provider) -> (adapter: any Adapter, shape: any FeedShape) {
        switch provider {
        case .sportmonks: (SportmonksAdapter(), SportmonksShape(token: nil))
        case .roanuz: (RoanuzAdapter(), RoanuzShape(project: "p", key: nil))
        case .entitySport: (EntitySportAdapter(), EntitySportShape(token: nil))
        case .cricketData: (CricketDataAdapter(), CricketDataShape(key: nil))
        case .cricsheet: (CricsheetAdapter(), CricsheetShape())
        }
    }

    /// The longest Test of the archive.
    private static func document() throws -> CricsheetDocument {
        let tests = try SpecialMatches.read().map(\.document).filter {
            $0.info.matchType == "Test" && ($0.info.dates?.count ?? 0) >= 4
        }
        return try #require(tests.max { ShownMatch.ballCount(of: $0) < ShownMatch.ballCount(of: $1) })
    }

    /// The days that were shown and the real ones, while a feed is read from the toss to the end.
    private func days(_ provider: Provider, reportsStumps: Bool) throws -> [(shown: Int?, real: Int)] {
        let match = try PlaybackMatch(id: ProviderMatchID(unchecked: "77"), document: try Self.document())
        let (adapter, shape) = Self.feed(provider)
        var replica = MatchReplica()
        var replies = ProviderReplies()
        var talk: Conversation?
        return try (0..<Self.looks).map { look in
            let time = match.duration * look / Self.looks
            var shown = match.shown(at: time) { 1_700_000_000 + $0.milliseconds / 1_000 }
            if !reportsStumps, shown.status == .stumps { shown.status = .live }
            let open = try talk ?? Conversation(adapter, shape, Self.credentials, of: shown)
            talk = open
            let snapshot = try open.poll(shown, &replies)
            replica.apply(Differ.changes(from: replica.record, to: snapshot))
            return (replica.state.day, shown.day)
        }
    }

    @Test(arguments: Provider.allCases) func aDayIsRightOrNotShown(provider: Provider) throws {
        let days = try days(provider, reportsStumps: true)
        #expect(Set(days.map(\.real)).count >= 4)
        for day in days { #expect(day.shown == nil || day.shown == day.real) }
        // Files of Cricsheet have neither stumps nor times.
        guard provider != .cricsheet else { return }
        let known = Set(days.compactMap(\.shown))
        #expect(known.count >= 3, "\(provider): \(known.sorted())")
    }

    /// Providers with a number of the day are left out: they state it without stumps.
    @Test(arguments: [Provider.cricsheet, .cricketData, .entitySport])
    func aFeedWithoutStumpsShowsNoWrongDay(provider: Provider) throws {
        let days = try days(provider, reportsStumps: false)
        for day in days { #expect(day.shown == nil || day.shown == day.real) }
        #expect(days.filter { $0.real > 1 }.allSatisfy { $0.shown == nil })
    }
}
