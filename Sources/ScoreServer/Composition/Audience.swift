// Who is put on whose Lock Screen when a match goes live: arenas opened, channels made, activities started by push.

import FollowService
import Logging
import MatchEngine
import MatchJournal
import PushDispatcher
import ScoreIngest
import ScoreTypes

/// Prepares the followers of each match of this node for its pushes.
actor Audience {
    /// How long before the first ball activities are started; starts are spread over it.
    static let startAhead = Duration.seconds(600)
    /// The last starts go out so long before the first ball, to arrive.
    static let arrival = Duration.seconds(30)
    /// Starts that one look plans of a match at most; the next look, soon after, goes on.
    static let startsMax = 10_000
    /// How long a day's play has to be over before what is on phones is ended: a word taken back costs nobody a card.
    static let dayPatience = Duration.seconds(120)
    /// Real time until the next look, when the last one had more to do than there was room for.
    static let soon = Duration.seconds(1)
    /// Real floor of that time.
    static let startAheadFloor = Duration.seconds(10)
    /// How often new followers are looked for while a match is on; domain time.
    static let roundInterval = Duration.seconds(30)
    /// Real floor of that interval: each round is one query a match.
    static let roundFloor = Duration.milliseconds(250)
    /// Followers looked at in one query.
    static let pageMax = 500
    /// How long the tokens of a finished match are kept: until the last repetition of its end, and a little.
    static let afterEnd = Duration.seconds(2_100)
    /// Real floor of that time, for ends that have to be repeated.
    static let afterEndFloor = Duration.seconds(60)

    /// What the audience works with.
    struct Rooms: Sendable {
        let arenas: ArenaIndex
        let starts: StartCandidates
        let dispatcher: Dispatcher
        let membership: @Sendable () -> [Bucket]
        let clock: ServiceClock
        /// Apple's worlds that are pushed to.
        let environments: [PushEnvironment]
        let attributesType: String
        let renewals: Renewals
        let channels: ChannelRecords
        /// Whether this node broadcasts for a match, and so ends its old channels.
        let hasDuty: @Sendable (MatchID) -> Bool
        let end: AudienceEnd
        /// The matches that start within so much real time, as they stand.
        let starting: @Sendable (Duration) async throws -> [Publication]
        /// The matches that phones show before they begin, as they stand, but for those that are attended.
        let shownEarly: @Sendable (Set<MatchID>) async throws -> [Publication]
    }

    /// One of the channels of a match: all that a broadcast can tell apart.
    struct ChannelKind: Hashable {
        let environment: PushEnvironment
        let attributesType: String
        let profile: FollowService.ChannelProfile
    }

    struct Attended {
        var newest: Publication
        var channels: [ChannelKind: ChannelID] = [:]
        var overAt: Duration?
        var renewals = RenewalBook()
    }

    let rooms: Rooms
    let log = Logger(label: "score.audience")
    var attended: [MatchID: Attended] = [:]
    /// The matches that operators hold.
    private(set) var held: Set<MatchID> = []

    init(rooms: Rooms) { self.rooms = rooms }

    /// Takes a publication before it is pushed; returns once the match's tokens can be walked.
    func attend(_ publication: Publication) async {
        let match = publication.match
        if attended[match] == nil {
            guard isNear(publication) else { return }
            await open(publication)
        }
        attended[match]?.newest = publication
        if publication.isFinal && attended[match]?.overAt == nil { attended[match]?.overAt = rooms.clock.domain }
    }

    /// Hears that an operator holds a match, or has let it go.
    func stand(as head: JournalHead) {
        if head.heldReason == nil { held.remove(head.match) } else { held.insert(head.match) }
    }

    private func open(_ publication: Publication) async {
        let match = publication.match
        do {
            try await rooms.arenas.open(match)
        } catch {
            log.error("tokens not read", metadata: ["match.id": "\(match)", "error": "\(error)"])
            return
        }
        // Who came first while the tokens were read may have had a newer one.
        if let known = attended[match], known.newest.revision.number >= publication.revision.number { return }
        attended[match] = Attended(newest: publication)
        await ensureChannels(of: match)
    }

    /// Other buckets can be walked now: what was not sent there is sent at once.
    func bucketsChanged() async {
        for match in attended.keys.sorted() { await rooms.dispatcher.bucketsChanged(of: match) }
    }

    /// Looks for followers to start until cancelled, ends what a day leaves, and lets go of what is over.
    func run() async {
        while !Task.isCancelled {
            await attendThoseThatStart()
            await repeatEnds()
            var isDone = true
            for match in attended.keys.sorted() where await !round(of: match) { isDone = false }
            let wait = rooms.clock.real(Self.roundInterval, floor: Self.roundFloor)
            try? await Task.sleep(for: isDone ? wait : min(wait, Self.soon))
        }
    }

    /// Between toss and first ball no feed need change anything, and so nothing need be published; what an app has put
    /// on a Lock Screen by itself is served however long before.
    private func attendThoseThatStart() async {
        do {
            let ahead = rooms.clock.real(Self.startAhead, floor: Self.startAheadFloor)
            for publication in try await rooms.starting(ahead) where attended[publication.match] == nil {
                await attend(publication)
            }
        } catch {
            log.warning("matches to come not looked at", metadata: ["error": "\(error)"])
        }
        do {
            for publication in try await rooms.shownEarly(Set(attended.keys)) where attended[publication.match] == nil {
                await open(publication)
            }
        } catch {
            log.warning("matches that are shown not looked at", metadata: ["error": "\(error)"])
        }
    }

    /// Takes over the ends of channels that a node said which is gone, or no longer has the duty.
    private func repeatEnds() async {
        let now = rooms.clock.wall
        do {
            for (channel, at) in try await rooms.channels.ended(since: now + (.zero - rooms.dispatcher.endRepeatedFor))
            where rooms.hasDuty(channel.match) {
                await rooms.end.repeatEnd(of: channel, takenAt: at, now: now)
            }
        } catch {
            log.warning("ends of channels wait", metadata: ["error": "\(error)"])
        }
    }

    /// Looks after a match; false when there is more to do than there was room for.
    private func round(of match: MatchID) async -> Bool {
        guard let state = attended[match] else { return true }
        if let overAt = state.overAt {
            let wait = rooms.clock.real(Self.afterEnd, floor: Self.afterEndFloor)
            guard (rooms.clock.domain - overAt) / rooms.clock.speed > wait else { return true }
            rooms.arenas.close(match)
            attended[match] = nil
            await rooms.dispatcher.forget(match)
            return true
        }
        // Of a held match nothing is sent: nobody is started, renewed or ended before it is let go.
        if held.contains(match) { return true }
        if state.newest.isBetweenDays { return await endDay(of: match, state.newest) }
        // Asked each time, since a channel that Apple lost was replaced; the answer is at hand.
        await ensureChannels(of: match)
        guard let state = attended[match] else { return true }
        let isDone = await start(match, state)
        await renew(match)
        return isDone
    }

    /// Ends what phones show of a day's play once that is surely over; next morning all of it is started again.
    private func endDay(of match: MatchID, _ newest: Publication) async -> Bool {
        guard let endedAt = newest.dayEndedAt else { return true }
        let end = endedAt + rooms.clock.real(Self.dayPatience, floor: Self.roundFloor)
        guard rooms.clock.wall > end else { return true }
        do {
            let isDone = try await rooms.end.endDay(of: match, startedBefore: end, in: rooms.membership())
            guard rooms.hasDuty(match) else { return isDone }
            for channel in try await rooms.channels.channels(of: match)
            where channel.retiredAt == nil && channel.createdAt < end {
                await rooms.end.endDay(on: SilentChannel(channel)) { [rooms] in
                    try await rooms.dispatcher.retireChannel(channel.channel, in: channel.environment, of: match)
                }
            }
            return isDone
        } catch {
            log.warning("a day's end waits", metadata: ["match.id": "\(match)", "error": "\(error)"])
            return true
        }
    }

    private func ensureChannels(of match: MatchID) async {
        for environment in rooms.environments {
            let usual = ChannelKind(
                environment: environment,
                attributesType: rooms.attributesType,
                profile: .loud
            )
            await ensureChannel(of: match, usual)
        }
    }

    func ensureChannel(of match: MatchID, _ kind: ChannelKind) async {
        do {
            let channel = try await rooms.dispatcher.ensureChannel(
                match: match,
                environment: kind.environment,
                attributesType: kind.attributesType,
                profile: kind.profile == .loud ? .loud : .quiet
            )
            attended[match]?.channels[kind] = channel
        } catch {
            log.warning("no channel yet", metadata: ["match.id": "\(match)", "error": "\(error)"])
        }
    }

    /// Starts whom it is time for; false when there are more than there is room for now.
    private func start(_ match: MatchID, _ state: Attended) async -> Bool {
        let due = bucketsDue(state.newest)
        guard let first = due.first, let last = due.last else { return true }
        var count = 0
        do {
            for scope in [StartCandidates.Scope.supporters, .neutrals] {
                var cursor: AudienceCursor? = .start
                while let after = cursor {
                    guard count < Self.startsMax, await rooms.dispatcher.hasRoom else { return false }
                    let page = try await rooms.starts.page(
                        of: match,
                        buckets: first...last,
                        scope: scope,
                        since: state.newest.dayEndedAt ?? Instant(milliseconds: 0),
                        after: after,
                        limit: Self.pageMax
                    )
                    cursor = page.next
                    count += page.candidates.count
                    await send(page.candidates, of: match)
                }
            }
        } catch {
            log.warning("starts wait", metadata: ["match.id": "\(match)", "error": "\(error)"])
        }
        return true
    }

    func send(_ candidates: [StartCandidate], of match: MatchID) async {
        guard !candidates.isEmpty else { return }
        // Most matches have nobody with wishes or an attributes type of their own, and need no second channel.
        for kind in Set(candidates.compactMap { channelKind(of: $0) }) {
            await ensureChannel(of: match, kind)
        }
        guard let state = attended[match] else { return }
        let publication = state.newest
        for (variant, candidates) in Dictionary(grouping: candidates, by: \.contentVariant) {
            let starts = candidates.map { candidate in
                PushStart(
                    device: candidate.device,
                    generation: candidate.generation,
                    environment: candidate.environment,
                    token: candidate.token,
                    subscription: subscription(of: candidate, channels: state.channels)
                )
            }
            await rooms.dispatcher.start(
                starts,
                with: publication.startContent(
                    of: variant,
                    ownType: rooms.attributesType,
                    at: rooms.clock.wall
                ),
                over: publication.phase == .scheduled ? Self.roundInterval : .zero
            )
        }
    }

    /// Before the first ball a share of the buckets that grows with each look, so that starts are spread and none is
    /// marked as made long before it is; from then on all.
    private func bucketsDue(_ publication: Publication) -> [Bucket] {
        let buckets = rooms.membership()
        guard publication.phase == .scheduled else { return buckets }
        // When it begins nobody knows: who shows it is served, and nobody is started before its first ball.
        guard let startsAt = publication.info.startsAt else { return [] }
        let ahead = rooms.clock.real(Self.startAhead, floor: Self.startAheadFloor)
        let left = left(until: startsAt)
        let span = ahead - min(ahead / 2, rooms.clock.real(Self.arrival, floor: Self.soon))
        let share = min(1, max(0, (ahead - left) / span))
        return Array(buckets.prefix(Int((Double(buckets.count) * share).rounded(.up))))
    }

    private func subscription(
        of candidate: StartCandidate,
        channels: [ChannelKind: ChannelID]
    ) -> PushStart.Subscription {
        channelKind(of: candidate).flatMap { channels[$0] }.map { .channel($0) } ?? .token
    }

    /// The channel that suits a follower: with the usual alerts, or without any for those who chose their own.
    private func channelKind(of candidate: StartCandidate) -> ChannelKind? {
        guard candidate.abilities.contains(.channels) else { return nil }
        return ChannelKind(
            environment: candidate.environment,
            attributesType: candidate.variant == .portable ? SurfaceRenderer.attributesType : rooms.attributesType,
            profile: candidate.wantsUsualAlerts ? .loud : .quiet
        )
    }

    /// The time until a start; no number that a record may hold overflows it.
    private func left(until startsAt: Int64) -> Duration {
        .seconds(startsAt) - .milliseconds(rooms.clock.wall.milliseconds)
    }

    /// Whether play is on, or begins soon enough to start activities for it.
    private func isNear(_ publication: Publication) -> Bool {
        switch publication.phase {
        case .live, .onBreak: return true
        case .over: return publication.isFinal
        case .scheduled:
            guard let startsAt = publication.info.startsAt else { return false }
            let left = left(until: startsAt)
            return left <= rooms.clock.real(Self.startAhead, floor: Self.startAheadFloor)
                && left > .zero - Journal.startingLateMax
        }
    }
}

extension StartCandidate {
    /// What a started activity decodes, by the versions that its device has registered.
    fileprivate var contentVariant: ActivityVariant {
        guard variant == .own else { return variant }
        return schemaVersion > ContentStateVersion.standard.rawValue ? .ownNewest : .own
    }
}
