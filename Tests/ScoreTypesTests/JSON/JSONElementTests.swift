// The reader may refuse what Foundation reads, but never reads another value.

import Foundation
import Testing

@testable import ScoreTypes

@Suite struct JSONElementTests {
    /// Any JSON value, in every form.
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

    private static func ours(_ text: [UInt8]) -> Tree? { try? JSONElement.read(Tree.self, from: text) }

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
    func valuesEqualThoseOfFoundation(text: String) throws {
        let bytes = Array(text.utf8)
        let ours = try #require(Self.ours(bytes), "\(text)")
        #expect(ours == Self.foundation(bytes))
    }

    @Test(
        arguments: [
            "", " ", "nul", "nulll", "truefalse", "[1,]", "[,1]", "{,}", #"{"a":1,}"#, #"{"a"}"#, #"{"a":}"#, #"{a:1}"#,
            "{1:2}", "[1 2]", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x10", "NaN", "Infinity", "1e400", "-1e400",
            #"""#, #""a"#, #""\"#, #""\x""#, #""\u12""#, #""\ud800""#, #""\udc00x""#, #""\ud800\u0041""#, "\"\u{1}\"",
            "[1]]", "[1] x", "/*a*/1", "[1}", "{\"a\":1]", "1\u{0}2",
        ]
    )
    func malformedTextsAreRefused(text: String) { #expect(Self.ours(Array(text.utf8)) == nil) }

    @Test func invalidTextIsRefused() {
        for text: [UInt8] in [
            [0x22, 0xff, 0x22], [0x22, 0xc3, 0x22], [0xff, 0xfe, 0x31, 0xdc], [0, 0, 0, 0x31], [0xc0],
        ] {
            #expect(Self.ours(text) == nil)
        }
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 10_000)
        #expect(Self.ours(deep) == nil)
        #expect(Self.ours(deep + [UInt8](repeating: UInt8(ascii: "]"), count: 10_000)) == nil)
    }

