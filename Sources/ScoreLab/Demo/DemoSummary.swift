// The result of a demo: a table for people, an object for machines, and whether all checks passed.

import ScoreTypes

/// The figures of one demo.
struct DemoSummary: Report, Sendable, Equatable {
    var match = ""
    var result = ""
    var balls = 0
    var revisions: Int64 = 0
    var followers = 0
    var pushesAccepted = 0
    var pushesAtHighPriority = 0
    var pushesRejected = 0
    var pushesFailed = 0
    var starts = 0
    var updates = 0
    var ends = 0
    var alerts = 0
    var broadcasts = 0
    var phones = 0
    var phonesAtNewest = 0
    var phonesWentBack = 0
    /// Pushes that a phone could not decode.
    var phonesUndecodable = 0
    var streamRevisions = 0
    var streamWentBack = 0
    var serverRestarts = 0
    var ballToFirstPushP50 = Duration.zero
    var ballToFirstPushP99 = Duration.zero
    var ballToLastPushP50 = Duration.zero
    var ballToLastPushP99 = Duration.zero
    var took = Duration.zero

    /// Whether every phone ends at the newest state and none ever showed an older one after a newer.
    var isRight: Bool {
        phones == followers && phonesAtNewest == phones && phonesWentBack == 0 && phonesUndecodable == 0
            && pushesFailed == 0 && streamWentBack == 0
    }

    /// The object of `--json`.
    var json: [UInt8] {
        JSONWriter.document { json in
            json.field("match", match)
            json.field("result", result)
            json.field("balls", balls)
            json.field("revisions", revisions)
            json.field("pushesAccepted", pushesAccepted)
            json.field("pushesAtHighPriority", pushesAtHighPriority)
            json.field("pushesRejected", pushesRejected)
            json.field("pushesFailed", pushesFailed)
            json.field("starts", starts)
            json.field("updates", updates)
            json.field("ends", ends)
            json.field("alerts", alerts)
            json.field("broadcasts", broadcasts)
            json.field("phones", phones)
            json.field("phonesAtNewest", phonesAtNewest)
            json.field("phonesWentBack", phonesWentBack)
            json.field("phonesUndecodable", phonesUndecodable)
            json.field("streamRevisions", streamRevisions)
            json.field("streamWentBack", streamWentBack)
            json.field("serverRestarts", serverRestarts)
            let times: [(StaticString, Duration)] = [
                ("ballToFirstPushP50Milliseconds", ballToFirstPushP50),
                ("ballToFirstPushP99Milliseconds", ballToFirstPushP99),
                ("ballToLastPushP50Milliseconds", ballToLastPushP50),
                ("ballToLastPushP99Milliseconds", ballToLastPushP99),
                ("tookMilliseconds", took),
            ]
            for (name, time) in times {
                json.number(name, time.reportMilliseconds)
            }
            json.field("isRight", isRight)
        }
    }

    /// A table for people.
    var text: String {
        let rows: [(String, String)] = [
            ("result", result),
            ("balls / revisions", "\(balls) / \(revisions)"),
            ("pushes accepted", "\(pushesAccepted)  (priority 10: \(pushesAtHighPriority), with alert: \(alerts))"),
            ("  start / update / end", "\(starts) / \(updates) / \(ends)"),
            ("pushes rejected / failed", "\(pushesRejected) / \(pushesFailed)"),
            ("broadcast requests", "\(broadcasts)"),
            (
                "ball to first push",
                "p50 \(ballToFirstPushP50.reportMilliseconds) ms, p99 \(ballToFirstPushP99.reportMilliseconds) ms"
            ),
            (
                "ball to last push",
                "p50 \(ballToLastPushP50.reportMilliseconds) ms, p99 \(ballToLastPushP99.reportMilliseconds) ms"
            ),
            ("phones at the newest state", "\(phonesAtNewest) of \(phones)"),
            ("phones that went back", "\(phonesWentBack)"),
            ("stream", "\(streamRevisions) revisions, \(streamWentBack) back"),
            ("server restarts", "\(serverRestarts)"),
        ]
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, value in "  " + name.padded(to: width + 2) + value }.joined(separator: "\n")
    }
}

extension String {
    /// Filled with spaces up to a width in characters.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
