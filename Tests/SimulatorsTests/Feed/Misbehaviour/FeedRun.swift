// A match followed from its first reply to its last through a feed that misbehaves, with no wire and no database.

import MatchEngine
import ScoreTypes
import Simulators

@testable import ScoreIngest

/// One match, one provider, one seed.
struct FeedRun {
    /// Requests for one picture; a Test has some hundred overs an innings, a page each.
    private static let requestsMax = 2_000
    /// Polls after the match is over until it has to look right.
    private static let lastPollsMax = 400
    /// Polls running that change nothing, after which nothing more is to come.
    private static let quietPolls = 15
    /// How soon a poll that failed is tried again.
    private static let retryAfter: Duration = .seconds(5)

    let adapter: any Adapter
    private let feed: SimulatedFeed
    private let match: PlaybackMatch
    private let session: ProviderSession
    private let hand = HandClock()
    private var draw: Draw
    private var replies = ProviderReplies()
    private var gate = Gate()
    private var life: MomentLife
    private(set) var replica = MatchReplica()
    /// Alerts in the order of their telling.
    private(set) var told: [Moment] = []
    /// Moments that were too old to be told when they were first seen.
    private(set) var history: [Moment] = []
    /// What became of the polls.
    private(set) var counts: [String: Int] = [:]

    init(
        _ adapter: any Adapter,
        _ shape: any FeedShape,
        credentials: ProviderCredentials,
        document: CricsheetDocument,
        id: String,
        plan: FaultPlan
    ) throws {
        self.adapter = adapter
        draw = Draw(state: plan.seed)
        match = try PlaybackMatch(id: ProviderMatchID(unchecked: id), document: document, plan: plan)
        let clock = hand.clock
        feed = SimulatedFeed(matches: [match], shape: shape, plan: plan, clock: clock)
        life = MomentLife(
            told: [],
            moments: [],
            record: MatchRecord(),
            now: .zero,
            patience: MomentPatience(clock)
        )
        var opening = ProviderReplies()
        for request in adapter.opening(credentials) {
            opening[request.part] = feed.plain(ShapeRequest(request), at: .zero).takenBody
        }
        session = try adapter.session(opening, credentials, at: clock.wall)
    }

    /// Follows the match to its end, one to twelve balls a poll.
    mutating func follow() {
        feed.open()
        poll()
        var ball = 0
        while ball < match.ballTimes.count {
            ball = min(match.ballTimes.count, ball + Int.random(in: 1...12, using: &draw))
            let after = Duration.milliseconds(Int64.random(in: 0...30_000, using: &draw))
            move(to: match.ballTimes[ball - 1] + after)
            // A poll that fails is tried again soon, as a poller would.
            for _ in 0..<3 where !poll() { move(to: hand.time + Self.retryAfter) }
        }
        move(to: match.duration)
        var quiet = 0
        for _ in 0..<Self.lastPollsMax where quiet < Self.quietPolls {
            let before = replica.record
            let isTaken = poll()
            quiet = isTaken && replica.record == before ? quiet + 1 : quiet
            if replica.record != before { quiet = 0 }
            move(to: hand.time + Self.retryAfter)
        }
    }

    /// The match as it was taken in, in the form of a reply.
    var snapshot: MatchSnapshot? {
        guard let info = replica.record.info else { return nil }
        return MatchSnapshot(
            info: info,
            innings: replica.record.innings,
            deliveries: replica.record.deliveries,
            status: replica.record.status,
            result: replica.record.result
        )
    }

    // MARK: Polls

    /// Moves the time; what waits becomes certain meanwhile.
    private mutating func move(to time: Duration) {
        while let wait = life.wait(now: hand.time), hand.time + wait <= time {
            hand.move(to: hand.time + max(wait, .milliseconds(1)))
            look(.time, before: replica.record)
        }
        hand.move(to: time)
    }

    /// Asks once; whether a picture was taken.
    @discardableResult
    private mutating func poll() -> Bool {
        let held = replies
        var asked: Set<ReplyPart> = []
        var wanted = requests
        while !wanted.isEmpty && asked.count < Self.requestsMax {
            for request in wanted {
                guard let body = feed.answer(ShapeRequest(request)).takenBody else {
                    count("failed")
                    return false
                }
                replies[request.part] = body
                asked.insert(request.part)
            }
            let now = replies
            let seen = asked
            wanted = requests.filter { now[$0.part] == nil && !seen.contains($0.part) }
        }
        if held == replies, replica.record.info != nil {
            count("unchanged")
            look(.reply, before: replica.record)
            return true
        }
        do throws(AdapterError) {
            return take(try adapter.snapshot(replies, session))
        } catch {
            count("unreadable")
            return false
        }
    }

    private var requests: [ProviderRequest] {
        adapter.matchRequests(match.id, session, replies: replies, record: replica.record)
    }

    private mutating func take(_ snapshot: MatchSnapshot) -> Bool {
        let changes = Differ.changes(from: replica.record, to: snapshot)
        switch gate.judge(changes, of: snapshot, against: replica.record) {
        case .apply: break
        case .hold(let reason):
            count("held \(reason)")
            return false
        case .drop(let reason):
            count("dropped \(reason)")
            return false
        }
        count("taken")
        let before = replica.record
        if !changes.isEmpty { replica.apply(changes) }
        look(.reply, before: before)
        return true
    }

    private mutating func look(_ sighting: MomentLife.Sighting, before: MatchRecord) {
        let telling = life.look(
            sighting,
            at: replica.state.moments,
            of: replica.record,
            before: before,
            now: hand.time
        )
        told += telling.news.filter(\.isAlert)
        history += telling.history
        if !telling.isEmpty { replica.apply(telling.changes) }
    }

    private mutating func count(_ word: String) { counts[word, default: 0] += 1 }

    // MARK: Judgement

    /// Alerts that were told although the match as it ended has no such moment.
    var revoked: [Moment] {
        let real = Set(replica.state.moments.map(MomentIdentity.init))
        return told.filter { !real.contains(MomentIdentity($0)) }
    }

    /// Alerts that were told more than once.
    var repeated: [Moment] {
        var seen: Set<MomentIdentity> = []
        return told.filter { !seen.insert(MomentIdentity($0)).inserted }
    }

    /// Moments of the match as it ended that nobody was told.
    var untold: [Moment] {
        let known = Set((told + history).map(MomentIdentity.init))
        return replica.state.moments.filter { $0.isAlert && !known.contains(MomentIdentity($0)) }
    }

    /// A generator for the strides.
    private struct Draw: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }
}
