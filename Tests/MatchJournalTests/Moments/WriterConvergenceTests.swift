// Whatever a feed corrects and whenever a process dies, the journal ends at the last reply with each alert sent once.

import JournalSamples
import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal

/// A feed that sends an innings, corrects itself and repeats itself.
private struct FickleFeed {
    var book = Scorebook.begun
    var random: SplitMix64
    private var next = 0

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// The next reply: new balls, a correction, or the same again.
    mutating func turn() {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: for _ in 0..<Int.random(in: 1...3, using: &random) { bowl() }
        case 5: correctRuns()
        case 6: takeBackWicket()
        case 7: changePerson()
        default: break
        }
    }

    private mutating func bowl() {
        guard book.deliveries.count < 100 else { return }
        let isOut = Int.random(in: 0..<8, using: &random) == 0 && wickets < 8
        let striker = "Batter \(next)"
        if isOut { next += 1 }
        book.ball(Int.random(in: 0...6, using: &random), striker: striker, out: isOut ? [striker] : [])
    }

    private var wickets: Int { book.deliveries.count { !$0.dismissals.isEmpty } }

    private mutating func correctRuns() {
        guard let number = book.deliveries.indices.randomElement(using: &random) else { return }
        book.amend(number) { $0.runs.bat = ($0.runs.bat + 1) % 7 }
    }

    private mutating func takeBackWicket() {
        guard let number = book.deliveries.lastIndex(where: { !$0.dismissals.isEmpty }) else { return }
        book.amend(number) { $0.dismissals = [] }
    }

    private mutating func changePerson() {
        guard let number = book.deliveries.lastIndex(where: { !$0.dismissals.isEmpty }) else { return }
        let name = "Batter \(next + 100)"
        next += 1
        book.amend(number) { $0.dismissals = [Scorebook.dismissal(name)] }
    }
}

@Suite struct WriterConvergenceTests {
    @Test func everyHistoryEndsAtTheLastReplyWithEachAlertSentOnce() async throws {
        let bench = try await JournalBench()
        let base = UInt64.random(in: 0 ... .max)
        for round in 0..<6 as Range<UInt64> {
            let seed = base &+ round
            print("seed \(seed)")
            try await play(seed: seed, on: bench, match: MatchID(unchecked: "match-\(round)"))
        }
    }

    private func play(seed: UInt64, on bench: JournalBench, match: MatchID) async throws {
        var feed = FickleFeed(seed: seed)
        let clock = ManualClock()
        let seen = Instant(milliseconds: 1_700_000_000_000)
        var writer = bench.writer(match, clock: clock)
        _ = try await writer.accept(feed.book.snapshot, seenAt: seen)
        for _ in 0..<80 {
            feed.turn()
            _ = try await writer.accept(feed.book.snapshot, seenAt: seen)
            clock.advance(by: .seconds(Int.random(in: 1...6, using: &feed.random)))
            _ = try await writer.tick()
            if Int.random(in: 0..<6, using: &feed.random) == 0 { writer = bench.writer(match, clock: clock) }
        }
        // A writer that was made in the last turn has seen nothing yet: its moments wait from its first event on.
        try await writer.unchanged(seenAt: seen)
        clock.advance(by: JournalLimits.confirmationBound)
        _ = try await writer.tick()
        try await check(feed.book, on: bench, match: match, seed: seed)
    }

    private func check(_ book: Scorebook, on bench: JournalBench, match: MatchID, seed: UInt64) async throws {
        var replica = MatchReplica()
        let entries = try await bench.journal.entries(of: match, after: 0)
        replica.apply(entries.map(\.change))
        #expect(Differ.changes(from: replica.record, to: book.snapshot).isEmpty, "seed \(seed)")
        let rows = try await bench.publications(of: match)
        #expect(rows.last?.revision == entries.last?.revision, "seed \(seed)")
        #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.apnsTimestamp < $1.apnsTimestamp }, "seed \(seed)")
        let announced = try await bench.journal.announced(of: match)
        // A person is out once: the same wicket is never announced under two keys either.
        #expect(Set(announced.map(MomentIdentity.init)).count == announced.count, "seed \(seed)")
        let identities = Set(announced.map(MomentIdentity.init))
        for moment in replica.state.moments where moment.needsAnnouncement {
            #expect(identities.contains(MomentIdentity(moment)), "seed \(seed): \(moment.key) was not announced")
        }
        let alerts = rows.compactMap { row in row.alertKey.map { "\($0) \(row.alert?.subject ?? "?")" } }
        #expect(Set(alerts).count == alerts.count, "seed \(seed)")
        #expect(!alerts.isEmpty, "seed \(seed)")
    }
}
