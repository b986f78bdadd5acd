// Log lines are redacted: text that looks like a secret never leaves the process, whatever a caller logs.

import Metrics

/// Redacts text before it is written.
enum Redaction {
    /// The replacement of a secret.
    static let mark = "‹redacted›"
    /// Longest run of hexadecimal digits that is not a secret; tokens and digests are longer.
    static let plainHexDigits = 63

    /// Removes long hexadecimal runs, bearer credentials, JSON web tokens, PEM blocks and passwords in URLs.
    ///
    /// Log lines are counted: a secret in one is a fault of the program. A text of an operator is not counted.
    static func scrub(_ text: String, isCounted: Bool = true) -> String {
        guard mayHoldSecret(text) else { return text }
        let scrubbed = scrubWords(in: scrubPEM(in: text))
        if isCounted, scrubbed != text { Counter(label: "score_log_redactions_total").increment() }
        return scrubbed
    }

    /// A cheap check that most lines pass.
    private static func mayHoldSecret(_ text: String) -> Bool {
        text.utf8.count > plainHexDigits || text.contains("ss") || text.contains("earer") || text.contains("eyJ")
            || text.contains("://") || text.contains("-----")
    }

    private static func scrubPEM(in text: String) -> String {
        guard let start = text.range(of: "-----BEGIN") else { return text }
        let end = text.range(of: "-----END", in: start.upperBound..<text.endIndex)
        let rest = end.map { text[$0.upperBound...].drop { $0 != "\n" } } ?? ""
        return text[..<start.lowerBound] + mark + scrubPEM(in: String(rest))
    }

    private static func scrubWords(in text: String) -> String {
        var result = ""
        var word = ""
        var hidesNext = false
        for character in text {
            if character.isWhitespace || character == "," || character == "\"" || character == "'" {
                flush(&word, into: &result, &hidesNext)
                result.append(character)
            } else {
                word.append(character)
            }
        }
        flush(&word, into: &result, &hidesNext)
        return result
    }

    private static func flush(_ word: inout String, into result: inout String, _ hidesNext: inout Bool) {
        guard !word.isEmpty else { return }
        if hidesNext || isSecret(word) { result += mark } else { result += withoutPassword(word) }
        hidesNext = word.lowercased() == "bearer"
        word = ""
    }

    private static func isSecret(_ word: String) -> Bool {
        if word.contains("ssd1.") || word.contains("ssa1.") || word.hasPrefix("eyJ") || word.contains("=eyJ") {
            return true
        }
        var run = 0
        for byte in word.utf8 {
            // 0xdf turns small letters into capitals.
            let isHex = (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xdf)
            run = isHex ? run + 1 : 0
            if run > plainHexDigits { return true }
        }
        return false
    }

    private static func withoutPassword(_ word: String) -> String {
        guard let scheme = word.range(of: "://"),
            let at = word.range(of: "@", in: scheme.upperBound..<word.endIndex)
        else { return word }
        return word[..<scheme.upperBound] + mark + word[at.lowerBound...]
    }
}

extension String {
    fileprivate func range(of needle: String, in bounds: Range<Index>? = nil) -> Range<Index>? {
        self[bounds ?? startIndex..<endIndex].firstRange(of: needle)
    }
}
