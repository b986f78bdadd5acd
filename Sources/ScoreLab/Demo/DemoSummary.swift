// The result of a demo: a table for people, an object for machines, and whether all checks passed.

import MatchEngine
import MatchJournal
import ScoreTypes
import Simulators

/// The counts of feed, journal, APNs and phones at the end of a demo.
struct DemoSummary: Report, Sendable {
    private let match: String
    private let verdict: DemoVerdict
    private let confirmations: ConfirmationTimes
    private let confirmationsInPlay: DurationSet
    private let confirmationsAtEnd: DurationSet
    private let ballToFirstPush: DurationSet
    private let ballToLastPush: DurationSet
    var took = Duration.zero

    /// Reads the counts at the end of a demo.
    init(of demo: DemoTestbed, end: DemoEnd) async throws {
        match = demo.match.text
        let (pushes, served, restarts) = (demo.bed.apns.statistics, demo.feed.firstServed, demo.restartTimes)
        confirmations = demo.fleet.confirmationTimes(of: try await demo.publications())
        confirmationsInPlay = DurationSet(confirmations.inPlay)
        confirmationsAtEnd = DurationSet(confirmations.newest)
        var times = BallTimes()
        var journal = JournalTally()
        let spans = try await times.next(
            served: served,
            pushed: pushes.revisions,
            entries: { try await demo.journal.entries(of: demo.match, after: $0) },
            look: { journal.take($0) }
        )
        ballToFirstPush = DurationSet(spans.map(\.first))
        ballToLastPush = DurationSet(spans.map(\.last))
        verdict = DemoVerdict(
            isOver: end.isOver,
            hasWinner: demo.hasWinner,
            newest: end.newest,
            balls: demo.balls,
            served: served.count,
            journal: journal,
            ballToFirstPushMedian: ballToFirstPush.percentile(0.5),
            ballsWithoutPush: times.withoutPush,
            pushes: pushes,
            phones: end.phones,
            stream: end.stream,
            repeats: AlertRepeats(
                end.phones.repeatedAlerts,
                changes: restarts.map { $0...$0 } + demo.ownership.all
            ),
            restarts: restarts.count,
            kills: demo.serverKills,
            networkFaults: demo.network.counts,
            calmLinks: demo.network.calmLinks
        )
    }

    private var pushes: PushStatistics { verdict.pushes }
    private var phones: PhoneFleetReport { verdict.phones }
    private var stream: StreamWatcher.Report { verdict.stream }
    private var repeats: AlertRepeats { verdict.repeats }
    private var result: String { verdict.journal.result ?? "" }

    private var repeatsNote: String {
        guard repeats.total > 0 else { return "" }
        return " (unexplained \(repeats.unexplained); at most \(repeats.requestsMost) requests a change of owner, "
            + "sent up to \(repeats.oldest.reportMilliseconds) ms before it)"
    }

    private var pushesRejected: Int { pushes.refused.values.reduce(0, +) }
    /// Accepted pushes that no phone would have shown.
    private var pushesFailed: Int { pushes.traps.values.reduce(0, +) }

    /// The reasons of rejected and failed pushes.
    private var reasons: String {
        let counts = pushes.refused.merging(pushes.traps, uniquingKeysWith: +)
        return counts.isEmpty ? "" : "  (\(DemoVerdict.list(counts)))"
    }

    /// Whether each part of the way from the feed to the phones worked: there are no ``DemoVerdict/faults``.
    var isRight: Bool { verdict.faults.isEmpty }

    var json: [UInt8] {
        JSONWriter.document { json in
            json.field("match", match)
            json.field("result", result)
            json.field("balls", verdict.balls)
            json.field("ballsServed", verdict.served)
            json.field("ballsInJournal", verdict.journal.balls)
            json.field("ballsWithoutPush", verdict.ballsWithoutPush)
            json.field("revisions", verdict.newest)
            writePushes(&json)
            writePhones(&json)
            json.object("confirmedInPlay") { $0.times(confirmationsInPlay, late: confirmations.lateInPlay) }
            json.object("confirmedAtEnd") { $0.times(confirmationsAtEnd, late: confirmations.lateAtEnd) }
            json.field("widgetReloads", phones.widgetReloads)
            json.field("streamRevisions", stream.revisions)
            json.field("streamWentBack", stream.wentBack)
            json.field("serverRestarts", verdict.restarts)
            json.field("networkFaults", verdict.networkFaults.values.reduce(0, +))
            json.number("ballToFirstPushP50Milliseconds", ballToFirstPush.percentile(0.5).reportMilliseconds)
            json.number("ballToFirstPushP99Milliseconds", ballToFirstPush.percentile(0.99).reportMilliseconds)
            json.number("ballToLastPushP50Milliseconds", ballToLastPush.percentile(0.5).reportMilliseconds)
            json.number("ballToLastPushP99Milliseconds", ballToLastPush.percentile(0.99).reportMilliseconds)
            json.number("tookMilliseconds", took.reportMilliseconds)
            json.field("isRight", isRight)
            json.strings("faults", verdict.faults)
        }
    }

