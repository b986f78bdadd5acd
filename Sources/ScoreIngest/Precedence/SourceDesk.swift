// A match has one writer on a node, whichever feeds tell of it.

internal import Logging
internal import MatchEngine
public import MatchJournal
public import ScoreTypes

/// Brings the feeds of each match to its one writer, and decides which of them it hears.
public actor SourceDesk {
    /// Most matches to come of which it is remembered here who told of them: some lists' worth.
    static let tellersMax = 4 * PollSchedule.upcomingMax

    private struct Seat {
        var writer: MatchWriter
        var election = SourceElection()
        var understudies: [FeedID: Understudy] = [:]
        /// The sinks that are open, of which a feed may have two for a moment: the list's and the match's own.
        var holders: [SinkID: FeedID] = [:]
        /// Whether somebody ticks the writer although no poller holds it.
        var isKept = false
        /// Replies of the feed that speaks that were held one after the other.
        var held = 0
    }

    /// Tells one sink from another of the same feed: the one that closes late is the one that was opened first.
    struct SinkID: Hashable, Sendable {
        fileprivate let number: Int
    }

    private let makeWriter: @Sendable (MatchID, FeedID) -> MatchWriter
    private let precedence: [FeedID: Int]
    private let clock: ServiceClock
    private let metrics: DisagreementMetrics
    private var seats: [MatchID: Seat] = [:]
    /// Whose word was heard last of a match that has not begun; the journal has only what was news.
    private var tellers: [MatchID: FeedID] = [:]
    private var opened = 0

    /// Makes a desk without matches.
    ///
    /// - Parameters:
    ///   - precedence: Of each feed; the lowest that answers speaks.
    ///   - clock: Measures silences.
    ///   - makeWriter: Makes a writer, which reads the journal at its first use.
    public init(
        precedence: [FeedID: Int],
        clock: ServiceClock,
        makeWriter: @escaping @Sendable (MatchID, FeedID) -> MatchWriter
    ) {
        self.precedence = precedence
        self.clock = clock
        self.makeWriter = makeWriter
        metrics = DisagreementMetrics(feeds: precedence.keys.sorted())
    }

    /// The sink of a feed for a match.
    ///
    /// A feed that opens a match anew has lost its trust in what the writer remembers: it is made anew too.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - feed: The feed.
    /// - Returns: What takes the feed's replies.
    public func open(_ match: MatchID, _ feed: FeedID) -> any ReplySink {
        var seat = seats[match] ?? Seat(writer: makeWriter(match, feed))
        if seat.holders.values.contains(feed) { seat.writer = makeWriter(match, feed) }
        opened += 1
        let id = SinkID(number: opened)
        seat.holders[id] = feed
        seat.election.join(feed, precedence: rank(feed), now: clock.monotonic)
        seats[match] = seat
        return SourceSink(desk: self, id: id, match: match, feed: feed)
    }

    /// Does what time brings to a match, whoever polls it; its writer stays until `leave`.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - feed: Whose the match is in the journal.
    ///   - isSteered: Whether what operators say is read again first.
    /// - Returns: Real time until the next call is of use; nil when only a reply or an operator can bring something.
    /// - Throws: `JournalError`.
    func tick(_ match: MatchID, feed: FeedID, isSteered: Bool) async throws(JournalError) -> Duration? {
        var seat = seats[match] ?? Seat(writer: makeWriter(match, feed))
        seat.isKept = true
        seats[match] = seat
        if isSteered { try await seat.writer.steer() }
        return try await seat.writer.tick()
    }

    /// Ends what `tick` began: a writer that no poller holds is forgotten.
    func leave(_ match: MatchID) {
        seats[match]?.isKept = false
        if seats[match]?.holders.isEmpty == true { seats[match] = nil }
    }

    /// Has the writer of a match read again what operators say; one is made for it when there is none.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - feed: Whose the match is in the journal.
    /// - Throws: `JournalError`.
    public func steer(_ match: MatchID, feed: FeedID) async throws(JournalError) {
        let writer = seats[match]?.writer ?? makeWriter(match, feed)
        try await writer.steer()
    }

    func writer(of match: MatchID, _ feed: FeedID) -> MatchWriter {
        seats[match]?.writer ?? makeWriter(match, feed)
    }

    /// A feed leaves a match with the last of its sinks.
    func close(_ match: MatchID, _ id: SinkID) {
        guard let feed = seats[match]?.holders.removeValue(forKey: id) else { return }
        guard seats[match]?.holders.values.contains(feed) == false else { return }
        seats[match]?.election.leave(feed)
        seats[match]?.understudies[feed] = nil
        if seats[match]?.holders.isEmpty == true, seats[match]?.isKept == false { seats[match] = nil }
    }

    /// Whether a feed is the only one of its match.
    func isAlone(_ match: MatchID) -> Bool { Set(seats[match].map { Array($0.holders.values) } ?? []).count < 2 }

    /// Whether a feed is the only one of its match, and no other has spoken for it before.
    func isUncontested(_ match: MatchID, _ feed: FeedID) -> Bool { isAlone(match) && leads(match, feed) }

    /// Remembers who spoke for a match last, as its journal has it.
    func recall(_ feed: FeedID, of match: MatchID) { seats[match]?.election.recall(feed, precedence: rank(feed)) }

    /// Remembers who told of a match to come, for a feed that does not stand before it.
    ///
    /// A list is read, and a match days ahead is looked at, at no time at which feeds could wait for each other.
    ///
    /// - Parameters:
    ///   - stored: Who told of it last by the journal.
    ///   - match: The match.
    ///   - feed: Who wants to tell of it now.
    func recallTeller(_ stored: FeedID?, of match: MatchID, before feed: FeedID) {
        let known = [tellers[match], stored].compactMap(\.self)
        guard let teller = known.min(by: { rank($0) < rank($1) }), teller != feed, rank(feed) >= rank(teller) else {
            return
        }
        recall(teller, of: match)
    }

    /// Takes note of whose word about a match to come was heard; nil for a match that has begun.
    func heard(_ feed: FeedID?, of match: MatchID) {
        if tellers.count >= Self.tellersMax, tellers[match] == nil, feed != nil { tellers.removeAll() }
        tellers[match] = feed
    }

    /// A feed's list has a match of other sides under the same name.
    func isOfOtherSides(_ match: MatchID, _ feed: FeedID) {
        metrics.disagreed(feed, .sides)
        let metadata: Logger.Metadata = ["match": "\(match)", "feed": "\(feed)"]
        Logger(label: "score.ingest").warning("listed with other sides, and not heard", metadata: metadata)
    }

    /// Of a feed that the settings do not have, behind all others.
    private func rank(_ feed: FeedID) -> Int { precedence[feed] ?? .max }

    /// Takes note of when a feed is asked about a match again, in real time.
    func asksAgain(_ match: MatchID, _ feed: FeedID, in interval: Duration) {
        seats[match]?.election.asksAgain(feed, in: interval)
    }

    /// Whether a feed speaks for the match.
    func leads(_ match: MatchID, _ feed: FeedID) -> Bool {
        guard let leader = seats[match]?.election.leader else { return true }
        return leader == feed
    }

    /// Who speaks for a match; nil before anybody has.
    func leader(of match: MatchID) -> FeedID? { seats[match]?.election.leader }

    /// What a feed has told while another spoke.
    func understudy(_ match: MatchID, _ feed: FeedID) -> Understudy? { seats[match]?.understudies[feed] }

    /// A feed has answered; returns whether it speaks for the match.
    func answered(
        _ match: MatchID,
        _ feed: FeedID,
        isBehind: Bool = false,
        isResting: Bool,
        isOver: Bool = false
    ) -> Bool {
        guard var seat = seats[match] else { return true }
        let role = seat.election.answered(
            feed,
            isBehind: isBehind,
            isResting: isResting,
            isOver: isOver,
            now: clock.monotonic,
            clock: clock
        )
        if role == .leads(isNew: true) { seat.held = 0 }
        seats[match] = seat
        if case .leads(let isNew) = role {
            if isNew { metrics.changed(to: feed) }
            return true
        }
        return false
    }

    /// Whether a reply of the feed that speaks was an answer, by what became of it.
    ///
    /// Who answers rubbish, or one odd thing after another, is as silent as who does not answer, and another speaks for
    /// it.
    func isAnswer(_ acceptance: Acceptance, of match: MatchID) -> Bool {
        switch acceptance {
        case .dropped: return false
        case .held:
            let held = (seats[match]?.held ?? 0) + 1
            seats[match]?.held = held
            return held <= Cadence.secondLooksMax
        case .applied, .unchanged, .standby:
            seats[match]?.held = 0
            return true
        }
    }

    /// Keeps what a feed tells while another speaks, and counts what they say otherwise.
    func keep(_ reply: SeenReply, of match: MatchID, _ feed: FeedID, against record: MatchRecord, sides: Bool) {
        let before = seats[match]?.understudies[feed] ?? Understudy()
        let after = before.taking(reply, against: record, hasSameSides: sides)
        for kind in after.disagreements.subtracting(before.disagreements) { metrics.disagreed(feed, kind) }
        seats[match]?.understudies[feed] = after
    }
}

/// What a feed tells of a match while another speaks.
struct Understudy: Sendable {
    /// Its newest picture.
    private(set) var reply: SeenReply?
    /// The match as it has told it, in its own keys.
    private(set) var record = MatchRecord()
    /// In what it differs from what is stored, in its newest picture.
    private(set) var disagreements: Set<Disagreement> = []

    /// Whether it knows less of the match than is stored.
    func isBehind(_ stored: MatchRecord) -> Bool {
        guard let reply else { return false }
        let mine = Tally(reply.snapshot.deliveries, reply.snapshot.innings)
        return mine.isBehind(Tally(stored.deliveries, stored.innings))
    }

    func taking(_ reply: SeenReply, against stored: MatchRecord, hasSameSides: Bool) -> Understudy {
        var next = self
        for change in Differ.changes(from: record, to: reply.snapshot) { next.record.apply(change) }
        next.reply = reply
        let mine = Tally(reply.snapshot.deliveries, reply.snapshot.innings)
        let theirs = Tally(stored.deliveries, stored.innings)
        next.disagreements = hasSameSides ? mine.disagreements(with: theirs) : [.sides]
        return next
    }
}
