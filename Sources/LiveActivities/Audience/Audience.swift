// When a match begins, this prepares its followers: tokens are read and activities started by push.

internal import FollowService
internal import Logging
internal import MatchEngine
internal import MatchJournal
internal import PushDispatcher
internal import ScoreTypes

/// Prepares the followers of each match for its pushes, on the buckets of this node.
actor Audience {
    /// Whether the tokens of an open match are in memory.
    ///
    /// ```
    /// unread ── publication or round ──▶ beingRead ── answered ──▶ read
    ///    ▲                                   │
    ///    └────────────── failed ─────────────┘
    /// ```
    enum TokenState: Sendable {
        case unread
        case beingRead
        case read
    }

    /// A match whose followers are prepared.
    struct OpenMatch {
        var newest: Publication
        var tokens = TokenState.unread
        var channels: [ChannelKind: ChannelID] = [:]
        /// Domain time of the first of the final publications; nil while the match is not over, also after an end that
        /// was taken back.
        var overAt: Duration?
        var renewals = RenewalSchedule()
        /// How far the followers were read for starts.
        var starts = StartPass()
        /// How far the activities were read for the end of the day.
        var dayEnd = DayEndPass()
    }

    let ending: ActivityEnding
    let ownership: BucketOwnership
    let receipts: ReceiptMonitor
    let clock: ServiceClock
    /// The Swift name of the product's own attributes in the app.
    let attributesType: String
    let log = Logger(label: "score.audience")
    var matches: [MatchID: OpenMatch] = [:]
    /// The matches whose publication an operator holds.
    private(set) var held: Set<MatchID> = []

    var stores: FollowerStores { ending.stores }
    var dispatcher: Dispatcher { ending.dispatcher }
    private var publications: PublicationCache { ending.publications }

    init(
        ending: ActivityEnding,
        ownership: BucketOwnership,
        receipts: ReceiptMonitor,
        clock: ServiceClock,
        configuration: LiveActivityServices.Configuration
    ) {
        self.ending = ending
        self.ownership = ownership
        self.receipts = receipts
        self.clock = clock
        attributesType = configuration.attributesType
    }

    /// Takes a publication before it is pushed; returns when the match's tokens can be walked, or could not be read.
    func prepare(for publication: Publication) async {
        let match = publication.match
        guard matches[match] != nil || isNear(publication) else { return }
        await open(publication)
    }

    /// Records whether an operator holds a match.
    func updateHold(of head: JournalHead) {
        if head.heldReason == nil { held.remove(head.match) } else { held.insert(head.match) }
    }

    /// Opens a match, or notes its newer publication.
    private func open(_ publication: Publication) async {
        var state = matches[publication.match] ?? OpenMatch(newest: publication)
        if publication.revision.number >= state.newest.revision.number { state.newest = publication }
        state.overAt = state.newest.isFinal ? state.overAt ?? clock.domain : nil
        matches[publication.match] = state
        await readTokens(of: publication.match)
    }

    /// Reads the tokens of an open match unless they are in memory; a later round repeats a reading that failed.
    ///
    /// - Returns: Whether they are in memory.
    @discardableResult
    private func readTokens(of match: MatchID) async -> Bool {
        guard matches[match]?.tokens == .unread else { return matches[match]?.tokens == .read }
        matches[match]?.tokens = .beingRead
        do {
            try await stores.arenas.open(match)
        } catch {
            log.error("tokens not read", metadata: ["match.id": "\(match)", "error": "\(error)"])
            matches[match]?.tokens = .unread
            return false
        }
        matches[match]?.tokens = .read
        // A publication that came meanwhile found no tokens.
        await dispatcher.bucketsChanged(of: match)
        return true
    }

    /// Other buckets can be walked now: the dispatcher sends there what is missing.
    func bucketsChanged() async {
        for match in matches.keys.sorted() { await dispatcher.bucketsChanged(of: match) }
    }

    /// Starts, renews and ends activities until cancelled.
    func run() async {
        while !Task.isCancelled {
            // First, so that this round plans these starts again.
            await ending.recorder.repeatReleases()
            await openMatchesThatStart()
            await repeatChannelEnds()
            var isDone = true
            for match in matches.keys.sorted() where await !round(of: match) { isDone = false }
            let wait = clock.real(LiveActivityLimits.roundInterval, .round)
            try? await Task.sleep(for: isDone ? wait : min(wait, LiveActivityLimits.nextRoundSoon))
        }
    }

    /// Opens matches for which nothing is published: between toss and first ball a feed may report no change, and an
    /// app may have started an activity long before.
    private func openMatchesThatStart() async {
        do {
            for publication in try await publications.starting(within: startAhead)
            where matches[publication.match] == nil {
                await prepare(for: publication)
            }
        } catch {
            log.warning("starting matches not read", metadata: ["error": "\(error)"])
        }
        do {
            for publication in try await shownEarly() where matches[publication.match] == nil {
                await open(publication)
            }
        } catch {
            log.warning("matches shown early not read", metadata: ["error": "\(error)"])
        }
    }

    /// The matches to come that phones show already, except open ones.
    private func shownEarly() async throws -> [Publication] {
        var found: [Publication] = []
        for match in try await stores.activities.matchesShownEarly() where matches[match] == nil {
            do {
                let newest = try await publications.newest(of: match)
                if let newest, newest.phase == .scheduled { found.append(newest) }
            } catch {
                log.warning("match not read back", metadata: ["match.id": "\(match)", "error": "\(error)"])
            }
        }
        return found
    }

    /// Repeats the ends of channels that another node sent which is gone, or lost the match.
    private func repeatChannelEnds() async {
        let now = clock.wall
        do {
            let since = now - dispatcher.endRepeatedFor
            for (channel, at) in try await stores.channels.ended(since: since)
            where ownership.broadcasts(channel.match) {
                await ending.repeatEnd(of: channel, acceptedAt: at, now: now)
            }
        } catch {
            log.warning("ends of channels not repeated", metadata: ["error": "\(error)"])
        }
    }

    /// Starts, renews and ends the activities of a match; false if some were left for the next round.
    private func round(of match: MatchID) async -> Bool {
        guard await readTokens(of: match), let state = matches[match] else { return true }
        if let overAt = state.overAt {
            await closeIfOver(match, since: overAt)
            return true
        }
        // Nothing is sent for a held match, so nothing is started, renewed or ended.
        if held.contains(match) { return true }
        if state.newest.isBetweenDays { return await endDay(of: match, state) }
        // No candidate is taken from the store while an operator has switched starts off; ends go on.
        let mayStart = await dispatcher.startsAreAllowed
        let areStarted = mayStart ? await start(match, state) : true
        let areRenewed = await renew(match, mayStart: mayStart)
        if mayStart { await restartStuck(match) }
        return areStarted && areRenewed
    }

    private func closeIfOver(_ match: MatchID, since overAt: Duration) async {
        let wait = clock.real(LiveActivityLimits.tokensKeptAfterEnd, .repeatedEnd)
        guard (clock.domain - overAt) / clock.speed > wait else { return }
        stores.arenas.close(match)
        matches[match] = nil
        await dispatcher.forget(match)
    }

    /// Ends the day's activities once its end is certain; the next day's play starts new ones.
    private func endDay(of match: MatchID, _ state: OpenMatch) async -> Bool {
        guard let endedAt = state.newest.dayEndedAt else { return true }
        let end = endedAt + clock.real(LiveActivityLimits.dayEndPatience, .round)
        guard clock.wall > end else { return true }
        var pass = state.dayEnd
        pass.begin(over: ownership.buckets, startedBefore: end)
        defer { matches[match]?.dayEnd = pass }
        do {
            let isDone = try await ending.endDay(of: match, &pass)
            guard ownership.broadcasts(match) else { return isDone }
            for channel in try await stores.channels.channels(of: match)
            where channel.retiredAt == nil && channel.createdAt < end {
                await ending.end(channel, because: .over, retires: true)
            }
            return isDone
        } catch {
            log.warning("a day's activities not ended", metadata: ["match.id": "\(match)", "error": "\(error)"])
            return true
        }
    }

    /// Creates a channel at Apple unless there is one, and remembers it.
    func ensureChannel(_ kind: ChannelKind) async {
        do {
            // The assignment must not span the wait: it holds the dictionary, which other calls of the actor use.
            let channel = try await dispatcher.channels.ensure(kind)
            matches[kind.match]?.channels[kind] = channel
        } catch {
            log.warning("no channel yet", metadata: ["match.id": "\(kind.match)", "error": "\(error)"])
        }
    }

    /// Whether play is on, or begins soon enough to start activities for it.
    private func isNear(_ publication: Publication) -> Bool {
        switch publication.phase {
        case .live, .onBreak: return true
        case .over: return publication.isFinal
        case .scheduled:
            guard let startsAt = publication.info.startsAt else { return false }
            let left = timeLeft(until: startsAt)
            return left <= startAhead && left > .zero - JournalLimits.startingLate
        }
    }

    /// Real time before the first ball at which starts begin.
    var startAhead: Duration { clock.real(LiveActivityLimits.startAhead, .fanout) }

    /// The time until an instant in seconds since 1970; no number that a record may hold overflows it.
    func timeLeft(until startsAt: Int64) -> Duration {
        .seconds(startsAt) - .milliseconds(clock.wall.milliseconds)
    }
}
