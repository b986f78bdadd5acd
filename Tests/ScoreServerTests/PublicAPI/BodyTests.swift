// Untrusted input: strict JSON, limits as values, credentials that are not printed.

import MatchJournal
import Providers
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct BodyTests {
    @Test(arguments: [
        ("0", JSONValue.integer(0)), ("-0", .integer(0)), ("9223372036854775807", .integer(.max)),
        ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.5e2", .number(150)),
        (#""a\u00e9\ud83c\udfcf\n""#, .text("aé🏏\n")), ("[]", .array([])), (" {\"a\":null} ", .record(["a": .null])),
    ])
    func valuesAreRead(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)) == value)
    }

    @Test(
        "S27: malformed texts are refused",
        arguments: [
            "", "01", "1.", ".5", "+1", "1e", "tru", "\"", "\"\\x\"", "\"\\ud800\"", "\"\\ud800\\u0041\"",
            "\"\\u+123\"", "[1,]",
            "{\"a\" 1}", "{a:1}", "1 2", "\u{feff}1", "\"\n\"", "1e999", "[", "{", "nul", "-",
        ]
    )
    func malformedTextsAreRefused(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: Array(text.utf8)) }
    }

    @Test func invalidUTF8IsRefused() {
        #expect(throws: JSONSyntaxError(rule: .notUTF8, offset: 1)) { try JSONValue(parsing: [0x22, 0xff, 0x22]) }
    }

    @Test func arbitraryBytesAreReadOrRefused() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("{}[]\",:0123456789eE+-.truefalsn\\u \n".utf8) + [0xff, 0xc3]
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            if let value = try? JSONValue(parsing: bytes) {
                #expect((try? JSONValue(parsing: value.bytes)) != nil, "\(bytes)")
            }
        }
    }

    @Test func theCacheNeverExceedsItsCapacity() {
        var cache = GenerationCache<Int, Int>(capacity: 10)
        for index in 0..<1_000 {
            cache[index] = index
            let value = cache[index]
            #expect(value == index)
        }
        let kept = (0..<1_000).filter { cache[$0] != nil }
        #expect(kept.count <= 10)
        cache[999] = nil
        let gone = [cache[0], cache[999]]
        #expect(gone == [nil, nil])
    }

    @Test func credentialsRoundTripAndAreNotPrinted() throws {
        let credential = BearerCredential(new: .device, id: "abc")
        let read = try #require(BearerCredential.reading("Bearer \(credential.text)"))
        #expect(read.digest.matches(credential.digest))
        #expect(!"\(credential)".contains(credential.text.split(separator: ".")[2]))
        #expect(!BearerCredential(new: .device, id: "abc").digest.matches(credential.digest))
        for text in ["ssd1.abc", "ssd1.abc.!!", "ssd2.abc.\(credential.text.split(separator: ".")[2])", "ssd1..x"] {
            #expect(BearerCredential(text) == nil)
        }
    }
}