    private func writePushes(_ json: inout JSONWriter) {
        json.field("pushesAccepted", pushes.accepted)
        json.field("pushesAtHighPriority", pushes.acceptedAtHighPriority)
        json.field("pushesRejected", pushesRejected)
        json.field("pushesFailed", pushesFailed)
        json.field("starts", pushes.events["start"] ?? 0)
        json.field("updates", pushes.events["update"] ?? 0)
        json.field("ends", pushes.events["end"] ?? 0)
        json.field("alerts", pushes.acceptedWithAlert)
        json.field("broadcasts", pushes.broadcasts)
    }

    private func writePhones(_ json: inout JSONWriter) {
        json.field("phones", phones.phones)
        json.field("phonesReachable", phones.reachable)
        json.field("phonesAtNewest", phones.atNewest)
        json.field("phonesConfirmed", phones.confirmed)
        json.field("phonesUnknown", phones.unknown)
        json.field("phonesUnconfirmed", phones.unconfirmed)
        json.field("phonesStarted", phones.started)
        json.field("phonesEnded", phones.ended)
        json.field("phonesWentBack", phones.wentBack)
        json.field("phonesWentBackByOwnDrawing", phones.wentBackByOwnDrawing)
        json.field("phonesUndecodable", phones.undecodable)
        json.field("alertsTwice", repeats.total)
        json.field("alertsTwiceUnexplained", repeats.unexplained)
        json.field("alertRequestsRepeated", repeats.requestsMost)
        json.number("alertRecordingMilliseconds", repeats.oldest.reportMilliseconds)
        json.field("cardsTwice", phones.cardsTwice)
        json.field("channelActivities", phones.channelActivities)
    }

    var text: String {
        let (accepted, events) = (pushes.accepted, ["start", "update", "end"].map { "\(pushes.events[$0] ?? 0)" })
        let rows: [(String, String)] = [
            ("result", result),
            ("balls / revisions", "\(verdict.balls) / \(verdict.newest)"),
            ("balls read / in journal", "\(verdict.served) / \(verdict.journal.balls)"),
            (
                "pushes accepted",
                "\(accepted)  (priority 10: \(pushes.acceptedAtHighPriority), with alert: \(pushes.acceptedWithAlert))"
            ),
            ("  start / update / end", events.joined(separator: " / ")),
            ("pushes rejected / failed", "\(pushesRejected) / \(pushesFailed)\(reasons)"),
            ("broadcast requests", "\(pushes.broadcasts)"),
            ("ball to first push", ballToFirstPush.text),
            ("ball to last push", ballToLastPush.text),
            ("balls without a push", "\(verdict.ballsWithoutPush)"),
            ("phones at the newest state", "\(phones.atNewest) of \(phones.phones), reachable \(phones.reachable)"),
            ("phones confirmed / unknown", "\(phones.confirmed) / \(phones.unknown)"),
            ("confirmed in play", "\(confirmationsInPlay.textWithMaximum), \(confirmations.lateInPlay) above 10 s"),
            ("confirmed at the end", "\(confirmationsAtEnd.textWithMaximum), \(confirmations.lateAtEnd) above 10 s"),
            ("phones that went back", "\(phones.wentBack), by own drawing \(phones.wentBackByOwnDrawing)"),
            ("alerts / cards twice", "\(repeats.total)\(repeatsNote) / \(phones.cardsTwice)"),
            ("activities on channels", "\(phones.channelActivities)"),
            ("widget reloads", "\(phones.widgetReloads)"),
            ("stream", "\(stream.revisions) revisions, \(stream.wentBack) back"),
            ("server restarts", "\(verdict.restarts)"),
            (
                "network faults",
                verdict.networkFaults.isEmpty ? "none" : DemoVerdict.list(verdict.networkFaults)
            ),
            ("faults", verdict.faults.isEmpty ? "none" : "\(verdict.faults.count)"),
        ]
        let width = rows.map(\.0.count).max() ?? 0
        let table = rows.map { name, value in "  " + name.padded(to: width + 2) + value }
        return (table + verdict.faults.map { "    " + $0 }).joined(separator: "\n")
    }
}

extension JSONWriter {
    /// Times from publications to their confirmation, and the number of late ones.
    fileprivate mutating func times(_ times: DurationSet, late: Int) {
        field("count", times.count)
        field("above10Seconds", late)
        number("p50Milliseconds", times.percentile(0.5).reportMilliseconds)
        number("p99Milliseconds", times.percentile(0.99).reportMilliseconds)
        number("maxMilliseconds", times.percentile(1).reportMilliseconds)
    }
}

extension String {
    /// Filled with spaces up to a width in characters.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
