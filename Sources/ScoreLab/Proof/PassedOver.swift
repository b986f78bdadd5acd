// A moment that is put down as old news is a lost alert, unless the rules have a reason for it.

import MatchEngine
import ScoreTypes

/// Why an alert of the match was not sent.
enum PassedOver: String, Sendable, Hashable, CaseIterable {
    /// The feed did not answer for so long that the match was silent.
    case silence = "after a silence"
    /// The feed answered for as long as a silence, and nothing that was believed; `FeedVerdictSum` bounds their share.
    case doubt = "after held replies"
    /// It had happened before the match was first seen.
    case firstSight = "before the first reply"
    /// Two overs were known behind its ball.
    case buried = "two overs later"
}

/// When a feed answered, as one who follows it sees it; says whether an alert may be passed over, by the rules and not
/// by what the writer makes of them.
struct AnswerWatch {
    /// Domain time without an answer after which a match in play is silent (docs/feeds.md).
    static let silentInPlay: Duration = .seconds(45)
    /// The same in a break.
    static let silentInBreak: Duration = .seconds(120)
    /// The same before the first ball, and between days.
    static let silentBefore: Duration = .seconds(180)
    static let silentOvernight: Duration = .seconds(1_080)
    /// Newest balls that are news after any silence.
    static let newestBalls = 3
    /// Known balls behind a ball that make it old: two overs.
    static let ballsBehind = 12

    let speed: Int
    /// Whether the times of the feed's balls are right.
    let isClockRight: Bool
    /// The time of the last accepted reply.
    private(set) var lastTaken = Duration.zero
    private(set) var lastRead = Duration.zero

    /// A reply was read, accepted or not.
    mutating func read(at time: Duration) { lastRead = time }

    /// A reply was accepted, or was unchanged.
    mutating func taken(at time: Duration) { (lastTaken, lastRead) = (time, time) }

    /// Why a reply that turns `before` into `after` may send no alert of a moment; nil when the alert is lost.
    ///
    /// Called before `taken`.
    func reason(
        toPass moment: Moment,
        _ before: MatchRecord,
        _ after: MatchRecord,
        at now: Duration,
        wall: Instant
    ) -> PassedOver? {
        let ball = moment.delivery.flatMap(after.delivery)
        let isNewest = ball != nil && after.deliveries.last?.key == ball?.key
        if before.info == nil { return isNewest ? nil : .firstSight }
        if let ball, before.deliveries.count(where: { $0.order > ball.order }) >= Self.ballsBehind { return .buried }
        guard let limit = limit(in: before.status.status), now - lastTaken >= limit else { return nil }
        if isNews(moment, on: ball, of: after, wall: wall) { return nil }
        return now - lastRead >= limit ? .silence : .doubt
    }

    /// Whether a moment has to be announced after any silence, and after any doubt.
    private func isNews(_ moment: Moment, on ball: Delivery?, of record: MatchRecord, wall: Instant) -> Bool {
        guard let ball else {
            // The present state of the match is news, however long it is so.
            return moment.kind == .result
                || moment.kind == .inningsEnd && moment.innings == record.innings.last?.ordinal
        }
        // A clock that is right says how long ago it was; else the newest balls are taken for fresh ones.
        let age = isClockRight ? ball.occurredAt.map { Duration.seconds(wall.seconds - $0) } : nil
        if let age { return age <= LabLimits.freshBall }
        return record.deliveries.suffix(Self.newestBalls).contains { $0.key == ball.key }
    }

    private func limit(in status: MatchStatus) -> Duration? {
        let inBreak = max(Self.silentInBreak, LabLimits.silenceAtAnySpeed * speed)
        return switch PlayPhase(of: status) {
        case .live: max(Self.silentInPlay, LabLimits.silenceAtAnySpeed * speed)
        case .pause: inBreak
        case .before: inBreak * (Self.silentBefore / Self.silentInBreak)
        case .overnight: inBreak * (Self.silentOvernight / Self.silentInBreak)
        case .over: nil
        }
    }
}
