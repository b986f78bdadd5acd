// Starts are spread over the minutes before the first ball, and each follower is started in the way its phone supports.

internal import FollowService
internal import Logging
internal import MatchEngine
internal import MatchJournal
internal import PushDispatcher
internal import ScoreTypes

extension Audience {
    /// Starts the followers whose time has come; false if more are due than one round may start or read.
    func start(_ match: MatchID, _ state: OpenMatch) async -> Bool {
        // The buckets between two ranges are those of other nodes.
        let ranges = Bucket.ranges(of: bucketsDue(state.newest))
        let since = state.newest.dayEndedAt ?? Instant(milliseconds: 0)
        var pass = state.starts
        pass.begin(
            over: ownership.buckets,
            in: ranges,
            since: since,
            at: clock.monotonic,
            rest: clock.real(LiveActivityLimits.startPassRest, .round)
        )
        defer { matches[match]?.starts = pass }
        var (count, rows) = (0, 0)
        do {
            while let step = pass.next(in: ranges) {
                guard count < LiveActivityLimits.startsPerRound, rows < LiveActivityLimits.followersReadPerRound,
                    await dispatcher.hasRoom
                else { return false }
                let page = try await stores.starts.page(
                    of: match,
                    buckets: step.range,
                    scope: step.scope,
                    since: since,
                    after: step.after,
                    limit: LiveActivityLimits.followersPerPage
                )
                pass.read(page.rowsRead, in: step, upTo: page.next)
                count += page.members.count
                rows += page.rowsRead
                await send(page.members, of: match)
            }
            pass.complete()
        } catch {
            log.warning("followers not started", metadata: ["match.id": "\(match)", "error": "\(error)"])
        }
        return true
    }

    /// Sends starts to candidates, whose start is recorded in the store.
    func send(_ candidates: [StartCandidate], of match: MatchID) async {
        guard !candidates.isEmpty else { return }
        // The first answer about a follow requests the channel; a follower of a team may have had no such answer.
        for kind in Set(candidates.compactMap { channelKind(of: $0, for: match) }) { await ensureChannel(kind) }
        guard let state = matches[match] else { return }
        let publication = state.newest
        let forms = Dictionary(grouping: candidates) { candidate in
            StartForm(
                variant: candidate.contentVariant,
                channel: channelKind(of: candidate, for: match).flatMap { state.channels[$0] }
            )
        }
        for (form, candidates) in forms {
            await dispatcher.start(
                candidates.map { PushStart($0.target, subscription: form.channel.map { .channel($0) } ?? .token) },
                with: publication.startContent(form, ownType: attributesType, at: clock.wall),
                over: publication.phase == .scheduled ? LiveActivityLimits.roundInterval : .zero
            )
        }
    }

    /// The buckets whose followers are started now.
    ///
    /// Before the first ball this is a share that grows with each round, so that starts are spread and none is recorded
    /// long before it is sent; from the first ball on it is all buckets.
    private func bucketsDue(_ publication: Publication) -> [Bucket] {
        let buckets = ownership.buckets
        guard publication.phase == .scheduled else { return buckets }
        // Without a start time no activity is started before the first ball; existing activities are updated.
        guard let startsAt = publication.info.startsAt else { return [] }
        let ahead = startAhead
        let arrival = clock.real(LiveActivityLimits.startArrival, .arrival)
        let span = ahead - min(ahead / 2, arrival)
        let share = min(1, max(0, (ahead - timeLeft(until: startsAt)) / span))
        return Array(buckets.prefix(Int((Double(buckets.count) * share).rounded(.up))))
    }

    /// The channel for a follower: with the usual alerts, or without alerts for one with another choice; nil for one
    /// on a token.
    private func channelKind(of candidate: StartCandidate, for match: MatchID) -> ChannelKind? {
        guard candidate.abilities.isSuperset(of: .onChannels) else { return nil }
        return ChannelKind(
            match: match,
            environment: candidate.target.environment,
            attributesType: candidate.variant == .portable
                ? SurfaceRenderer.attributesType : attributesType,
            profile: candidate.profile
        )
    }
}

extension StartCandidate {
    /// The content state that a started activity decodes, by the versions that its device has registered.
    fileprivate var contentVariant: ActivityVariant {
        guard variant == .own else { return variant }
        return schemaVersion > ContentStateVersion.standard.rawValue ? .ownNewest : .own
    }
}
