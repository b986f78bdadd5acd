// Alerts are compared with the match at each publication, so that every node finds the same corrections.

import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal

@Suite struct AlertCorrectionTests {
    private static let start = Instant(milliseconds: 1_700_000_000_000)
    private static let key = MomentKey("w:1:1")

    /// A match whose publications a test writes.
    private struct Match {
        var alerts = AnnouncedAlerts()
        private var revision: Int64 = 0

        /// Publishes the state of a book; `announced` are keys and subjects.
        mutating func publish(_ book: Scorebook, second: Int, _ announced: (key: String, subject: String)...) {
            publish(MatchReplica(book.snapshot), book.info, second: second, announced)
        }

        /// Publishes a folded match.
        mutating func publish(
            _ replica: MatchReplica,
            _ info: MatchInfo,
            second: Int,
            _ announced: [(key: String, subject: String)] = []
        ) {
            revision += 1
            let moments = announced.map { AnnouncedMoment(key: MomentKey($0.key), subject: $0.subject) }
            let row = PublicationRow(
                revision: revision,
                apnsTimestamp: 1_700_000_000 + Int64(second),
                at: AlertCorrectionTests.start + .seconds(second),
                seenAt: AlertCorrectionTests.start,
                priority: 10,
                alertKey: moments.first?.key.text,
                cause: moments.isEmpty ? .reply : .confirmation,
                announced: moments
            )
            guard alerts.concerns(row) else { return }
            alerts.take(row, confirmed: moments.map(\.key), replica.state, info)
        }

        var texts: [String] { alerts.corrections.map(\.text.body) }
    }

    private static func book(_ out: String...) -> Scorebook {
        var book = Scorebook.begun
        book.ball()
        book.ball(out: out)
        return book
    }

    @Test func aWithdrawnWicketIsCorrectedOnce() throws {
        var match = Match()
        match.publish(Self.book("Rohit Sharma"), second: 0, ("w:1:1", "Rohit Sharma"))
        #expect(match.texts.isEmpty)
        var book = Self.book()
        match.publish(book, second: 20)
        let correction = try #require(match.alerts.corrections.first)
        #expect(match.texts == ["Not out: Rohit Sharma is still batting"])
        #expect(correction.revision == 2 && correction.at == Self.start + .seconds(20))
        #expect(correction.alert.revision == 1 && correction.alert.moment.key == Self.key)
        #expect(correction.announced.map(\.key) == [Self.key])
        for second in 21...25 {
            book.ball(1)
            match.publish(book, second: second)
        }
        #expect(match.alerts.corrections.count == 1)
        match.alerts.publish(through: 2)
        #expect(match.alerts.corrections.isEmpty)
    }

    @Test func anotherDismissalIsCorrectedAndARestoredOneToo() {
        var match = Match()
        let book = Self.book("Rohit Sharma")
        var other = book
        other.amend(1) { $0.dismissals = [Dismissal(kind: .lbw, out: Scorebook.player("Rohit Sharma"))] }
        match.publish(book, second: 0, ("w:1:1", "Rohit Sharma"))
        match.publish(other, second: 5)
        #expect(match.texts.count == 1 && match.texts[0].contains("lbw"))
        for second in 6...20 { match.publish(second.isMultiple(of: 2) ? book : other, second: second) }
        #expect(match.texts.count == JournalLimits.correctionsOfAlert, "a feed that alternates")
        #expect(!match.texts[1].contains("lbw"), "the wicket as it was announced")
    }

    @Test func anOldAlertIsNotCorrected() {
        let age = Int(JournalLimits.correctionAge.milliseconds / 1_000)
        for (second, count) in [(age - 1, 1), (age, 0)] {
            var match = Match()
            match.publish(Self.book("Rohit Sharma"), second: 0, ("w:1:1", "Rohit Sharma"))
            match.publish(Self.book(), second: second)
            #expect(match.texts.count == count)
        }
    }

    /// A wicket before it is withdrawn: the key of the later one changes, the person and the words stay.
    @Test func aRenumberedWicketIsRight() {
        var match = Match()
        var book = Self.book("Rohit Sharma")
        book.ball(striker: "Tilak Varma", out: ["Tilak Varma"])
        match.publish(book, second: 0, ("w:1:1", "Rohit Sharma"), ("w:1:2", "Tilak Varma"))
        book.amend(1) { $0.dismissals = [] }
        match.publish(book, second: 10)
        #expect(match.texts.count == 2 && match.texts[0].contains("Rohit Sharma"))
        #expect(match.texts[1].contains("Tilak Varma"), "the alert that said `2 wickets`")
        #expect(match.alerts.corrections[0].announced.map(\.subject) == ["Rohit Sharma", "Tilak Varma"])
    }

