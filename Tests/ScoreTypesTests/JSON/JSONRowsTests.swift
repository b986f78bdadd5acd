// What is kept of a reply may save time and nothing else: whatever comes next is read as if nothing had been kept.

import MatchEngine
import ScoreTypes
import Synchronization
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// One test at a time: rows count how often they are read.
@Suite(.serialized) struct FeedTraceTests {
    /// A row that counts how often one was read.
    private struct Row: FeedReadable, Equatable {
        static let read = Mutex(0)
        static var isRow: Bool { true }

        let id: Int
        let name: String?

        init(feed: FeedValue) throws(AdapterError) {
            id = try feed.need("id")
            name = try feed.given("name")
            Self.read.withLock { $0 += 1 }
        }
    }

    private struct Page: FeedReadable, Equatable {
        let total: Int
        let rows: [Row]

        init(feed: FeedValue) throws(AdapterError) {
            total = try feed.need("total")
            rows = try feed.need("rows")
        }
    }

    private static func page(_ total: Int, _ rows: [String]) -> [UInt8] {
        Array(#"{"total":\#(total),"rows":[\#(rows.joined(separator: ","))],"more":[{"id":1},[2]]}"#.utf8)
    }

    private static func row(_ id: Int) -> String { #"{"id":\#(id),"name":"n\#(id)"}"# }

    /// Rows that are read of one page after another.
    private static func counted(_ pages: [[String]]) throws -> [Int] {
        var trace: FeedTrace?
        return try pages.enumerated().map { total, rows in
            let before = Row.read.withLock { $0 }
            let found = try FeedValue.read(Page.self, from: page(total * 99, rows), after: trace)
            let count = Row.read.withLock { $0 } - before
            #expect(found.value == (try FeedValue.read(Page.self, from: page(total * 99, rows))))
            trace = found.trace
            return count
        }
    }

    @Test func rowsThatAreTheSameAreNotReadAgain() throws {
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

    @Test func aRowThatCannotBeReadIsAnErrorAtItsPlaceAndHarmsNoLaterOne() throws {
        let good = try FeedValue.read(Page.self, from: Self.page(1, [Self.row(1), Self.row(2)]), after: nil)
        let bad = Self.page(2, [Self.row(1), Self.row(2), #"{"id":"x"}"#])
        #expect(throws: AdapterError.wrongForm(path: "rows[2].id", expected: "a whole number")) {
            try FeedValue.read(Page.self, from: bad, after: good.trace)
        }
        #expect(throws: AdapterError.notJSON) {
            try FeedValue.read(Page.self, from: Array(bad.dropLast()), after: good.trace)
        }
    }

    /// Texts that were made of each other, and such as have nothing to do with each other.
    @Test func whateverCameBeforeTheSameIsFound() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var dice = Dice(state: seed)
        let match = CricsheetSample.document(
            innings: (1...2).map { _ in
                CricsheetSample.innings(overs: (1...4).map { over in (1...6).map { CricsheetSample.ball($0 % over) } })
            }
        )
        let page = Self.page(7, (1...30).map(Self.row))
        let others = [match, page, Array("[]".utf8), Array("7".utf8), Array(#"{"rows":{"rows":[[{}],[{}]]}}"#.utf8)]
        var before = match
        var taken = 0
        for round in 0..<1_000 {
            // Many small steps, and now and then a leap.
            var text = round % 50 == 49 ? others[dice.below(others.count)] : before
            for _ in 0..<dice.below(4) { Self.change(&text, &dice) }
            guard let plain = FeedJSON(text) else { continue }
            taken += 1
            let earlier = FeedJSON(before)?.trace
            let found = try #require(FeedJSON(text, after: earlier), "seed \(seed), round \(round)")
            #expect(found.nodes == plain.nodes, "seed \(seed), round \(round)")
            for node in found.nodes.indices {
                guard let earlier, let old = found.same(as: node) else { continue }
                let (one, other) = (found.nodes[node], earlier.nodes[old])
                #expect(
                    found.bytes[Int(one.start)..<Int(one.end)] == earlier.bytes[Int(other.start)..<Int(other.end)],
                    "seed \(seed), round \(round), node \(node)"
                )
            }
            before = text.count < 20_000 ? text : match
        }
        #expect(taken > 250, "seed \(seed)")
    }

    /// Puts in, takes out or repeats a piece, often from one bracket to another.
    private static func change(_ text: inout [UInt8], _ dice: inout Dice) {
        let brackets = text.indices.filter { [0x7B, 0x7D, 0x5B, 0x5D].contains(text[$0]) }
        guard let start = brackets.isEmpty ? nil : brackets[dice.below(brackets.count)] else { return }
        switch dice.below(6) {
        case 0: text[dice.below(text.count)] = UInt8(ascii: "0") + UInt8(dice.below(10))
        case 1: text.insert(UInt8(ascii: " "), at: start)
        case 2:
            let digits = text.indices.filter { (0x31...0x39).contains(text[$0]) }
            if let digit = digits.randomElement(using: &dice) { text.insert(UInt8(ascii: "1"), at: digit) }
        default:
            // A whole value: repeated behind itself, or taken out with a comma beside it.
            guard let end = Self.end(of: start, in: text) else { return }
            let piece = text[start..<end]
            if dice.below(2) == 0 {
                text.insert(contentsOf: [UInt8(ascii: ",")] + piece, at: end)
            } else if end < text.count, text[end] == UInt8(ascii: ",") {
                text.removeSubrange(start...end)
            } else if start > 0, text[start - 1] == UInt8(ascii: ",") {
                text.removeSubrange(start - 1..<end)
            }
        }
    }

    /// Behind the bracket that closes the one at a place; no text of these has brackets in strings.
    private static func end(of start: Int, in text: [UInt8]) -> Int? {
        var depth = 0
        for index in start..<text.count {
            if text[index] == 0x7B || text[index] == 0x5B { depth += 1 }
            if text[index] == 0x7D || text[index] == 0x5D { depth -= 1 }
            if depth <= 0 { return depth == 0 && index > start ? index + 1 : nil }
        }
        return nil
    }

    /// A row of numbers that follows from its first.
    private struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &+ 0x9e37_79b9_7f4a_7c15
            var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }

        mutating func below(_ count: Int) -> Int { Int(next() % UInt64(max(1, count))) }
    }
}
