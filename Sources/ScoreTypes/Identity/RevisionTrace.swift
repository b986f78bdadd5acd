// One id follows a ball through the logs of all nodes, from the feed's reply to APNs' answers.

/// The trace of one revision of a match, 32 hexadecimal digits as in `traceparent`.
///
/// Each accepted reply has one revision as its publication. The id is computed from the match and the revision, so that
/// every node writes the same one, also after a restart.
public struct RevisionTrace: Sendable, Hashable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// The trace of a revision.
    public init(_ match: MatchID, revision: Int64) {
        var hash = FNV1a()
        hash.add(match.text.utf8)
        hash.add("@\(revision)".utf8)
        // FNV-1a alone changes few bits between neighbours.
        var generator = SplitMix64(seed: hash.value)
        (high, low) = (generator.next(), generator.next())
    }

    /// The digits, in lower case.
    public var description: String { Self.digits(high) + Self.digits(low) }

    private static func digits(_ half: UInt64) -> String {
        let text = String(half, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
