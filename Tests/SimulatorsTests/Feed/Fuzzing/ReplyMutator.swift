// Changes replies into bytes that no provider sends: half of the changes keep valid JSON, to reach the deepest code.

import ScoreIngest
import ScoreTypes

/// Changes texts by a seed.
struct ReplyMutator: RandomNumberGenerator {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    mutating func next() -> UInt64 { generator.next() }

    /// Numbers at common limits.
    private static let numbers = [
        "-1", "0", "1", "2", "7", "11", "21", "255", "1000", "32768", "99999", "2147483648", "9223372036854775807",
        "-9223372036854775808", "18446744073709551615", "1e19", "1e400", "-0.0", "0.7", "12.9", "null", "true", "\"\"",
        "\"9\"", "\"-3\"", "[]", "{}",
    ]
    private static let words = [
        "", " ", "0", "-1", "null", "\\u0000", "\\ud800", "é", "🏏🏏🏏🏏🏏🏏🏏🏏🏏🏏", "sub (", "c  b ", "run out (/)", "S9",
        "S0",
        "9999.9", "2026-02-30", "Stump Day 9", "5th Innings", "1 No Ball + 1 Bye",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    ]

    /// One to four changes.
    mutating func mutate(_ text: [UInt8]) -> [UInt8] {
        var text = text
        for _ in 0..<Int.random(in: 1...4, using: &self) where !text.isEmpty {
            switch Int.random(in: 0...9, using: &self) {
            case 0...3: replaceToken(in: &text, { Self.isDigit($0) || $0 == UInt8(ascii: "-") }, with: Self.numbers)
            case 4, 5: replaceText(in: &text)
            case 6: text[Int.random(in: text.indices, using: &self)] = UInt8.random(in: .min ... .max, using: &self)
            case 7: text.removeSubrange(range(in: text, upTo: 40))
            case 8:
                let part = Array(text[range(in: text, upTo: 400)])
                text.insert(contentsOf: part, at: Int.random(in: text.indices, using: &self))
            default: text.removeLast(min(text.count, Int.random(in: 1...200, using: &self)))
            }
        }
        return text
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private mutating func range(in text: [UInt8], upTo length: Int) -> Range<Int> {
        let start = Int.random(in: text.indices, using: &self)
        return start..<min(text.count, start + Int.random(in: 1...length, using: &self))
    }

    /// Replaces a run of bytes, found from a random place on, with another token.
    private mutating func replaceToken(in text: inout [UInt8], _ belongs: (UInt8) -> Bool, with words: [String]) {
        let from = Int.random(in: text.indices, using: &self)
        guard let start = text[from...].firstIndex(where: belongs), let word = words.randomElement(using: &self) else {
            return
        }
        let end = text[start...].firstIndex { !belongs($0) } ?? text.endIndex
        text.replaceSubrange(start..<end, with: word.utf8)
    }

    /// Puts another text between two quotation marks.
    private mutating func replaceText(in text: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        let from = Int.random(in: text.indices, using: &self)
        guard let start = text[from...].firstIndex(of: quote), start + 1 < text.endIndex,
            let end = text[(start + 1)...].firstIndex(of: quote), let word = Self.words.randomElement(using: &self)
        else { return }
        text.replaceSubrange((start + 1)..<end, with: word.utf8)
    }
}
