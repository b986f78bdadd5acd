// The default match of the demo: written for this project, with all kinds of events of a T20 match.

internal import CDocuments

/// A T20 chase of 169 with a hat-trick, two balls put right, a rain break and a finish with one ball to spare.
public enum DemoMatch {
    /// The finished match as Cricsheet JSON: `docs/demo_match.json`, which is embedded in the binary.
    public static var document: [UInt8] {
        var count = 0
        return Array(UnsafeBufferPointer(start: demo_match_document(&count), count: count))
    }

    /// Rain in the second innings.
    public static let stops = [Interruption(beforeBall: 174, status: "rain", lasts: .seconds(40 * 60))]
    /// The balls, counted from 0, whose runs the feed publishes wrong at first.
    public static let mistakes: Set<Int> = [16, 207]
}

/// A stop in play.
public struct Interruption: Sendable, Hashable {
    /// The ball, counted from 0 over the whole match, before which play stops.
    let beforeBall: Int
    /// The status that the feed gives, a raw value of `MatchStatus`.
    let status: String
    /// Time lost.
    let lasts: Duration
}
