// The figures of a run, for people and for programs.

import ScoreTypes

/// The result of `bench registrations`.
struct RegistrationFigures: Report, Sendable {
    let rows: Int
    let newPerSecond: Double
    let rotatePerSecond: Double
    /// The same rows by bare statements, in the same run.
    let peerNewPerSecond: Double
    let peerRotatePerSecond: Double
    let single: DurationSet

    var json: [UInt8] {
        JSONWriter.document { json in
            json.field("newPerSecond", Int(newPerSecond))
            json.field("rotatePerSecond", Int(rotatePerSecond))
            json.number("singleP99Milliseconds", single.percentile(0.99).inMilliseconds)
            json.field("peerNewPerSecond", Int(peerNewPerSecond))
            json.field("peerRotatePerSecond", Int(peerRotatePerSecond))
        }
    }

    var text: String {
        let (fresh, rotated) = (newPerSecond / peerNewPerSecond, rotatePerSecond / peerRotatePerSecond)
        let (median, slow) = (single.percentile(0.5).inMilliseconds, single.percentile(0.99).inMilliseconds)
        return """
            \(rows) activities: \(Int(newPerSecond)) new rows/s, \(Int(rotatePerSecond)) rotations/s
            bare statements: \(Int(peerNewPerSecond)) new rows/s, \(Int(peerRotatePerSecond)) rotations/s; \
            \(fresh.rounded(to: 2)) and \(rotated.rounded(to: 2)) of that through the store
            single registrations: p50 \(median.rounded(to: 1)) ms, p99 \(slow.rounded(to: 1)) ms
            """
    }
}
