// The newest publication inherits from replaced ones, as a value.

import LiveSurface
import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal

@Suite struct PublicationBatchTests {
    private static let start = Instant(milliseconds: 1_700_000_000_000)
    private static let epoch = Epoch("abcdEFG1")
    private static let rohit = AnnouncedMoment(key: MomentKey("w:1:1"), subject: "Rohit Sharma")

    private static func row(
        _ revision: Int64,
        second: Int,
        announced: [AnnouncedMoment] = [],
        cause: PublicationCause = .reply
    ) -> PublicationRow {
        PublicationRow(
            revision: revision,
            apnsTimestamp: 1_700_000_000 + Int64(second),
            at: start + .seconds(second),
            seenAt: start,
            priority: announced.isEmpty ? 5 : 10,
            alertKey: announced.first?.key.text,
            cause: announced.isEmpty ? cause : .confirmation,
            announced: announced
        )
    }

    private static func replica(_ book: Scorebook) -> MatchReplica {
        var replica = MatchReplica()
        replica.apply(Differ.changes(from: MatchRecord(), to: book.snapshot))
        return replica
    }

    private static func render(
        _ rows: [PublicationRow],
        _ book: Scorebook,
        confirmed: [Int64: [MomentKey]] = [:],
        second: Int = 0,
        recent: [RecentAlert] = []
    ) throws -> Publication {
        let now = start + .seconds(second)
        let batch = try #require(PublicationBatch(rows, confirmed: confirmed, now: now))
        let epoch = try #require(epoch)
        let renderer = PublicationRenderer(scheme: "score")
        return try #require(
            renderer.render(batch, of: replica(book), match: Scorebook.match, epoch: epoch, recent: recent)
        )
    }

    private static var withWicket: Scorebook {
        var book = Scorebook.begun
        book.ball(out: ["Rohit Sharma"])
        return book
    }

    @Test func theHeadAloneIsRendered() throws {
        let publication = try Self.render([Self.row(3, second: 0), Self.row(5, second: 1)], Self.withWicket)
        #expect(publication.revision.number == 5)
        #expect(publication.apnsTimestamp == 1_700_000_001)
        #expect(publication.alert == nil)
        #expect(publication.priority == .five)
        #expect(publication.relevance == 50)
        // A wicket that is not yet confirmed is drawn without a sound.
        let text = String(decoding: publication.contentState, as: UTF8.self)
        #expect(text.contains(#""rev":5"#))
        #expect(text.contains(#""kind":"wicket""#))
        #expect(String(decoding: publication.attributes, as: UTF8.self).contains("score://match/mi-csk"))
        #expect(!publication.isFinal)
    }

    @Test func aReplacedPublicationPassesOnItsAlert() throws {
        var book = Self.withWicket
        book.ball(1, striker: "Surya")
        let rows = [Self.row(3, second: 0, announced: [Self.rohit]), Self.row(5, second: 59)]
        let publication = try Self.render(rows, book, confirmed: [3: [Self.rohit.key]], second: 59)
        #expect(publication.revision.number == 5)
        #expect(publication.alertKey == Self.rohit.key)
        #expect(publication.alert?.title == "Wicket!")
        #expect(publication.alertRevision == 3)
        #expect(publication.alertID == "w:1:1@3")
        #expect(publication.priority == .ten)
        #expect(publication.relevance == 90)
        #expect(publication.announced.map(\.moment.key) == [Self.rohit.key])
        #expect(publication.announced.map(\.revision) == [3], "a newer head does not change the revision of a moment")
        #expect(publication.announced.map(\.at) == [Self.start])
    }

    @Test func severalWicketsOfOneConfirmationAreOneAlert() throws {
        var book = Scorebook.begun
        let players = ["Rohit Sharma", "Surya", "Tilak"]
        for name in players {
            book.ball(striker: name, out: [name])
            for _ in 0..<3 { book.ball(1, striker: "Hardik") }
        }
        let moments = players.enumerated().map {
            AnnouncedMoment(key: MomentKey("w:1:\($0.offset + 1)"), subject: $0.element)
        }
        let row = Self.row(3, second: 0, announced: moments.reversed())
        let publication = try Self.render([row], book, confirmed: [3: moments.map(\.key)])
        #expect(publication.alert == PublicationAlert(title: "3 wickets!", body: "3 wickets in 2 overs: MI 9/3"))
        #expect(publication.alertKey?.text == "w:1:3")
        #expect(publication.announced.map(\.moment.title) == ["Wicket!", "Wicket!", "3 wickets!"])
        // Wickets of two confirmations are announced each for itself.
        let apart = [
            Self.row(3, second: 0, announced: [moments[0]]), Self.row(5, second: 2, announced: [moments[1]]),
        ]
        let last = try Self.render(apart, book, confirmed: [3: [moments[0].key], 5: [moments[1].key]])
        #expect(last.alert?.title == "Wicket!")
    }

    @Test func anAlertOlderThanAMinuteIsNotPassedOn() throws {
        var book = Self.withWicket
        book.ball(1, striker: "Surya")
        let rows = [Self.row(3, second: 0, announced: [Self.rohit]), Self.row(5, second: 30)]
        let publication = try Self.render(rows, book, confirmed: [3: [Self.rohit.key]], second: 60)
        #expect(publication.alert == nil)
        #expect(publication.alertRevision == nil)
        #expect(publication.priority == .five)
        #expect(publication.announced.isEmpty)
    }

    @Test func theHeadSendsItsAlertAtAnyAge() throws {
        let rows = [Self.row(3, second: 0, announced: [Self.rohit])]
        #expect(try Self.render(rows, Self.withWicket, second: 500).alertKey == Self.rohit.key)
    }

    @Test func aWithdrawnAlertIsNotSent() throws {
        var book = Self.withWicket
        book.amend(0) { $0.dismissals = [] }
        let rows = [Self.row(3, second: 0, announced: [Self.rohit]), Self.row(4, second: 1)]
        let gone = try Self.render(rows, book, second: 1)
        #expect(gone.alert == nil)
        #expect(gone.priority == .five)
        // The key is another person's wicket now, which is not yet confirmed.
        book.amend(0) { $0.dismissals = [Scorebook.dismissal("Ishan Kishan")] }
        let another = try Self.render(rows, book, second: 1)
        #expect(another.alert == nil)
        #expect(another.announced.isEmpty)
    }

    @Test func aSentAlertHoldsUntilItsMomentIsWithdrawn() throws {
        var book = Self.withWicket
        var live = LiveMatch(Scorebook.match, clock: ServiceClock(), options: EngineOptions())
        let announced = try Self.render(
            [Self.row(3, second: 0, announced: [Self.rohit])],
            book,
            confirmed: [3: [Self.rohit.key]]
        )
        #expect(announced.standingAlerts == ["w:1:1@3"])
        live.close(with: announced)
        book.ball(1, striker: "Surya")
        let next = try Self.render([Self.row(4, second: 1)], book, second: 1, recent: live.alerts)
        #expect(next.alert == nil && next.standingAlerts == ["w:1:1@3"])
        live.close(with: next)
        for dismissals in [[], [Scorebook.dismissal("Ishan Kishan")]] {
            book.amend(0) { $0.dismissals = dismissals }
            let gone = try Self.render([Self.row(5, second: 2)], book, second: 2, recent: live.alerts)
            #expect(gone.standingAlerts.isEmpty)
        }
        live.close(with: try Self.render([Self.row(6, second: 60)], book, second: 60))
        #expect(live.alerts.isEmpty, "older alerts are not sent")
    }

    @Test func theMostImportantOfSeveralAlertsIsSent() throws {
        var book = Self.withWicket
        for _ in 0..<8 { book.ball(6, striker: "Surya") }
        book.ball(2, striker: "Surya")
        let fifty = AnnouncedMoment(key: MomentKey("b50:1:Surya"), subject: "Surya")
        let rows = [Self.row(3, second: 0, announced: [Self.rohit]), Self.row(5, second: 1, announced: [fifty])]
        let confirmed = [Int64(3): [Self.rohit.key], 5: [fifty.key]]
        let publication = try Self.render(rows, book, confirmed: confirmed, second: 1)
        #expect(publication.alertKey == Self.rohit.key)
        #expect(publication.announced.map(\.moment.key) == [Self.rohit.key, fifty.key])
        #expect(publication.announced.map(\.revision) == [3, 5])
    }

    @Test func aConfirmationWithoutAMomentAnnouncesNothing() throws {
        let rows = [Self.row(3, second: 0, cause: .confirmation)]
        #expect(try Self.render(rows, Self.withWicket, confirmed: [3: []]).announced.isEmpty)
    }

    @Test func theHashCoversTheStateAndTheAlert() throws {
        let book = Self.withWicket
        let plain = try Self.render([Self.row(3, second: 0)], book).stateHash
        #expect(try Self.render([Self.row(9, second: 7)], book).stateHash == plain)
        #expect(try Self.render([Self.row(3, second: 0, announced: [Self.rohit])], book).stateHash != plain)
        var next = book
        next.ball(1, striker: "Surya")
        #expect(try Self.render([Self.row(3, second: 0)], next).stateHash != plain)
    }

    @Test func keepAlivesAndConfirmationsHaveTheirOwnHash() throws {
        let book = Self.withWicket
        let plain = try Self.render([Self.row(3, second: 0)], book).stateHash
        let alive = try Self.render([Self.row(4, second: 1, cause: .keepAlive)], book).stateHash
        let again = try Self.render([Self.row(5, second: 2, cause: .keepAlive)], book).stateHash
        #expect(Set([plain, alive, again]).count == 3)
        let merged = [Self.row(4, second: 1, cause: .keepAlive), Self.row(5, second: 2)]
        #expect(try Self.render(merged, book, second: 2).stateHash != plain)
        let silent = try Self.render([Self.row(4, second: 1, cause: .confirmation)], book).stateHash
        #expect(silent != plain)
    }

    @Test func aMatchIsFinalWhenItsResultIsConfirmed() throws {
        var book = Self.withWicket
        book.end(winner: .first)
        var replica = Self.replica(book)
        let batch = try #require(PublicationBatch([Self.row(9, second: 0)], confirmed: [:], now: Self.start))
        let renderer = PublicationRenderer(scheme: "score")
        let epoch = try #require(Self.epoch)
        let open = renderer.render(batch, of: replica, match: Scorebook.match, epoch: epoch)
        #expect(open?.isFinal == false)
        replica.apply(.confirmed([MomentKey("res")]))
        let final = renderer.render(batch, of: replica, match: Scorebook.match, epoch: epoch)
        #expect(final?.isFinal == true)
        #expect(final?.relevance == 100)
    }

    @Test func aResultWhoseLastBallsAreMissingIsNotFinal() throws {
        var book = Scorebook.begun
        for _ in 1...2 { book.ball(6) }
        book.begin(innings: 2, batting: .second)
        book.ball(4)
        book.end(winner: .first)
        let batch = try #require(PublicationBatch([Self.row(9, second: 0)], confirmed: [:], now: Self.start))
        let epoch = try #require(Self.epoch)
        func isFinal() -> Bool? {
            var replica = Self.replica(book)
            replica.apply(.confirmed([MomentKey("res")]))
            let renderer = PublicationRenderer(scheme: "score")
            return renderer.render(batch, of: replica, match: Scorebook.match, epoch: epoch)?.isFinal
        }
        // Won by ten runs, but the scores are 12 and 4.
        #expect(isFinal() == false)
        book.amend(2) { $0.runs = DeliveryRuns(bat: 2) }
        #expect(isFinal() == true)
    }

    @Test func theRateIsOnePublicationASecond() {
        let clock = ManualClock()
        var pace = PublicationPace(clock.clock())
        #expect(pace.wait(now: .seconds(5)) == .zero)
        pace.spend(now: .seconds(5))
        #expect(pace.wait(now: .milliseconds(5_400)) == .milliseconds(600))
        #expect(pace.wait(now: .seconds(6)) == .zero)
        var fast = PublicationPace(ServiceClock(speed: 3600))
        fast.spend(now: .zero)
        #expect(fast.wait(now: .zero) == .milliseconds(20))
    }
}
