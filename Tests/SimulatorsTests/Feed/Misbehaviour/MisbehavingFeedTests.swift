// Late, wrong, rewritten and malformed replies of any provider end at the scorecard of the file.

import Foundation
import ScoreIngest
import ScoreTypes
import Simulators
import TestSupport
import Testing

@testable import ScoreLab

@Suite(.timeLimit(.minutes(60)), .needsRecordedMatches)
struct MisbehavingFeedTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// The seed of all schedules; FEEDS_SEED sets another.
    private static let seed = environment["FEEDS_SEED"].flatMap(UInt64.init) ?? 20_261_121
    /// A short match that a debug build plays in seconds; FEEDS_IDS names others, and `make feeds` plays them all.
    private static let ids = Set((environment["FEEDS_IDS"] ?? "804517").split(separator: ",").map(String.init))
    /// Lines of a failure that are printed.
    private static let linesMax = 6

    @Test(arguments: Provider.allCases) func everyMatchEndsAtItsScorecard(provider: Provider) throws {
        var sum = FeedVerdictSum()
        for (id, document) in try SpecialMatches.read(ids: Self.ids) {
            let proof = FeedProof(provider: provider, id: ProviderMatchID(unchecked: id), seed: Self.seed)
            let verdict = proof.run(document)
            sum.add(verdict.sum)
            if !verdict.failures.isEmpty {
                let lines = verdict.failures.prefix(Self.linesMax).joined(separator: "\n")
                Issue.record("score-lab verify-feeds \(verdict.place): \(lines)")
            }
            for alert in verdict.revoked + verdict.untrue { print("not so: \(verdict.place): \(alert)") }
        }
        print("\(provider.rawValue), seed \(Self.seed): \(sum.text)")
        #expect(sum.isGood())
    }

    /// The proof has to detect an uncorrected mistake.
    @Test(arguments: Provider.allCases) func anUncorrectedMistakeIsFound(provider: Provider) throws {
        let document = try #require(try SpecialMatches.read(ids: ["804517"]).first).document
        let id = ProviderMatchID(unchecked: "804517")
        let proof = FeedProof(provider: provider, id: id, seed: Self.seed, faults: [.disagree])
        #expect(!proof.run(document).failures.isEmpty)
    }

    /// A cache serves an old copy for some replies, of all parts or of one, and lists
    /// that are empty for one.
    @Test(arguments: Provider.allCases)
    func noScoreFallsWithoutACorrection(provider: Provider) throws {
        let document = try #require(try SpecialMatches.read(ids: ["804517"]).first).document
        let id = ProviderMatchID(unchecked: "804517")
        var doubted = 0
        for seed in Self.seed..<Self.seed + 4 {
            let faults: Set<FeedFault> = [.stuck, .emptyList]
            let verdict = FeedProof(provider: provider, id: id, seed: seed, faults: faults).run(document)
            #expect(verdict.failures.isEmpty, "\(verdict.place): \(verdict.failures)")
            for (word, count) in verdict.polls where word.hasPrefix("held") || word.hasPrefix("dropped") {
                doubted += count
            }
        }
        // The feed has to serve an old copy at least once.
        #expect(doubted > 0)
    }

    /// Outages are long enough for the breaker to open and the match to become silent, and the match ends correctly.
    @Test(arguments: ["F1", "F2", "F19"]) func anOutageOpensTheBreaker(line: String) throws {
        let verdict = try Self.run(faults: FeedFault.list(line))
        #expect(verdict.failures.isEmpty, "\(verdict.failures.prefix(Self.linesMax))")
        #expect(verdict.polls["breaker opened", default: 0] > 0, "\(verdict.polls)")
        #expect(verdict.polls["refused", default: 0] > 0 && verdict.polls["silences", default: 0] > 0)
    }

    @Test("F16: a match that is missing for minutes returns and ends at its scorecard")
    func aMissingMatchReturns() throws {
        let verdict = try Self.run(faults: [.vanished])
        #expect(verdict.failures.isEmpty, "\(verdict.failures.prefix(Self.linesMax))")
        #expect(verdict.polls["gone", default: 0] > 0, "\(verdict.polls)")
        #expect(verdict.polls["breaker opened", default: 0] == 0)
    }

    /// A match that is polled as a server polls it shows more intermediate errors, and ends at the same card.
    @Test func aMatchPolledAtTheIntervalsOfAServerEndsAtItsScorecard() throws {
        let document = try #require(try SpecialMatches.read(ids: ["804517"]).first).document
        let id = ProviderMatchID(unchecked: "804517")
        let verdicts = [ProofPace.strides, .live].map { pace in
            FeedProof(provider: .cricsheet, id: id, seed: Self.seed, pace: pace).run(document)
        }
        for verdict in verdicts {
            #expect(verdict.failures.isEmpty, "\(verdict.place): \(verdict.failures.prefix(Self.linesMax))")
            #expect(verdict.announced > 0, "\(verdict.place)")
        }
        let taken = verdicts.map { $0.polls["taken", default: 0] }
        #expect(taken[1] > 2 * taken[0], "\(taken)")
    }

    private static func run(faults: Set<FeedFault>) throws -> FeedVerdict {
        let document = try #require(try SpecialMatches.read(ids: ["804517"]).first).document
        let id = ProviderMatchID(unchecked: "804517")
        return FeedProof(provider: .cricsheet, id: id, seed: seed, faults: faults).run(document)
    }

    @Test func aSeedRepeatsItsFaults() throws {
        let document = try #require(try SpecialMatches.read(ids: ["804517"]).first).document
        let proof = FeedProof(provider: .entitySport, id: ProviderMatchID(unchecked: "804517"), seed: Self.seed)
        let (one, other) = (proof.run(document), proof.run(document))
        #expect(one.polls == other.polls && one.announced == other.announced && one.revoked == other.revoked)
        #expect(one.polls["failed", default: 0] > 0 && one.polls["unreadable", default: 0] > 0)
    }
}
