// The figures of a run, for people and for programs.

import ScoreTypes

/// The result of `bench arena`.
struct ArenaFigures: Report, Sendable {
    let tokens: Int
    let buildSeconds: Double
    let bytesPerToken: Double
    /// Until a rotation on another node is seen.
    let visible: DurationSet
    let iterateNanosecondsPerToken: Double

    var json: [UInt8] {
        JSONWriter.document { json in
            json.number("buildSeconds", buildSeconds)
            json.number("bytesPerToken", bytesPerToken)
            json.number("visibleMilliseconds", visible.percentile(1).inMilliseconds)
        }
    }

    var text: String {
        """
        \(tokens) tokens read in \(buildSeconds.rounded(to: 2)) s, \(bytesPerToken.rounded(to: 1)) bytes each
        a rotation on another node is seen after \(visible.percentile(1).inMilliseconds.rounded(to: 1)) ms at most, \
        \(visible.percentile(0.5).inMilliseconds.rounded(to: 1)) ms in the median
        walking all of them takes \(iterateNanosecondsPerToken.rounded(to: 1)) ns a token
        """
    }
}
