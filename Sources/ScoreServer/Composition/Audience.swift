// Who is put on whose Lock Screen when a match goes live: arenas opened, channels made, activities started by push.

import FollowService
import Logging
import MatchEngine
import PushDispatcher
import ScoreIngest
import ScoreTypes

/// Prepares the followers of each match of this node for its pushes.
actor Audience {
    /// How long before the first ball activities are started; starts are spread over it.
    static let startAhead = Duration.seconds(600)
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
        var since: Instant
        var overAt: Duration?
        var renewals = RenewalBook()
    }

    let rooms: Rooms
    let log = Logger(label: "score.audience")
    var attended: [MatchID: Attended] = [:]

    init(rooms: Rooms) { self.rooms = rooms }

    /// Takes a publication before it is pushed; returns once the match's tokens can be walked.
    func attend(_ publication: Publication) async {
        let match = publication.match
        if attended[match] == nil {
            guard isNear(publication) else { return }
            do {
                try await rooms.arenas.open(match)
            } catch {
                log.error("tokens not read", metadata: ["match.id": "\(match)", "error": "\(error)"])
                return
            }
            attended[match] = Attended(newest: publication, since: rooms.clock.wall)
            await ensureChannels(of: match)
        }
        attended[match]?.newest = publication
        if publication.isFinal && attended[match]?.overAt == nil { attended[match]?.overAt = rooms.clock.domain }
    }

    /// Other buckets can be walked now: what was not sent there is sent at once.
    func bucketsChanged() async {
        for match in attended.keys.sorted() { await rooms.dispatcher.bucketsChanged(of: match) }
    }

    /// Looks for followers to start until cancelled, and lets go of what is over.
    func run() async {
        while !Task.isCancelled {
            for match in attended.keys.sorted() { await round(of: match) }
            let wait = rooms.clock.real(Self.roundInterval, floor: Self.roundFloor)
            try? await Task.sleep(for: wait)
        }
    }

    private func round(of match: MatchID) async {
        guard let state = attended[match] else { return }
        if let overAt = state.overAt {
            let wait = rooms.clock.real(Self.afterEnd, floor: Self.afterEndFloor)
            guard (rooms.clock.domain - overAt) / rooms.clock.speed > wait else { return }
            rooms.arenas.close(match)
            attended[match] = nil
            await rooms.dispatcher.forget(match)
            return
        }
        // Asked each time, since a channel that Apple lost was replaced; the answer is at hand.
        await ensureChannels(of: match)
        guard let state = attended[match] else { return }
        await start(match, state)
        await renew(match)
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

    private func start(_ match: MatchID, _ state: Attended) async {
        guard let first = rooms.membership().first, let last = rooms.membership().last else { return }
        do {
            for scope in [StartCandidates.Scope.supporters, .neutrals] {
                var cursor: AudienceCursor? = .start
                while let after = cursor {
                    let page = try await rooms.starts.page(
                        of: match,
                        buckets: first...last,
                        scope: scope,
                        since: state.since,
                        after: after,
                        limit: Self.pageMax
                    )
                    cursor = page.next
                    await send(page.candidates, of: match)
                }
            }
        } catch {
            log.warning("starts wait", metadata: ["match.id": "\(match)", "error": "\(error)"])
        }
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
                with: publication.startContent(of: variant, ownType: rooms.attributesType),
                over: timeToFirstBall(publication)
            )
        }
    }

    /// Domain time over which starts are spread: what is left until the first ball, less half a minute to arrive.
    private func timeToFirstBall(_ publication: Publication) -> Duration {
        guard publication.phase == .scheduled, let startsAt = publication.info.startsAt else { return .zero }
        let left = Duration.seconds(startsAt - rooms.clock.wall.seconds) * rooms.clock.speed
        return max(.zero, min(left, Self.startAhead) - .seconds(30))
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

    /// Whether play is on, or begins soon enough to start activities for it.
    private func isNear(_ publication: Publication) -> Bool {
        switch publication.phase {
        case .live, .onBreak: return true
        case .over: return publication.isFinal
        case .scheduled:
            guard let startsAt = publication.info.startsAt else { return false }
            let left = Duration.seconds(startsAt - rooms.clock.wall.seconds)
            return left <= rooms.clock.real(Self.startAhead, floor: .seconds(10))
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
