// The result of a demo: a table for people, an object for machines, and whether all checks passed.

import MatchEngine
import MatchJournal
import ScoreTypes
import Simulators

/// The counts of feed, journal, APNs and phones at the end of a demo.
struct DemoSummary: Report, Sendable {
    private let match: String
    private let result: String
    private let balls: Int
    private let revisions: Int64
    private let pushes: PushStatistics
    private let phones: PhoneFleetReport
    private let stream: StreamWatcher.Report
    private let serverRestarts: Int
    private let serverKills: Int
    private let repeats: AlertRepeats
    private let confirmations: ConfirmationTimes
    private let confirmationsInPlay: DurationSet
    private let confirmationsAtEnd: DurationSet
    private let ballToFirstPush: DurationSet
    private let ballToLastPush: DurationSet
    var took = Duration.zero

    /// Reads the counts at the end of a demo.
    init(of demo: DemoTestbed, newest: Int64, stream: StreamWatcher.Report) async throws {
        match = demo.match.text
        balls = demo.balls
        revisions = newest
        pushes = demo.bed.apns.statistics
        phones = demo.fleet.report(newest: newest)
        self.stream = stream
        let restarts = demo.server.restartTimes
        serverRestarts = restarts.count
        repeats = AlertRepeats(phones.repeatedAlerts, restarts: restarts)
        serverKills = demo.serverKills
        confirmations = demo.fleet.confirmationTimes(of: try await demo.publications())
        confirmationsInPlay = DurationSet(confirmations.inPlay)
        confirmationsAtEnd = DurationSet(confirmations.newest)
        var times = BallTimes()
        var outcome: String?
        let spans = try await times.next(
            served: demo.feed.firstServed,
            pushed: pushes.revisions,
            entries: { try await demo.journal.entries(of: demo.match, after: $0) }
        ) { entry in
            if case .result(let found?) = entry.change { outcome = "\(found.kind)" }
        }
        ballToFirstPush = DurationSet(spans.map(\.first))
        ballToLastPush = DurationSet(spans.map(\.last))
        result = outcome ?? ""
    }

    private var repeatsNote: String {
        guard repeats.total > 0 else { return "" }
        return " (without a crash \(repeats.unexplained); at most \(repeats.requestsMost) requests a crash, "
            + "sent up to \(repeats.oldest.reportMilliseconds) ms before the restart)"
    }

    private var pushesRejected: Int { pushes.refused.values.reduce(0, +) }
    /// Accepted pushes that no phone would have shown.
    private var pushesFailed: Int { pushes.traps.values.reduce(0, +) }

    /// The reasons of rejected and failed pushes.
    private var reasons: String {
        let counts = pushes.refused.merging(pushes.traps, uniquingKeysWith: +).sorted { $0.key < $1.key }
        return counts.isEmpty ? "" : "  (\(counts.map { "\($0.key): \($0.value)" }.joined(separator: ", ")))"
    }

    /// Whether every reachable phone ends at the newest state, none ever showed an older one after a newer, and none
    /// alerted twice for one moment or showed two cards of the match; the server was killed as often as planned.
    ///
    /// A crash repeats at most the pushes that were in flight or not recorded.
    var isRight: Bool {
        phones.reachableAtNewest == phones.reachable && phones.wentBack == 0
            && repeats.isWithin(LabLimits.repeatedPushes(streamsMost: pushes.streamsMost))
            && phones.cardsTwice == 0 && phones.undecodable == 0 && pushesFailed == 0 && stream.wentBack == 0
            && serverRestarts >= serverKills
    }

