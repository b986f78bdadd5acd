// A finished match as its feed published it over time: each ball with its delay, mistakes and corrections.

import MatchEngine
public import Providers
public import ScoreTypes

/// A match that can be shown as of any time; the same time always shows the same.
public struct PlaybackMatch: Sendable {
    /// The match as the feed names it.
    public let id: ProviderMatchID
    /// When the last thing about it has happened, since the feed was opened.
    public let duration: Duration
    /// When its result is known, since the feed was opened.
    let resultAt: Duration
    /// When each ball is bowled, since the feed was opened.
    public let ballTimes: [Duration]

    private let document: CricsheetDocument
    private let opened: CricsheetInfo
    private let finalStatus: MatchStatus
    private let timeline: FeedTimeline
    private let innings: [Innings]
    /// When anything changes, in order.
    private let changes: [Duration]

    /// The overs of an innings, and its words before and after it is over.
    private struct Innings: Sendable {
        /// Nil where the document has none, as of a forfeited innings.
        let overs: [PlaybackOver]?
        let opened: CricsheetInnings
        let closed: CricsheetInnings
    }

    /// Time from the last change to the provider's final check of the scorecard.
    private static let reviewTime: Duration = .seconds(600)

    /// Lays out a finished match with faults.
    ///
    /// - Throws: `AdapterError` when the document is no match.
    public init(id: ProviderMatchID, document: CricsheetDocument, plan: FaultPlan = FaultPlan()) throws(AdapterError) {
        let fates = plan.fates(of: ShownMatch.ballCount(of: document))
        try self.init(id, document, stops: Self.nights(document), fates)
    }

    /// Lays out a match whose balls are published at once, with some stops, and with mistakes in the runs of some balls
    /// by their numbers from 0.
    ///
    /// - Throws: `AdapterError` when the document is no match.
    public init(
        id: ProviderMatchID,
        document: CricsheetDocument,
        stops: [Interruption],
        mistakes: Set<Int>
    ) throws(AdapterError) {
        let mistaken = BallFate(wrong: .otherRuns, correctedAfter: FeedPace.correction)
        let fates = (0..<ShownMatch.ballCount(of: document)).map { mistakes.contains($0) ? mistaken : BallFate() }
        try self.init(id, document, stops: stops, fates)
    }

    private init(
        _ id: ProviderMatchID,
        _ document: CricsheetDocument,
        stops: [Interruption],
        _ fates: [BallFate]
    ) throws(AdapterError) {
        self.id = id
        self.document = document
        finalStatus = try CricsheetAdapter().snapshot(of: document).status.status
        opened = document.info.inPlay
        let counts = document.innings.map(\.ballCount)
        timeline = FeedTimeline(
            ballsOfInnings: counts,
            superOvers: document.innings.map { $0.superOver == true },
            stops: stops
        )
        var times: [Duration] = []
        for frame in timeline.frames where frame.balls > times.count { times.append(frame.at) }
        ballTimes = times
        let ids = BallIDs(times, fates)
        var first = 0
        innings = document.innings.map { entry in
            let overs = entry.overs?.map { over in
                defer { first += over.deliveries.count }
                return PlaybackOver(over, first: first, bowled: times, fates: fates, ids: ids)
            }
            return Innings(overs: overs, opened: entry.inPlay, closed: entry)
        }
        let frames = timeline.frames.map(\.at)
        resultAt = frames.last ?? .zero
        let ofBalls = zip(times, fates).flatMap { at, fate in fate.changes.map { at + $0 } }
        let review = ((frames + ofBalls).max() ?? .zero) + Self.reviewTime
        duration = review
        changes = Set(frames + ofBalls + [review]).sorted()
    }

    /// Matches of several days have a night after each: the balls are spread over the days evenly.
    private static func nights(_ document: CricsheetDocument) -> [Interruption] {
        let days = document.info.dates?.count ?? 1
        let balls = ShownMatch.ballCount(of: document)
        guard document.info.overs == nil, days > 1, balls > days else { return [] }
        return (1..<min(days, 10)).map {
            Interruption(beforeBall: balls * $0 / days, status: "stumps", lasts: .seconds(17 * 3_600))
        }
    }

    /// How many changes there were up to a time; as long as it stays the same, the feed shows the same.
    func changeCount(at time: Duration) -> Int { changes.count(upTo: time) { $0 } }

    /// The times in a span, its beginning left out, at which anything changes.
    public func changes(after start: Duration, through end: Duration) -> ArraySlice<Duration> {
        changes[changeCount(at: start)..<changeCount(at: max(start, end))]
    }

    /// The match so far at a time since the feed was opened; `epoch` gives seconds since 1970 by the feed's clock.
    func shown(at time: Duration, epoch: (Duration) -> Int64) -> ShownMatch {
        let frame = timeline.frame(at: time)
        let change = changeCount(at: time)
        var info = frame.isFinished ? document.info : opened
        if frame.status == "scheduled" { info.toss = nil }
        var shown = ShownMatch(
            document: CricsheetDocument(info: info),
            id: id,
            status: frame.isFinished ? finalStatus : MatchStatus(rawValue: frame.status) ?? .live,
            startsAt: epoch(FeedPace.beforeStart),
            version: Int64(change),
            updatedAt: epoch(change > 0 ? changes[change - 1] : .zero)
        )
        shown.day = frame.day
        shown.isFinal = frame.isFinished && time >= duration
        for (index, place) in innings.prefix(frame.innings).enumerated() {
            let isOver = frame.isFinished || index + 1 < frame.innings || frame.status.hasSuffix("Break")
            var entry = isOver ? place.closed : place.opened
            entry.overs = overs(of: place, at: time, epoch, &shown)
            shown.document.innings.append(entry)
        }
        return shown
    }

    private func overs(
        of innings: Innings,
        at time: Duration,
        _ epoch: (Duration) -> Int64,
        _ shown: inout ShownMatch
    ) -> [CricsheetOver]? {
        let overs = innings.overs?.compactMap { $0.shown(at: time) }
        for ball in overs?.flatMap(\.balls) ?? [] {
            shown.ballTimes.append(epoch(ball.bowledAt))
            shown.editTimes.append(epoch(ball.editedAt))
            shown.ballIDs.append(ball.id)
        }
        return overs?.map(\.over)
    }
}

extension CricsheetInfo {
    /// Without what is known only in the end.
    fileprivate var inPlay: CricsheetInfo {
        var info = self
        info.outcome = nil
        info.playerOfMatch = nil
        return info
    }
}

extension CricsheetInnings {
    /// Without what is known only when it is over; a forfeited innings has no balls to wait for.
    fileprivate var inPlay: CricsheetInnings {
        var innings = self
        innings.declared = nil
        innings.absentHurt = nil
        innings.powerplays = nil
        innings.penaltyRuns?.post = nil
        return innings
    }
}
