// The figures of a run, for people and for programs.

import ScoreTypes

/// The result of `bench console`.
struct ConsoleFigures: Report, Sendable {
    let matches: Int
    let tokens: Int
    /// The times of each page.
    var pages: [String: DurationSet] = [:]
    /// The share of a core that the server uses before any page was opened.
    var unusedShare = 0.0
    /// The share of a core that the server uses after all pages were read and closed.
    var idleShare = 0.0

    init(matches: Int, tokens: Int) { (self.matches, self.tokens) = (matches, tokens) }

    var json: [UInt8] {
        JSONWriter.document { json in
            json.field("matches", matches)
            json.field("tokens", tokens)
            json.objects("pages", pages.sorted { $0.key < $1.key }) { page, json in
                json.field("path", page.key)
                json.number("p50Milliseconds", page.value.percentile(0.5).reportMilliseconds)
                json.number("p99Milliseconds", page.value.percentile(0.99).reportMilliseconds)
            }
            json.number("unusedShareOfACore", unusedShare.rounded(to: 4))
            json.number("idleShareOfACore", idleShare.rounded(to: 4))
        }
    }

    var text: String {
        let lines = pages.sorted { $0.key < $1.key }.map { "  \($0.key.padded(to: 36)) \($0.value.textWithMaximum)" }
        let shares = [unusedShare, idleShare].map { "\(($0 * 100).rounded(to: 2)) %" }
        let title = "\(matches) matches in play, \(tokens) tokens"
        let idle = "  of a core: \(shares[0]) before the first page, \(shares[1]) after the last"
        return ([title] + lines + [idle]).joined(separator: "\n")
    }
}
