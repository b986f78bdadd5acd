// The figures of a run, for people and for programs.

import ScoreTypes

/// What `bench registrations` found.
struct RegistrationFigures: Sendable {
    let rows: Int
    let newPerSecond: Double
    let rotatePerSecond: Double
    let singleP50Milliseconds: Double
    let singleP99Milliseconds: Double

    /// One JSON object.
    var json: [UInt8] {
        JSONWriter.document { json in
            json.field("newPerSecond", Int(newPerSecond))
            json.field("rotatePerSecond", Int(rotatePerSecond))
            json.key("singleP99Milliseconds")
            json.number(singleP99Milliseconds)
        }
    }

    /// Lines for people.
    var text: String {
        """
        \(rows) activities: \(Int(newPerSecond)) new rows/s, \(Int(rotatePerSecond)) rotations/s
        single registrations: p50 \(singleP50Milliseconds.rounded(to: 1)) ms, \
        p99 \(singleP99Milliseconds.rounded(to: 1)) ms
        """
    }
}
