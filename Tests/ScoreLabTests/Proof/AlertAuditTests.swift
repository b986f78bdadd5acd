// The audit finds lost and untrue alerts.

import LiveSurface
import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal
@testable import ScoreLab

@Suite struct AlertAuditTests {
    private static let proof = FeedProof(provider: .cricsheet, id: ProviderMatchID(unchecked: "1"), seed: 1)

    /// A match with a wicket and a result, and correct alerts.
    private static func announced() -> AlertAudit {
        var rehearsal = MatchRehearsal(match: Scorebook.match, provider: .cricsheet, clock: ManualClock().clock())
        var book = Scorebook.begun
        func see() { for _ in 0..<2 { _ = rehearsal.accept(book.snapshot) } }
        see()
        book.ball(1)
        see()
        book.ball(out: ["Rohit Sharma"])
        see()
        book.ball(1, striker: "Virat Kohli")
        see()
        book.end(winner: .first)
        see()
        return rehearsal.audit
    }

    private static func verdict(_ change: (inout AlertAudit) -> Void = { _ in }) -> FeedVerdict {
        var audit = announced()
        change(&audit)
        var verdict = FeedVerdict(proof: proof)
        verdict.judge(audit)
        return verdict
    }

    private static func isGood(_ verdict: FeedVerdict) -> Bool {
        verdict.sum.isGood(few: 0)
    }

    /// The audit with other texts of its alerts of a kind.
    private static func reword(_ kind: Moment.Kind, _ audit: inout AlertAudit, _ word: (String) -> String) {
        audit.announced = audit.announced.map { entry in
            guard entry.moment.kind == kind else { return entry }
            return .init(moment: entry.moment.saying(word(entry.moment.body)), over: entry.over)
        }
    }

    @Test func aCorrectAlertPasses() {
        let verdict = Self.verdict()
        #expect(verdict.announced == 2 && verdict.wickets == (due: 1, announced: 1))
        #expect(Self.isGood(verdict))
    }

    @Test func aLostWicketIsFound() {
        let verdict = Self.verdict { $0.announced.removeAll { $0.moment.kind == .wicket } }
        #expect(verdict.failures == ["never announced: w:1:1"])
        #expect(!Self.isGood(verdict))
    }

    @Test func omittingEveryWicketIsFound() {
        let verdict = Self.verdict { audit in
            audit.passedOver = audit.announced.map(\.moment).filter { $0.kind == .wicket }
            audit.announced.removeAll { $0.moment.kind == .wicket }
        }
        #expect(verdict.failures.isEmpty, "it was omitted, for whatever reason")
        #expect(!Self.isGood(verdict))
    }

    @Test func anotherMarginIsUntrue() {
        let verdict = Self.verdict { audit in
            Self.reword(.result, &audit) { $0.replacing("10 runs", with: "11 runs") }
        }
        #expect(verdict.untrue.count == 1 && verdict.revoked.isEmpty)
        #expect(verdict.reworded == ["result untrue": 1])
        #expect(!Self.isGood(verdict))
    }

    @Test func onlyAnotherDismissalMakesAnAlertUntrue() {
        let dismissal = Self.verdict { audit in
            Self.reword(.wicket, &audit) { $0.replacing("b Chahar", with: "run out") }
        }
        #expect(dismissal.untrue.count == 1, "\(Self.announced().announced.map(\.moment.body))")
        #expect(!Self.isGood(dismissal))
        let balls = Self.verdict { audit in Self.reword(.wicket, &audit) { $0.replacing("(2)", with: "(3)") } }
        #expect(balls.untrue.isEmpty && balls.reworded == ["wicket": 1])
        #expect(Self.isGood(balls))
        let added = Self.verdict { audit in Self.reword(.result, &audit) { $0 + " (with 12 balls remaining)" } }
        #expect(added.untrue.isEmpty && added.reworded == ["result": 1])
    }

    // MARK: Alerts that may be omitted

    /// A match of some balls; the moment's ball is `behind` balls behind the newest.
    private static func reason(
        behind: Int = 3,
        known: Int = 20,
        after gap: Duration,
        pictured: Duration? = nil,
        bowledAgo: Int64? = nil,
        status: MatchStatus = .live
    ) -> PassedOver? {
        let now = gap + .seconds(100)
        let wall = Instant(milliseconds: 1_700_000_000_000)
        var book = Scorebook.begun
        for _ in 0..<known { book.ball() }
        book.status = StatusReport(status: status)
        let before = known > 0 ? MatchReplica.folded(book).record : MatchRecord()
        let number = book.deliveries.count
        for _ in 0...max(behind, 1) { book.ball() }
        book.amend(number) { $0.occurredAt = bowledAgo.map { wall.seconds - $0 } }
        if behind == 0 { book.deliveries.removeLast(book.deliveries.count - number - 1) }
        let after = MatchReplica.folded(book).record
        var watch = AnswerWatch(speed: 1, isClockRight: true)
        watch.taken(at: .seconds(100))
        if let pictured { watch.read(at: .seconds(100) + pictured) }
        let moment = wicket(on: book.deliveries[number].key)
        return watch.reason(toPass: moment, before, after, at: now, wall: wall)
    }

