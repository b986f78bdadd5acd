// Kept rows save time and change nothing: each text is read as if nothing had been kept.

import Synchronization
import Testing

@testable import ScoreTypes

/// Serialized: the rows count the decodings.
@Suite(.serialized) struct JSONRowsTests {
    /// A row that counts the decodings of its type.
    private struct Row: JSONRow, Equatable {
        static let decoded = Mutex(0)

        let id: Int
        let name: String?

        init(from decoder: any Decoder) throws {
            let json = try JSONElement(from: decoder)
            id = try (json["id"] ?? json).decode(Int.self)
            name = json["name"]?.string
            Self.decoded.withLock { $0 += 1 }
        }
    }

    private struct Page: Decodable, Equatable {
        let total: Int
        let rows: [Row]
    }

    private static func page(_ total: Int, _ rows: [String]) -> [UInt8] {
        Array(#"{"total":\#(total),"rows":[\#(rows.joined(separator: ","))],"more":[{"id":1},[2]]}"#.utf8)
    }

    private static func row(_ id: Int) -> String { #"{"id":\#(id),"name":"n\#(id)"}"# }

    /// The number of rows decoded for one page after another.
    private static func counted(_ pages: [[String]]) throws -> [Int] {
        var kept: JSONRows?
        return try pages.enumerated().map { total, rows in
            let before = Row.decoded.withLock { $0 }
            let found = try JSONElement.read(Page.self, from: page(total * 99, rows), after: kept)
            let count = Row.decoded.withLock { $0 } - before
            #expect(found.value == (try JSONElement.read(Page.self, from: page(total * 99, rows))))
            kept = found.rows
            return count
        }
    }

    @Test func rowsWithTheSameBytesAreNotDecodedAgain() throws {
        let old = (1...40).map(Self.row)
        var changed = old
        changed[7] = Self.row(70)
        changed[8] = Self.row(80)
        var shorter = changed
        shorter.remove(at: 20)
        let grown = shorter + [Self.row(90)]
        let newestFirst = [Self.row(91)] + grown
        let pages = [old, old, changed, shorter, grown, newestFirst, (200...240).map(Self.row), []]
        let counts = try Self.counted(pages)
        #expect(counts == [40, 0, 2, 0, 1, 1, 41, 0])
    }

    @Test func anErrorInARowNamesItsPlaceOnly() throws {
        let good = try JSONElement.read(Page.self, from: Self.page(1, [Self.row(1), Self.row(2)]), after: nil)
        let bad = Self.page(2, [Self.row(1), Self.row(2), #"{"id":"x"}"#])
        #expect(throws: JSONError.mismatch(path: "rows[2].id", expected: "a whole number")) {
            try JSONElement.read(Page.self, from: bad, after: good.rows)
        }
        #expect(throws: JSONSyntaxError.self) {
            try JSONElement.read(Page.self, from: Array(bad.dropLast()), after: good.rows)
        }
        #expect(try JSONElement.read(Page.self, from: Self.page(3, [Self.row(2)]), after: good.rows).value.total == 3)
    }

    /// Rows are added, removed, repeated and changed at random, by a seed that a failure prints.
    @Test func theValueDoesNotDependOnTheRowsBefore() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var dice = SplitMix64(seed: seed)
        var rows = (1...20).map(Self.row)
        var kept: JSONRows?
        for round in 0..<500 {
            for _ in 0..<Int.random(in: 0..<4, using: &dice) {
                let place = Int.random(in: 0..<rows.count + 1, using: &dice)
                switch Int.random(in: 0..<4, using: &dice) {
                case 0: rows.insert(Self.row(Int.random(in: 0..<30, using: &dice)), at: place)
                case 1 where place < rows.count: rows.remove(at: place)
                case 2 where place < rows.count: rows[place] = Self.row(Int.random(in: 0..<30, using: &dice))
                default: rows += rows.suffix(1)
                }
            }
            rows = Array(rows.prefix(60))
            let text = Self.page(round, rows)
            let found = try JSONElement.read(Page.self, from: text, after: kept)
            #expect(found.value == (try JSONElement.read(Page.self, from: text)), "seed \(seed), round \(round)")
            let nodes = try JSONTable(text, .lenient, rows: JSONRowReuse(kept)).nodes
            #expect(nodes == (try JSONTable(text, .lenient).nodes), "seed \(seed), round \(round)")
            kept = found.rows
        }
    }
}