    @Test func anAlertOfSeveralWicketsIsCorrectedWhenOneOfThemIsWithdrawn() throws {
        var match = Match()
        var book = Scorebook.begun
        let names = ["Rohit Sharma", "Tilak Varma", "Surya"]
        for name in names { book.ball(striker: name, out: [name]) }
        match.publish(book, second: 0, ("w:1:1", names[0]), ("w:1:2", names[1]), ("w:1:3", names[2]))
        book.ball(4)
        match.publish(book, second: 5)
        #expect(match.texts.isEmpty, "a later score makes no alert wrong")
        book.amend(1) { $0.dismissals = [] }
        match.publish(book, second: 10)
        let digest = try #require(match.alerts.corrections.first { $0.alert.moment.key == MomentKey("w:1:3") })
        #expect(digest.text.body == "2 wickets in one over: MI 4/2" && digest.text.key == MomentKey("w:1:3"))
        let count = match.texts.count
        book.ball(1)
        match.publish(book, second: 15)
        #expect(match.texts.count == count)
    }

    @Test func aFeedWithAnotherNameForTheBatterTakesNoWicketBack() {
        var match = Match()
        match.publish(Self.book("Rohit Sharma"), second: 0, ("w:1:1", "Rohit Sharma"))
        var other = Scorebook.begun
        other.ball(striker: "RG Sharma")
        other.ball(striker: "RG Sharma", out: ["RG Sharma"])
        match.publish(other, second: 5)
        #expect(match.texts.isEmpty)
        other.amend(1) { $0.dismissals = [] }
        match.publish(other, second: 10)
        #expect(match.texts.count == 1, "the other feed has no wicket")
    }

    /// The writer of a match that two feeds report.
    private struct Writer {
        private(set) var state: WriterState

        init() {
            let clock = ManualClock().clock()
            state = WriterState(
                match: Scorebook.match,
                revision: Revision(epoch: MatchWriter.randomEpoch(), number: 0),
                gate: Gate(clock),
                replica: MatchReplica(),
                waits: ConfirmationWaits(clock),
                clock: clock,
                now: clock.monotonic
            )
        }

        /// A feed reports a catch by the bowler; its names are those of batter and bowler.
        mutating func reply(_ names: (batter: String, bowler: String), from feed: String, second: Int) {
            var book = AlertCorrectionTests.book()
            let (batter, bowler) = (Player(id: "142", name: names.batter), Player(id: "7", name: names.bowler))
            for number in book.deliveries.indices {
                book.amend(number) { ball in
                    ball.striker = batter
                    ball.bowler = bowler
                }
            }
            let catcher = Fielder(name: names.bowler)
            book.amend(1) { $0.dismissals = [Dismissal(kind: .caught, out: batter, fielders: [catcher])] }
            let reply = SeenReply(
                book.snapshot,
                seenAt: AlertCorrectionTests.start + .seconds(second),
                source: JournalSource(.sportmonks, FeedID(unchecked: feed))
            )
            let decision = state.decide(.reply(reply), at: reply.seenAt, now: .seconds(second))
            state.adopt(decision)
        }
    }

    @Test func aFeedWithOtherNamesForKnownPlayersCorrectsNoAlert() throws {
        var (match, writer) = (Match(), Writer())
        func publish(second: Int, _ announced: [(key: String, subject: String)] = []) throws -> Delivery {
            let info = try #require(writer.state.record.info)
            match.publish(MatchReplica(writer.state.record), info, second: second, announced)
            return try #require(writer.state.record.deliveries.last)
        }
        writer.reply(("Rohit Sharma", "Deepak Chahar"), from: "one", second: 0)
        _ = try publish(second: 0, [("w:1:1", "142")])
        writer.reply(("RG Sharma", "DL Chahar"), from: "two", second: 5)
        let kept = try publish(second: 5)
        #expect(kept.striker.name == "Rohit Sharma" && kept.bowler.name == "Deepak Chahar")
        #expect(kept.dismissals[0].fielders.map(\.name) == ["Deepak Chahar"])
        #expect(match.texts.isEmpty)
        // The first feed names its people anew.
        writer.reply(("Rohit Gurunath Sharma", "Deepak Chahar"), from: "one", second: 10)
        let renamed = try publish(second: 10)
        #expect(renamed.striker.name == "Rohit Gurunath Sharma")
        #expect(match.texts.isEmpty, "the words of the alert are still right")
    }

    @Test func momentsWithoutAnAlertAreNotCorrected() {
        var match = Match()
        match.publish(Self.book("Rohit Sharma"), second: 0)
        match.publish(Self.book(), second: 5)
        match.publish(Self.book("Rohit Sharma"), second: 10, ("w:1:1", "Ishan Kishan"))
        match.publish(Self.book(), second: 15)
        #expect(match.texts.isEmpty)
    }
}
