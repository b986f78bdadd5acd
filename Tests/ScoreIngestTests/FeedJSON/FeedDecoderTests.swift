// The quick decoder may refuse what Foundation reads, but never read anything otherwise.

import Foundation
import MatchEngine
import Testing

@testable import ScoreIngest

@Suite struct FeedDecoderTests {
    /// Any JSON at all, looked at in every form that it may have.
    private enum Tree: Decodable, Hashable {
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
    }

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
        let quick = try #require(FeedDecoder.value(Tree.self, from: bytes), "it has to be quick for \(text)")
        #expect(quick == Self.foundation(bytes))
    }

    @Test(
        arguments: [
            "", " ", "nul", "nulll", "truefalse", "[1,]", "[,1]", "{,}", #"{"a":1,}"#, #"{"a"}"#, #"{"a":}"#, #"{a:1}"#,
            "{1:2}", "[1 2]", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x10", "NaN", "Infinity", "1e400", "-1e400",
            #"""#, #""a"#, #""\"#, #""\x""#, #""\u12""#, #""\ud800""#, #""\udc00x""#, #""\ud800\u0041""#, "\"\u{1}\"",
            "[1]]", "[1] x", "/*a*/1", "[1}", "{\"a\":1]", "1\u{0}", "\u{FEFF}1",
        ]
    )
    func whatIsDoubtfulIsNotTaken(text: String) { #expect(FeedDecoder.value(Tree.self, from: Array(text.utf8)) == nil) }

    @Test func bytesThatAreNoTextAreNotTaken() {
        for text: [UInt8] in [
            [0x22, 0xff, 0x22], [0x22, 0xc3, 0x22], [0xff, 0xfe, 0x31, 0], [0, 0, 0, 0x31], [0xc0],
        ] {
            #expect(FeedDecoder.value(Tree.self, from: text) == nil)
        }
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 10_000)
        #expect(FeedDecoder.value(Tree.self, from: deep) == nil)
        #expect(FeedDecoder.value(Tree.self, from: deep + [UInt8](repeating: UInt8(ascii: "]"), count: 10_000)) == nil)
    }

    @Test func aNameThatStandsTwiceCountsAsFoundationCountsIt() throws {
        struct Twice: Decodable, Equatable { let a: Int }
        let text = Array(#"{"a":1,"b":0,"a":2}"#.utf8)
        #expect(FeedDecoder.value(Twice.self, from: text) == (try JSONDecoder().decode(Twice.self, from: Data(text))))
    }

    @Test func largeObjectsAreReadByATable() throws {
        let pairs = (0..<5_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        let text = Array("{\(pairs)}".utf8)
        let found = try #require(FeedDecoder.value([String: Int].self, from: text))
        #expect(found.count == 5_000 && found["k4999"] == 4_999)
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
            guard let quick = FeedDecoder.value(Tree.self, from: text) else { continue }
            taken += 1
            #expect(quick == Self.foundation(text), "seed \(seed): \(String(decoding: text, as: UTF8.self))")
        }
        #expect(taken > 300, "seed \(seed)")
    }

    @Test func errorsStillNameThePlace() {
        let text = Array(#"{"meta":null,"info":{"teams":["A",7]}}"#.utf8)
        #expect(throws: AdapterError.self) { try AdapterError.decode(CricsheetDocument.self, from: text) }
        do throws(AdapterError) {
            _ = try AdapterError.decode([String: [Int]].self, from: Array(#"{"a":[1,"x"]}"#.utf8))
        } catch {
            #expect(error == .wrongForm(path: "a[1]", expected: "a whole number"))
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
