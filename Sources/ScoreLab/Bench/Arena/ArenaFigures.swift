// The figures of a run, for people and for programs.

import ScoreTypes

/// The result of `bench arena`.
struct ArenaFigures: Report, Sendable {
    let tokens: Int
    let buildSeconds: Double
    let bytesPerToken: Double
    let visibleMilliseconds: Double
    let visibleMedianMilliseconds: Double
    let iterateNanosecondsPerToken: Double

    var json: [UInt8] {
        JSONWriter.document { json in
            json.number("buildSeconds", buildSeconds)
            json.number("bytesPerToken", bytesPerToken)
            json.number("visibleMilliseconds", visibleMilliseconds)
        }
    }

    var text: String {
        """
        \(tokens) tokens read in \(buildSeconds.rounded(to: 2)) s, \(bytesPerToken.rounded(to: 1)) bytes each
        a rotation on another node is seen after \(visibleMilliseconds.rounded(to: 1)) ms at most, \
        \(visibleMedianMilliseconds.rounded(to: 1)) ms in the median
        walking all of them takes \(iterateNanosecondsPerToken.rounded(to: 1)) ns a token
        """
    }
}
