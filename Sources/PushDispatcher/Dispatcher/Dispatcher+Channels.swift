// One broadcast for a channel reaches everybody on it; making the channel is the only slow part, and happens once.

internal import HTTP2
internal import Logging
public import ScoreTypes

extension Dispatcher {
    /// The channel for a purpose, made when there is none; callers at the same time share one making.
    ///
    /// - Throws: `ChannelError`, or what the store of channels throws.
    public func ensureChannel(
        match: MatchID,
        environment: PushEnvironment,
        attributesType: String,
        profile: PushProfile
    ) async throws -> ChannelID {
        let purpose = ChannelPurpose(
            match: match,
            environment: environment,
            attributesType: attributesType,
            profile: profile
        )
        if let known = try await known(match).first(where: { $0.purpose == purpose }) { return known.channel }
        let task = making[purpose] ?? Task { try await make(purpose) }
        making[purpose] = task
        defer { making[purpose] = nil }
        return try await task.value
    }

    private func make(_ purpose: ChannelPurpose) async throws -> ChannelID {
        let token: StoredProviderToken
        do { token = try await desk.current() } catch { throw ChannelError.noProviderToken }
        let fresh = try await management.create(token: token)
        let holding = try await channelStore.save(fresh, for: purpose)
        // Another node was quicker: ours would be a channel that nobody knows of.
        if holding != fresh { try? await management.delete(fresh, token: token) }
        matches[purpose.match]?.channels = nil
        return holding
    }

    /// The channels of a match, asked of the store once.
    func known(_ match: MatchID) async throws -> [KnownChannel] {
        if let channels = matches[match]?.channels { return channels }
        let channels = try await channelStore.channels(of: match)
        if !channels.isEmpty { matches[match]?.channels = channels }
        return channels
    }

    /// Sends a launch to the match's channels, if this node has the duty.
    func broadcast(_ launch: Launch) async {
        guard channelStore.holdsDuty(for: launch.match) else { return }
        let channels: [KnownChannel]
        do { channels = try await known(launch.match) } catch {
            log.warning("channels not known", metadata: ["match.id": "\(launch.match)", "error": "\(error)"])
            return
        }
        let requests = channels.map { known in
            let isLoud = known.purpose.profile == .loud
            // The alert of a moment that a predecessor had broadcast is not told again.
            let hasAlert = isLoud && launch.riding.map { known.sentRevision < $0.revision } ?? false
            return LaneRequest(
                target: .channel(known.channel),
                match: launch.match,
                revision: launch.revision,
                kind: launch.kind,
                priority: launch.priority(withAlert: hasAlert),
                body: SharedBytes(launch.body(withAlert: hasAlert))
            )
        }
        guard !requests.isEmpty else { return }
        if let riding = launch.riding { markTold(launch.match, riding.revision) }
        onLane { $0.send(requests) }
    }

    /// An alert rides on one broadcast alone: the next state of the same minute goes out silently.
    private func markTold(_ match: MatchID, _ revision: Int64) {
        let told = matches[match]?.channels?.map { known in
            KnownChannel(
                purpose: known.purpose,
                channel: known.channel,
                sentRevision: max(known.sentRevision, revision)
            )
        }
        matches[match]?.channels = told
    }

    /// Books the answer to a broadcast.
    func settle(_ channel: ChannelID, of match: MatchID, revision: Int64, _ outcome: PushOutcome) async {
        let environment = configuration.environment
        do {
            switch outcome {
            case .accepted:
                try await channelStore.recordBroadcast(channel, in: environment, revision: revision)
            case .rejected(.recreateChannel):
                try await channelStore.retire(channel, in: environment)
                matches[match]?.channels = nil
            case .rejected, .failed:
                log.warning("broadcast not taken", metadata: ["match.id": "\(match)", "outcome": "\(outcome.word)"])
            }
        } catch {
            log.warning("broadcast not recorded", metadata: ["match.id": "\(match)", "error": "\(error)"])
        }
    }
}
