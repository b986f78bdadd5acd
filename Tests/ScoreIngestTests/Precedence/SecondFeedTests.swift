// A wicket that two feeds report is confirmed by the second one, whatever ids and order it has.

import JournalSamples
import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal
@testable import ScoreIngest

@Suite struct SecondFeedTests {
    @Test func theSecondFeedConfirmsAWicket() async throws {
        let feeds = try await TwoFeeds()
        var book = TwoFeeds.begun()
        _ = try await feeds.say(book, TwoFeeds.one)
        _ = try await feeds.say(book, TwoFeeds.two)
        book.ball(out: ["Rohit Sharma"])
        _ = try await feeds.say(book, TwoFeeds.one)
        #expect(try await feeds.bench.publications().compactMap(\.alertKey).isEmpty)
        #expect(try await feeds.say(book, TwoFeeds.two) == .standby)
        #expect(try await feeds.bench.publications().compactMap(\.alertKey) == ["w:1:1"])
    }

    @Test func aSecondFeedThatReportsAnotherWicketConfirmsNothing() async throws {
        let feeds = try await TwoFeeds()
        var book = TwoFeeds.begun()
        _ = try await feeds.say(book, TwoFeeds.one)
        _ = try await feeds.say(book, TwoFeeds.two)
        var other = book
        book.ball(out: ["Rohit Sharma"])
        other.ball(out: ["Ishan Kishan"])
        _ = try await feeds.say(book, TwoFeeds.one)
        _ = try await feeds.say(other, TwoFeeds.two)
        #expect(try await feeds.bench.publications().compactMap(\.alertKey).isEmpty)
    }

    @Test func aSecondFeedWithoutTheWicketConfirmsNothing() async throws {
        let feeds = try await TwoFeeds()
        var book = TwoFeeds.begun()
        _ = try await feeds.say(book, TwoFeeds.one)
        let before = book
        book.ball(out: ["Rohit Sharma"])
        _ = try await feeds.say(book, TwoFeeds.one)
        _ = try await feeds.say(before, TwoFeeds.two)
        #expect(try await feeds.bench.publications().compactMap(\.alertKey).isEmpty)
    }
}
