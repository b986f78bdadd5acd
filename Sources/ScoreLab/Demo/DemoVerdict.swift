// A demo in which nothing happens is wrong too: each part of the way from the feed to the phones has to have worked.

import Simulators

/// The figures by which a demo is judged.
struct DemoVerdict: Sendable {
    /// Whether the journal says that the match is over.
    var isOver = false
    /// Whether the match that the feed plays has a winner.
    var hasWinner = false
    /// The newest published revision; 0 for none.
    var newest: Int64 = 0
    /// Balls of the match.
    var balls = 0
    /// Balls that the feed has given to the server.
    var served = 0
    var journal = JournalTally()
    /// From the serving of half of the balls to their first push, at most.
    var ballToFirstPushMedian = Duration.zero
    /// Balls in the journal for which no push was accepted, at their revision or at a later one.
    var ballsWithoutPush = 0
    var pushes: PushStatistics
    var phones: PhoneFleetReport
    var stream: StreamWatcher.Report
    let repeats: AlertRepeats
    var restarts = 0
    var kills = 0
    /// Faults of links by kind.
    var networkFaults: [String: Int] = [:]
    /// Links that should have had faults and had none.
    var calmLinks = 0

    /// The faults in plain words, with the figures; none if every part worked.
    ///
    /// A crash repeats at most the pushes that were in flight or not recorded.
    var faults: [String] { matchFaults + pushFaults + channelFaults + phoneFaults + orderFaults }

    private typealias Check = (isFault: Bool, text: String)

    /// Whether the server has read and published the whole match.
    private var matchFaults: [String] {
        Self.found([
            (!isOver, "The match is not over in the journal; the newest publication is revision \(newest)."),
            (hasWinner && journal.result == nil, "The journal has no result, although a side won the match."),
            (
                journal.newestFact > newest,
                "Revision \(journal.newestFact) has a ball or the result; the newest publication is \(newest)."
            ),
            (served < balls, "The server has read \(served) of \(balls) balls."),
            (journal.balls != served, "The journal has \(journal.balls) of the \(served) balls that were read."),
        ])
    }

    /// Whether the balls and moments were pushed, by pushes that APNs and iOS take.
    private var pushFaults: [String] {
        let hasPhones = phones.reachable > 0
        // A start has an alert, too.
        let isSilent = journal.wickets > 0 && pushes.acceptedWithAlert <= pushes.events["start"] ?? 0
        // A token that has died is refused as such; after a crash a request may be repeated.
        let refused = pushes.refused.filter { $0.key != "Unregistered" }
        return Self.found([
            (hasPhones && isSilent, "\(journal.wickets) wickets fell, and no push but starts had an alert."),
            (
                hasPhones && phones.started > 0 && ballsWithoutPush > 0,
                "\(ballsWithoutPush) balls have no push at or after their revision."
            ),
            (
                hasPhones && phones.started > 0 && ballToFirstPushMedian > LabLimits.ballToFirstPush,
                "Half of the balls were pushed more than \(ballToFirstPushMedian) after they were served."
            ),
            (kills == 0 && !refused.isEmpty, "APNs refused pushes: \(Self.list(refused))."),
            (!pushes.traps.isEmpty, "APNs accepted pushes that iOS does not show: \(Self.list(pushes.traps))."),
        ])
    }

    /// Whether broadcasts and reloads of widgets reached the phones that can receive them.
    private var channelFaults: [String] {
        let (channelPhones, widgetPhones) = (phones.channelPhones, phones.widgetPhones)
        return Self.found([
            (
                channelPhones > 0 && phones.channelActivities == 0,
                "\(channelPhones) phones with channels have an activity, and none is on a channel."
            ),
            (phones.channelActivities > 0 && pushes.broadcasts == 0, "No broadcast was sent to the channels."),
            (widgetPhones > 0 && phones.widgetReloads == 0, "No widget was reloaded on \(widgetPhones) phones."),
        ])
    }

    /// Whether the phones show and confirm the end, once.
    private var phoneFaults: [String] {
        let behind = phones.reachable - phones.reachableAtNewest
        let hasPhones = phones.reachable > 0
        return Self.found([
            (behind > 0, "\(behind) of \(phones.reachable) reachable phones do not show the newest state."),
            (hasPhones && phones.started == 0, "No activity was started on \(phones.phones) phones."),
            (hasPhones && phones.ended == 0, "No activity was ended on \(phones.phones) phones."),
            (phones.unconfirmed > 0, "\(phones.unconfirmed) phones did not confirm the newest state."),
            (phones.cardsTwice > 0, "\(phones.cardsTwice) phones showed two cards of the match."),
            (phones.undecodable > 0, "\(phones.undecodable) pushes did not decode on phones."),
        ])
    }

    /// Whether states and alerts came in order and once, and the server was killed as often as planned.
    private var orderFaults: [String] {
        let repeatsMost = LabLimits.repeatedPushes(streamsMost: pushes.streamsMost)
        let (total, unexplained, most) = (repeats.total, repeats.unexplained, repeats.requestsMost)
        let origin = "\(unexplained) without a crash or another owner, at most \(most) requests at one of them"
        return Self.found([
            (phones.wentBack > 0, "Older states that phones showed after newer ones: \(phones.wentBack)."),
            (stream.wentBack > 0, "Older states in the stream after newer ones: \(stream.wentBack)."),
            (stream.newest < newest, "The stream ends at revision \(stream.newest), before \(newest)."),
            (!repeats.isWithin(repeatsMost), "\(total) alerts sounded twice: \(origin)."),
            (calmLinks > 0, "\(calmLinks) links of the network had no fault."),
            (restarts != kills, "Restarts of the server: \(restarts); planned kills: \(kills)."),
        ])
    }

    private static func found(_ checks: [Check]) -> [String] { checks.compactMap { $0.isFault ? $0.text : nil } }

    /// Counts by reason.
    static func list(_ counts: [String: Int]) -> String {
        counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }
}
