// The figures of a run, for people and for programs.

import ScoreTypes

/// The result of `bench fanout`.
struct FanoutFigures: Report, Sendable {
    var pushes = 0
    var seconds = 0.0
    var cpuSeconds = 0.0
    var peakResidentBytes = 0
    /// Memory when the first push left, and when the last was accounted for.
    var residentBytes = (before: 0, after: 0)
    /// Open connections when the first push left, and at the end.
    var connections = (before: 0, after: 0)
    /// The rate of the last round, in which no connection has to be opened first.
    var lastPushesPerSecond = 0.0
    /// From the publication to the first and the last answer, in milliseconds; nil when it was not measured.
    var answered: (first: Double, last: Double)?

    var pushesPerSecond: Double { seconds > 0 ? Double(pushes) / seconds : 0 }
    var cpuMicrosecondsPerPush: Double { pushes > 0 ? cpuSeconds * 1e6 / Double(pushes) : 0 }

    var json: [UInt8] { JSONWriter.document { write(to: &$0) } }

    /// Writes the members of an object.
    func write(to json: inout JSONWriter) {
        json.field("pushes", pushes)
        json.number("seconds", seconds.rounded(to: 6))
        json.number("pushesPerSecond", pushesPerSecond.rounded(to: 1))
        json.number("cpuMicrosecondsPerPush", cpuMicrosecondsPerPush.rounded(to: 4))
        json.field("peakResidentBytes", peakResidentBytes)
        json.field("residentBytesBefore", residentBytes.before)
        json.field("residentBytesAfter", residentBytes.after)
        json.field("connectionsBefore", connections.before)
        json.field("connections", connections.after)
        json.number("lastPushesPerSecond", lastPushesPerSecond.rounded(to: 1))
        if let answered {
            json.number("firstAcceptedMilliseconds", answered.first.rounded(to: 3))
            json.number("lastAcceptedMilliseconds", answered.last.rounded(to: 3))
        }
    }

    var text: String {
        let memory = { (bytes: Int) in "\(bytes / 1_048_576) MB" }
        var lines = [
            "\(pushes) pushes accounted for in \(seconds.rounded(to: 3)) s: \(Int(pushesPerSecond)) a second, "
                + "\(cpuMicrosecondsPerPush.rounded(to: 2)) µs of processor each",
            "memory \(memory(residentBytes.before)) before, \(memory(residentBytes.after)) after, "
                + "\(memory(peakResidentBytes)) at most",
            "\(connections.before) connections before, \(connections.after) after; "
                + "\(Int(lastPushesPerSecond)) pushes a second in the last round",
        ]
        if let answered {
            lines.append(
                "accepted: the first after \(answered.first.rounded(to: 1)) ms, "
                    + "the last after \(answered.last.rounded(to: 1)) ms"
            )
        }
        return lines.joined(separator: "\n")
    }
}
