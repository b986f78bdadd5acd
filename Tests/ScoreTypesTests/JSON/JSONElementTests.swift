// What replies are read with may refuse what Foundation reads, but never read anything otherwise.

import Foundation
import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct FeedValueTests {
    /// Any JSON at all, looked at in every form that it may have.
    private enum Tree: Decodable, FeedReadable, Hashable {
        case null
        case flag(Bool)
        case whole(Int)
        case number(Double)
        case text(String)
        case list([Tree])
        case object([String: Tree])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? value.decode(Int.self) {
                self = .whole(number)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let list = try? value.decode([Tree].self) {
                self = .list(list)
            } else {
                self = .object(try value.decode([String: Tree].self))
            }
        }

        init(feed: FeedValue) throws(AdapterError) {
            if feed.isObject {
                self = .object(try [String: Tree](feed: feed))
            } else if feed.isList {
                self = .list(try [Tree](feed: feed))
            } else {
                switch feed.plain {
                case .null: self = .null
                case .flag(let flag): self = .flag(flag)
                case .number(let number): self = (try? Int(feed: feed)).map(Self.whole) ?? .number(number)
                case .text(let text): self = .text(text)
                case nil: throw feed.unlike("a value")
                }
            }
        }
    }

    private static func quick(_ text: [UInt8]) -> Tree? { try? FeedValue.read(Tree.self, from: text) }

    private static func foundation(_ text: [UInt8]) -> Tree? { try? JSONDecoder().decode(Tree.self, from: Data(text)) }

    @Test(
        arguments: [
            "null", "true", "[]", "{}", " [ 1 , -2,\t3.5 ] \r\n", #"{"a":{"b":[{"c":null}]}}"#, "0", "-0", "-0.0",
            "12.3", "1e3", "1E+2", "-1.5e-3", "0.1", "20.0", "123456789012345678", "9223372036854775807",
            "-9223372036854775808", "1234567890.12345", "0.30000000000000004", "4.35", "2.5e15", "9007199254740993",
            #""plain""#, #""\u00e9\n\"\\\/\b\f\r\t""#, #""\ud83c\udfcf out""#, #""Müller — ✓""#,
            #"{"\u0061":1,"b":2}"#, #"{"a":"","":0}"#, "[[[[[[[[[[]]]]]]]]]]",
        ]
    )
    func plainTextsAreTakenAsFoundationTakesThem(text: String) throws {
        let bytes = Array(text.utf8)
        let quick = try #require(Self.quick(bytes), "it has to be taken: \(text)")
        #expect(quick == Self.foundation(bytes))
    }

    @Test(
        arguments: [
            "", " ", "nul", "nulll", "truefalse", "[1,]", "[,1]", "{,}", #"{"a":1,}"#, #"{"a"}"#, #"{"a":}"#, #"{a:1}"#,
            "{1:2}", "[1 2]", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x10", "NaN", "Infinity", "1e400", "-1e400",
            #"""#, #""a"#, #""\"#, #""\x""#, #""\u12""#, #""\ud800""#, #""\udc00x""#, #""\ud800\u0041""#, "\"\u{1}\"",
            "[1]]", "[1] x", "/*a*/1", "[1}", "{\"a\":1]", "1\u{0}2",
        ]
    )
    func whatIsDoubtfulIsNotTaken(text: String) { #expect(Self.quick(Array(text.utf8)) == nil) }

    @Test func bytesThatAreNoTextAreNotTaken() {
        for text: [UInt8] in [
            [0x22, 0xff, 0x22], [0x22, 0xc3, 0x22], [0xff, 0xfe, 0x31, 0xdc], [0, 0, 0, 0x31], [0xc0],
        ] {
            #expect(Self.quick(text) == nil)
        }
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 10_000)
        #expect(Self.quick(deep) == nil)
        #expect(Self.quick(deep + [UInt8](repeating: UInt8(ascii: "]"), count: 10_000)) == nil)
    }

    @Test func aNameThatStandsTwiceCountsAsFoundationCountsIt() throws {
        let text = Array(#"{"a":1,"b":0,"a":2}"#.utf8)
        let found = try FeedValue.read([String: Int].self, from: text)
        #expect(found == (try JSONDecoder().decode([String: Int].self, from: Data(text))))
    }

    @Test func otherFormsOfUnicodeAreReadToo() throws {
        let text = #"{"name":"Müller — ✓","runs":[1,2]}"#
        for encoding in [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian] {
            let bytes = Array(try #require(text.data(using: encoding)))
            let quick: Tree = try #require(Self.quick(bytes), "\(encoding)")
            #expect(quick == Self.foundation(bytes), "\(encoding)")
        }
        #expect(Self.quick([0xEF, 0xBB, 0xBF] + Array(text.utf8)) == Self.foundation(Array(text.utf8)))
        let halfPair: [UInt8] = [0, 0x22, 0xD8, 0, 0, 0x22]
        #expect(Self.quick(halfPair) == nil)
    }

    /// Eight bytes are looked at at once: what is not plain is seen at every place, and nothing else is.
    @Test func whatIsNotPlainIsSeenWhereverItStands() throws {
        for length in 0..<20 {
            let plain = [UInt8](repeating: UInt8(ascii: "~"), count: length)
            let whole = try #require(FeedJSON([0x22] + plain + Array(#"" "#.utf8)))
            #expect(whole.nodes.map(\.form) == [.text] && whole.nodes[0].end == Int32(length + 1))
            for place in 0..<length {
                for odd: [UInt8] in [[0x5C, 0x22], [0x1F], [0x80], [0xFF]] {
                    let text = [0x22] + plain[..<place] + odd + plain[place...] + [0x22]
                    #expect(FeedJSON(text)?.nodes.map(\.form) == [.oddText], "\(odd) at \(place) of \(length)")
                }
                let text = [0x22] + plain[..<place] + [0x22, 0x22] + plain[place...] + [0x22]
                #expect(FeedJSON(text) == nil, "a quote at \(place) of \(length)")
            }
        }
    }

    /// A text that nobody asks for may be damaged, as it may with Foundation; a key may not.
    @Test func aDamagedTextHarmsWhereItIsAskedFor() throws {
        struct One: FeedReadable {
            let a: String

            init(feed: FeedValue) throws(AdapterError) { a = try feed.need("a") }
        }
        for damage: [UInt8] in [[0xff], [0x01], Array(#"\x"#.utf8), Array(#"\ud800"#.utf8)] {
            let (quote, good) = (Array("\"".utf8), Array("good".utf8))
            func text(_ key: [UInt8], _ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
                Array(#"{"a":""#.utf8) + a + Array(#"",""#.utf8) + key + Array(#"":""#.utf8) + b + quote
                    + Array("}".utf8)
            }
            #expect(try FeedValue.read(One.self, from: text(good, good, damage)).a == "good")
            #expect(throws: AdapterError.wrongForm(path: "a", expected: "a string")) {
                try FeedValue.read(One.self, from: text(good, damage, good))
            }
            #expect(throws: AdapterError.notJSON) { try FeedValue.read(One.self, from: text(damage, good, good)) }
        }
    }

    @Test func brokenTextsAreNeverReadOtherwise() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var dice = Dice(state: seed)
        let whole = CricsheetSample.document(
            innings: [CricsheetSample.innings(overs: [[CricsheetSample.ball(1), CricsheetSample.ball(4)]])],
            live: #"{"state":"live","note":"Z\u00fcrich \ud83c\udfcf","version":12.0,"startsAt":1.5e9}"#
        )
        let odd = Array(#"\"{}[]:,.-+eE0123456789 tfnu/"#.utf8) + [0, 0x1f, 0x80, 0xc3, 0xff]
        var taken = 0
        for _ in 0..<3_000 {
            var text = whole
            for _ in 0..<Int(dice.next() % 3 + 1) {
                let place = Int(dice.next() % UInt64(text.count))
                switch dice.next() % 3 {
                case 0: text[place] = odd[Int(dice.next() % UInt64(odd.count))]
                case 1: text.remove(at: place)
                default: text.insert(odd[Int(dice.next() % UInt64(odd.count))], at: place)
                }
            }
            guard let quick = Self.quick(text) else { continue }
            taken += 1
            #expect(quick == Self.foundation(text), "seed \(seed): \(String(decoding: text, as: UTF8.self))")
        }
        #expect(taken > 300, "seed \(seed)")
    }

    @Test func errorsNameThePlace() {
        let text = Array(#"{"meta":null,"info":{"teams":["A",7]}}"#.utf8)
        #expect(throws: AdapterError.missing(path: "info.match_type")) {
            try FeedValue.read(CricsheetDocument.self, from: text)
        }
        let error = #expect(throws: AdapterError.self) {
            try FeedValue.read([String: [Int]].self, from: Array(#"{"a":[1],"b\u0007":[[],1,"x"]}"#.utf8))
        }
        #expect(error == .wrongForm(path: "b[0]", expected: "a whole number"))
        #expect(throws: AdapterError.wrongForm(path: "body", expected: "an array")) {
            try FeedValue.read([Int].self, from: Array("{}".utf8))
        }
        #expect(throws: AdapterError.missing(path: "[1]")) {
            try FeedValue.read([Int].self, from: Array("[1,null]".utf8))
        }
    }

    /// A row of numbers that follows from its first.
    private struct Dice {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
    }
}