    @Test func theFirstOfEqualNamesIsUsed() throws {
        let text = Array(#"{"a":1,"b":0,"a":2}"#.utf8)
        let found = try JSONElement.read([String: Int].self, from: text)
        #expect(found == (try JSONDecoder().decode([String: Int].self, from: Data(text))))
    }

    @Test func utf16AndByteOrderMarksAreRead() throws {
        let text = #"{"name":"Müller — ✓","runs":[1,2]}"#
        for encoding in [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian] {
            let bytes = Array(try #require(text.data(using: encoding)))
            let ours: Tree = try #require(Self.ours(bytes), "\(encoding)")
            #expect(ours == Self.foundation(bytes), "\(encoding)")
        }
        #expect(Self.ours([0xEF, 0xBB, 0xBF] + Array(text.utf8)) == Self.foundation(Array(text.utf8)))
        let halfPair: [UInt8] = [0, 0x22, 0xD8, 0, 0, 0x22]
        #expect(Self.ours(halfPair) == nil)
    }

    /// Eight bytes are tested at once: a byte that is not plain is found at every place.
    @Test func stringsAreScannedAtEveryLength() throws {
        for length in 0..<20 {
            let plain = [UInt8](repeating: UInt8(ascii: "~"), count: length)
            let whole = try #require(try? JSONTable([0x22] + plain + Array(#"" "#.utf8), .lenient))
            #expect(whole.nodes.map(\.form) == [.text] && whole.nodes[0].end == Int32(length + 1))
            for place in 0..<length {
                for odd: [UInt8] in [[0x5C, 0x22], [0x1F], [0x80], [0xFF]] {
                    let text = [0x22] + plain[..<place] + odd + plain[place...] + [0x22]
                    #expect(
                        (try? JSONTable(text, .lenient))?.nodes.map(\.form) == [.escapedText],
                        "\(odd) at \(place) of \(length)"
                    )
                }
                let text = [0x22] + plain[..<place] + [0x22, 0x22] + plain[place...] + [0x22]
                #expect((try? JSONTable(text, .lenient)) == nil, "a quote at \(place) of \(length)")
            }
        }
    }

    /// A string that no type reads may be invalid, as with Foundation; a name may not.
    @Test func anInvalidStringIsAnErrorWhenItIsRead() throws {
        struct One: Decodable {
            let a: String
        }
        for damage: [UInt8] in [[0xff], [0x01], Array(#"\x"#.utf8), Array(#"\ud800"#.utf8)] {
            let (quote, good) = (Array("\"".utf8), Array("good".utf8))
            func text(_ name: [UInt8], _ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
                Array(#"{"a":""#.utf8) + a + Array(#"",""#.utf8) + name + Array(#"":""#.utf8) + b + quote
                    + Array("}".utf8)
            }
            #expect(try JSONElement.read(One.self, from: text(good, good, damage)).a == "good")
            #expect(throws: JSONError.mismatch(path: "a", expected: "a string")) {
                try JSONElement.read(One.self, from: text(good, damage, good))
            }
            #expect(throws: JSONSyntaxError.self) { try JSONElement.read(One.self, from: text(damage, good, good)) }
            #expect(throws: JSONSyntaxError.self) { try JSONElement(parsing: text(good, good, damage), .strict) }
        }
    }

    @Test func damagedTextsAreNeverReadDifferently() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var dice = SplitMix64(seed: seed)
        let whole = Array(
            #"""
            {"info":{"teams":["Reds","Blues"],"balls_per_over":6,"live":true},"innings":[{"overs":[{"over":0,
            "deliveries":[{"batter":"A. Müller","runs":{"total":4}},{"wickets":[],"extras":null}]}]}],
            "live":{"state":"live","note":"Z\u00fcrich \ud83c\udfcf","version":12.0,"startsAt":1.5e9}}
            """#.utf8
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
            guard let ours = Self.ours(text) else { continue }
            taken += 1
            #expect(ours == Self.foundation(text), "seed \(seed): \(String(decoding: text, as: UTF8.self))")
        }
        #expect(taken > 300, "seed \(seed)")
    }

    @Test func errorsNameThePlace() {
        struct Match: Decodable {
            let teams: [String]
            let matchType: String
        }
        struct Page: Decodable { let info: Match }
        func error<Value: Decodable>(_ type: Value.Type, _ text: String) -> JSONError? {
            #expect(throws: JSONError.self) { try JSONElement.read(type, from: Array(text.utf8)) }
        }
        #expect(error(Page.self, #"{"info":{"teams":["A"]}}"#) == .missing(path: "info.match_type"))
        #expect(error(Page.self, #"{"info":null}"#) == .missing(path: "info"))
        #expect(
            error(Page.self, #"{"info":{"teams":["A",7]}}"#)
                == .mismatch(path: "info.teams[1]", expected: "a string")
        )
        #expect(
            error([String: [Int]].self, #"{"a":[1],"b\u0007":[[],1,"x"]}"#)
                == .mismatch(path: "b[0]", expected: "a whole number")
        )
        #expect(error([Int].self, "{}") == .mismatch(path: "body", expected: "an array"))
        #expect(error([Int].self, "[1,null]") == .missing(path: "[1]"))
    }

    @Test func propertiesReadMembersInSnakeCaseAndInCamelCase() throws {
        struct Row: Decodable, Equatable {
            let batsmanOneOnCreezeId: Int
            let pp1: Int?
            let startsAt: Int?
        }
        let snake = Array(#"{"batsman_one_on_creeze_id":1,"pp1":2,"batsman_one":3,"starts_at":4}"#.utf8)
        let camel = Array(#"{"batsmanOneOnCreezeId":1,"pp_1":0,"pp1":2,"startsAt":4}"#.utf8)
        let row = Row(batsmanOneOnCreezeId: 1, pp1: 2, startsAt: 4)
        #expect(try JSONElement.read(Row.self, from: snake) == row)
        #expect(try JSONElement.read(Row.self, from: camel) == row)
    }

    @Test func integersAreReadOrRefusedBySize() throws {
        #expect(try JSONElement.read([UInt64].self, from: Array("[18446744073709551615,20.0]".utf8)) == [.max, 20])
        #expect(throws: JSONError.self) { try JSONElement.read([Int].self, from: Array("[9223372036854775808]".utf8)) }
        #expect(throws: JSONError.self) { try JSONElement.read([UInt8].self, from: Array("[256]".utf8)) }
        #expect(throws: JSONError.self) { try JSONElement.read([UInt].self, from: Array("[-1]".utf8)) }
    }

    /// A dictionary looks up each of its members by name.
    @Test func objectsWithThousandsOfMembersAreRefused() throws {
        func text(_ count: Int) -> [UInt8] {
            Array("{\((0..<count).map { "\"\($0)\":\($0)" }.joined(separator: ","))}".utf8)
        }
        #expect(try JSONElement.read([String: Int].self, from: text(1_000)).count == 1_000)
        #expect(throws: JSONError.mismatch(path: "body", expected: "an object of at most 1000 members")) {
            try JSONElement.read([String: Int].self, from: text(1_001))
        }
    }

    @Test func textsAreBounded() throws {
        let deep = Array(String(repeating: "[", count: 16).utf8) + Array(String(repeating: "]", count: 16).utf8)
        _ = try JSONElement(parsing: deep, .strict)
        #expect(throws: JSONSyntaxError(rule: .tooDeep, offset: 16)) {
            try JSONElement(parsing: [0x5B] + deep + [0x5D], .strict)
        }
        let long = [UInt8](repeating: 0x20, count: JSONSyntax.strict.bytesMax) + [0x31]
        #expect(throws: JSONSyntaxError(rule: .tooLong, offset: JSONSyntax.strict.bytesMax)) {
            try JSONElement(parsing: long, .strict)
        }
        #expect(throws: JSONSyntaxError(rule: .duplicateName, offset: 7)) {
            try JSONElement(parsing: Array(#"{"a":1,"\u0061":2}"#.utf8), .strict)
        }
    }

    @Test(arguments: ["{\"a\": 1}", "{\"name\": \"R\u{e9}union \u{1F3CF}\"}"])
    func utf16IsReadLikeUTF8(text: String) throws {
        let units = Array(text.utf16)
        let bigFirst = units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        let littleFirst = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let expected = try #require(Self.ours(Array(text.utf8)))
        for body in [bigFirst, littleFirst, [0xFE, 0xFF] + bigFirst, [0xFF, 0xFE] + littleFirst] {
            #expect(Self.ours(body) == expected)
        }
        // Half a surrogate pair is no text.
        #expect(Self.ours([0x22, 0x00, 0x3C, 0xD8, 0x22, 0x00]) == nil)
    }
}
