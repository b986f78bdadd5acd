// The alias table has a limit; a table above it is refused and not truncated.

import JournalSamples
import Postgres
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct AliasTableTests {
    private static func aliases(_ ids: Range<Int>, meaning ours: String = "p") -> [Alias] {
        ids.map { Alias(.player, .roanuz, "\($0)", means: "\(ours)\($0)") }
    }

    private static func refusal(_ body: () async throws(AliasError) -> Void) async -> Int? {
        do throws(AliasError) { try await body() } catch {
            if case .full(let max) = error { return max }
        }
        return nil
    }

    @Test func aTableAboveItsLimitIsRefusedAsAWhole() async throws {
        let bench = try await JournalBench()
        let records = AliasRecords(pool: bench.pool, max: 10)
        try await records.put(Self.aliases(0..<8))
        #expect(await Self.refusal { () async throws(AliasError) in try await records.put(Self.aliases(7..<11)) } == 10)
        #expect(try await records.table() == AliasTable(Self.aliases(0..<8)))
        // A stored alias needs no new row.
        try await records.put(Self.aliases(0..<10, meaning: "q"))
        #expect(try await records.table() == AliasTable(Self.aliases(0..<10, meaning: "q")))
        #expect(await Self.refusal { () async throws(AliasError) in try await records.put(Self.aliases(0..<11)) } == 10)
    }

    @Test func aTableLargerThanOneStatementIsStored() async throws {
        let bench = try await JournalBench()
        let records = AliasRecords(pool: bench.pool)
        let aliases = Self.aliases(0..<IngestLimits.aliasBatchMax * 2 + 3)
        try await records.put(aliases)
        #expect(try await records.table() == AliasTable(aliases))
    }
}