    private static func wicket(on ball: DeliveryKey) -> Moment {
        Moment("w:1:1", .wicket, .loud, subject: "x", delivery: ball, title: "", body: "")
    }

    @Test func noAlertMayBeOmittedWhileTheFeedAnswers() {
        #expect(Self.reason(after: .seconds(5)) == nil)
        #expect(Self.reason(after: .seconds(44)) == nil)
        #expect(Self.reason(after: .seconds(119), status: .drinks) == nil)
        #expect(Self.reason(after: .seconds(179), status: .toss) == nil)
        #expect(Self.reason(after: .seconds(1_079), status: .stumps) == nil)
        #expect(Self.reason(after: .seconds(4_000), status: .result) == nil)
    }

    @Test func oldAlertsMayBeOmittedAfterASilence() {
        #expect(Self.reason(after: .seconds(45)) == .silence)
        #expect(Self.reason(after: .seconds(120), status: .drinks) == .silence)
        #expect(Self.reason(after: .seconds(180), status: .toss) == .silence)
        #expect(Self.reason(after: .seconds(1_080), status: .stumps) == .silence)
        #expect(Self.reason(after: .seconds(60), pictured: .seconds(55)) == .doubt)
        #expect(Self.reason(after: .seconds(600), bowledAgo: 61) == .silence)
        #expect(Self.reason(after: .seconds(600), bowledAgo: 60) == nil, "an alert is valid for a minute")
        #expect(Self.reason(behind: 0, after: .seconds(600)) == nil, "the newest ball is new")
        #expect(Self.reason(behind: 2, after: .seconds(600)) == nil, "the newest three are")
        #expect(Self.reason(behind: 2, after: .seconds(60), pictured: .seconds(55)) == nil, "after a doubt, too")
    }

    @Test func theShareOfAlertsOmittedInDoubtHasALimit() {
        var sum = FeedVerdictSum()
        sum.announced = 98
        sum.passedOver = [.doubt: 2, .silence: 30]
        #expect(sum.doubted == 2 && sum.isGood())
        sum.passedOver[.doubt] = 3
        #expect(!sum.isGood())
        sum.announced = 5
        sum.passedOver = [.doubt: 1]
        #expect(sum.isGood() && !sum.isGood(few: 0))
    }

    @Test func thePaceOfAPollerHasBoundsOfItsOwn() {
        var sum = FeedVerdictSum()
        sum.announced = 1_900
        sum.passedOver = [.silence: 100]
        sum.putRight = 38
        #expect(sum.isGood(at: .live) && !sum.isGood(at: .strides))
        sum.passedOver = [.silence: 106]
        #expect(!sum.isGood(at: .live))
        sum.passedOver = [:]
        sum.putRight = 39
        #expect(!sum.isGood(at: .live))
    }

    @Test(arguments: [(11, PassedOver?.none), (12, .buried)])
    func aBallTwoOversLateMayBeOmitted(balls: Int, reason: PassedOver?) {
        var book = Scorebook.begun
        for _ in 0...balls { book.ball() }
        let after = MatchReplica.folded(book).record
        let late = book.deliveries.removeFirst()
        let before = MatchReplica.folded(book).record
        let watch = AnswerWatch(speed: 1, isClockRight: true)
        let moment = Self.wicket(on: late.key)
        let wall = Instant(milliseconds: 1_700_000_000_000)
        #expect(watch.reason(toPass: moment, before, after, at: .seconds(5), wall: wall) == reason)
    }

    @Test func eventsBeforeTheFirstReplyMayBeOmitted() {
        #expect(Self.reason(known: 0, after: .zero) == .firstSight)
        #expect(Self.reason(behind: 0, known: 0, after: .zero) == nil)
    }
}

extension MatchReplica {
    /// A match as a scorebook contains it.
    fileprivate static func folded(_ book: Scorebook) -> MatchReplica {
        var replica = MatchReplica()
        replica.apply(
            [.info(book.info)] + book.innings.map(Change.innings) + book.deliveries.map(Change.inserted)
                + [.status(book.status)]
        )
        return replica
    }
}

extension Moment {
    /// The same moment with another body, as a feed or a bug may cause it.
    fileprivate func saying(_ body: String) -> Moment {
        Moment(
            key.text,
            kind,
            .loud,
            subject: subject,
            delivery: delivery,
            title: .literal(title),
            body: .literal(body)
        )
    }
}