    var json: [UInt8] {
        JSONWriter.document { json in
            json.field("match", match)
            json.field("result", result)
            json.field("balls", balls)
            json.field("revisions", revisions)
            json.field("pushesAccepted", pushes.accepted)
            json.field("pushesAtHighPriority", pushes.acceptedAtHighPriority)
            json.field("pushesRejected", pushesRejected)
            json.field("pushesFailed", pushesFailed)
            json.field("starts", pushes.events["start"] ?? 0)
            json.field("updates", pushes.events["update"] ?? 0)
            json.field("ends", pushes.events["end"] ?? 0)
            json.field("alerts", pushes.acceptedWithAlert)
            json.field("broadcasts", pushes.broadcasts)
            json.field("phones", phones.phones)
            json.field("phonesReachable", phones.reachable)
            json.field("phonesAtNewest", phones.atNewest)
            json.field("phonesConfirmed", phones.confirmed)
            json.field("phonesUnknown", phones.unknown)
            json.field("phonesWentBack", phones.wentBack)
            json.field("phonesUndecodable", phones.undecodable)
            json.field("alertsTwice", repeats.total)
            json.field("alertsTwiceUnexplained", repeats.unexplained)
            json.field("alertRequestsRepeated", repeats.requestsMost)
            json.number("alertRecordingMilliseconds", repeats.oldest.reportMilliseconds)
            json.field("cardsTwice", phones.cardsTwice)
            json.field("channelActivities", phones.channelActivities)
            json.object("confirmedInPlay") { $0.times(confirmationsInPlay, late: confirmations.lateInPlay) }
            json.object("confirmedAtEnd") { $0.times(confirmationsAtEnd, late: confirmations.lateAtEnd) }
            json.field("widgetReloads", phones.widgetReloads)
            json.field("streamRevisions", stream.revisions)
            json.field("streamWentBack", stream.wentBack)
            json.field("serverRestarts", serverRestarts)
            json.number("ballToFirstPushP50Milliseconds", ballToFirstPush.percentile(0.5).reportMilliseconds)
            json.number("ballToFirstPushP99Milliseconds", ballToFirstPush.percentile(0.99).reportMilliseconds)
            json.number("ballToLastPushP50Milliseconds", ballToLastPush.percentile(0.5).reportMilliseconds)
            json.number("ballToLastPushP99Milliseconds", ballToLastPush.percentile(0.99).reportMilliseconds)
            json.number("tookMilliseconds", took.reportMilliseconds)
            json.field("isRight", isRight)
        }
    }

    var text: String {
        let (accepted, events) = (pushes.accepted, ["start", "update", "end"].map { "\(pushes.events[$0] ?? 0)" })
        let rows: [(String, String)] = [
            ("result", result),
            ("balls / revisions", "\(balls) / \(revisions)"),
            (
                "pushes accepted",
                "\(accepted)  (priority 10: \(pushes.acceptedAtHighPriority), with alert: \(pushes.acceptedWithAlert))"
            ),
            ("  start / update / end", events.joined(separator: " / ")),
            ("pushes rejected / failed", "\(pushesRejected) / \(pushesFailed)\(reasons)"),
            ("broadcast requests", "\(pushes.broadcasts)"),
            ("ball to first push", ballToFirstPush.text),
            ("ball to last push", ballToLastPush.text),
            ("phones at the newest state", "\(phones.atNewest) of \(phones.phones), reachable \(phones.reachable)"),
            ("phones confirmed / unknown", "\(phones.confirmed) / \(phones.unknown)"),
            ("confirmed in play", "\(confirmationsInPlay.textWithMaximum), \(confirmations.lateInPlay) above 10 s"),
            ("confirmed at the end", "\(confirmationsAtEnd.textWithMaximum), \(confirmations.lateAtEnd) above 10 s"),
            ("phones that went back", "\(phones.wentBack)"),
            ("alerts / cards twice", "\(repeats.total)\(repeatsNote) / \(phones.cardsTwice)"),
            ("activities on channels", "\(phones.channelActivities)"),
            ("widget reloads", "\(phones.widgetReloads)"),
            ("stream", "\(stream.revisions) revisions, \(stream.wentBack) back"),
            ("server restarts", "\(serverRestarts)"),
        ]
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, value in "  " + name.padded(to: width + 2) + value }.joined(separator: "\n")
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
