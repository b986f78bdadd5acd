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
    let singleP50Milliseconds: Double
    let singleP99Milliseconds: Double

    var json: [UInt8] {
        JSONWriter.document { json in
            json.field("newPerSecond", Int(newPerSecond))
            json.field("rotatePerSecond", Int(rotatePerSecond))
            json.number("singleP99Milliseconds", singleP99Milliseconds)
            json.field("peerNewPerSecond", Int(peerNewPerSecond))
            json.field("peerRotatePerSecond", Int(peerRotatePerSecond))
        }
    }

    var text: String {
        let (fresh, rotated) = (newPerSecond / peerNewPerSecond, rotatePerSecond / peerRotatePerSecond)
        let (median, slow) = (singleP50Milliseconds.rounded(to: 1), singleP99Milliseconds.rounded(to: 1))
        return """
            \(rows) activities: \(Int(newPerSecond)) new rows/s, \(Int(rotatePerSecond)) rotations/s
            bare statements: \(Int(peerNewPerSecond)) new rows/s, \(Int(peerRotatePerSecond)) rotations/s; \
            \(fresh.rounded(to: 2)) and \(rotated.rounded(to: 2)) of that through the store
            single registrations: p50 \(median) ms, p99 \(slow) ms
            """
    }
}
