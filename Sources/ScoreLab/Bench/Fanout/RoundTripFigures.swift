// The distance to Apple costs connections; two runs to two sinks show how many.

import ScoreTypes

/// The result of `bench fanout --round-trip`.
struct RoundTripFigures: Report, Sendable {
    let roundTrip: Duration
    /// To a sink that answers at once.
    let near: FanoutFigures
    /// To a sink that answers after the round trip.
    let distant: FanoutFigures

    /// The rate over the round trip as a part of the other one, after connections were opened.
    var ratio: Double {
        near.lastPushesPerSecond > 0 ? distant.lastPushesPerSecond / near.lastPushesPerSecond : 0
    }

    /// Memory of one further connection with its open requests; nil when none was opened.
    var bytesPerConnection: Int? {
        let opened = distant.connections.after - distant.connections.before
        guard opened > 0 else { return nil }
        let grown = { (run: FanoutFigures) in run.residentBytes.after - run.residentBytes.before }
        return (grown(distant) - grown(near)) / opened
    }

    var json: [UInt8] {
        JSONWriter.document { json in
            json.number("roundTripMilliseconds", roundTrip.inMilliseconds)
            for (name, run) in [("withoutRoundTrip", near), ("withRoundTrip", distant)] {
                json.key(dynamic: name)
                json.object { run.write(to: &$0) }
            }
            json.number("ratio", ratio.rounded(to: 3))
            if let bytesPerConnection { json.field("bytesPerConnection", bytesPerConnection) }
        }
    }

    var text: String {
        let each = bytesPerConnection.map { "\($0 / 1024) KB for each further connection" } ?? "no further connection"
        return """
            a sink that answers at once:
            \(near.text.indented)
            a sink that answers after \(roundTrip.inMilliseconds.rounded(to: 2)) ms:
            \(distant.text.indented)
            \(ratio.rounded(to: 2)) of the rate over the round trip; \(each)
            """
    }
}

extension String {
    /// Each line two spaces to the right.
    fileprivate var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }.joined(separator: "\n")
    }
}
