// Apple allows ten thousand channels and removes none by itself: channels of finished matches have to be deleted.

internal import FollowService
internal import Logging
internal import Postgres
internal import PushDispatcher
internal import ScoreTypes

/// Compares our records of channels with Apple's list, deletes old channels and replaces lost ones.
actor ChannelMaintenance {
    /// The lease of the node that does it.
    static let lease = "channels"

    private let records: ChannelRecords
    private let dispatcher: Dispatcher
    private let membership: Membership
    private let environments: [PushEnvironment]
    /// Whether channels without a record are deleted; another system may serve the same app.
    private let deletesUnknown: Bool
    private let clock: ServiceClock
    private let log = Logger(label: "score.channels")
    /// Channels of Apple's list without a record of ours, as the last round found them.
    private var unrecorded: [PushEnvironment: Set<ChannelID>] = [:]
    /// Channels of ours that were not in Apple's list, as the last round found them.
    private var missing: [PushEnvironment: Set<ChannelID>] = [:]

    init(
        records: ChannelRecords,
        dispatcher: Dispatcher,
        membership: Membership,
        configuration: LiveActivityServices.Configuration,
        clock: ServiceClock
    ) {
        self.records = records
        self.dispatcher = dispatcher
        self.membership = membership
        environments = configuration.environments
        deletesUnknown = configuration.deletesUnknownChannels
        self.clock = clock
    }

    /// Runs a round at each interval until cancelled.
    func run() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: LiveActivityLimits.channelInterval)
            if Task.isCancelled { return }
            await round()
        }
    }

    /// One round, if this node holds the lease.
    func round() async {
        guard (try? await membership.acquire(lease: Self.lease)) == true else { return }
        for environment in environments {
            do {
                try await deleteFinished(in: environment)
                try await reconcile(environment)
            } catch {
                log.warning("channels not reconciled", metadata: ["env": "\(environment)", "error": "\(error)"])
            }
        }
    }

    /// Deletes the channels of matches that have been over for eight hours, first at Apple, then here.
    private func deleteFinished(in environment: PushEnvironment) async throws {
        let cutoff = clock.wall - LiveActivityLimits.channelKeptAfterEnd
        let limit = LiveActivityLimits.channelsDeletedPerRound
        for record in try await records.finished(environment, before: cutoff, limit: limit) {
            try await dispatcher.channels.delete(record.channel, in: environment)
            try await records.retire(record.channel, in: environment, at: clock.wall)
            try await records.forget(record.channel, in: environment)
        }
    }

    /// Retires channels that Apple lost, so that others are created, and reports or deletes channels without a record.
    ///
    /// Both only when found in two rounds, since a list may be incomplete. A channel has no record if the node that
    /// created it died before storing one; a channel that is being recorded right now is found in one round only.
    private func reconcile(_ environment: PushEnvironment) async throws {
        let ours = try await records.all(environment)
        let theirs = Set(try await dispatcher.channels.list(environment))
        try await retireLost(ours, theirs, in: environment)
        let unknown = theirs.subtracting(ours.map(\.channel))
        let confirmed = unknown.intersection(unrecorded[environment] ?? [])
        unrecorded[environment] = unknown
        guard deletesUnknown else {
            if !confirmed.isEmpty {
                let count = confirmed.count
                log.notice("channels without a record", metadata: ["env": "\(environment)", "count": "\(count)"])
            }
            return
        }
        for channel in confirmed.prefix(LiveActivityLimits.channelsDeletedPerRound) {
            log.notice("a channel without a record is deleted", metadata: ["env": "\(environment)"])
            try await dispatcher.channels.delete(channel, in: environment)
        }
    }

    private func retireLost(
        _ ours: [ChannelRecord],
        _ theirs: Set<ChannelID>,
        in environment: PushEnvironment
    ) async throws {
        // Another node may have created one between the two reads.
        let createdBefore = clock.wall - LiveActivityLimits.channelInterval
        let absent = ours.filter { !theirs.contains($0.channel) && $0.createdAt < createdBefore }
        let before = missing.updateValue(Set(absent.map(\.channel)), forKey: environment) ?? []
        let lost = absent.count { $0.retiredAt == nil }
        let share = Double(ours.count { $0.retiredAt == nil }) * LiveActivityLimits.channelsMissingShare
        guard lost <= LiveActivityLimits.channelsMissingFew || Double(lost) <= share else {
            log.error("most channels are missing from Apple's list", metadata: ["count": "\(lost)"])
            return
        }
        for record in absent where before.contains(record.channel) {
            if record.retiredAt == nil {
                log.error("Apple lost a channel", metadata: ["match.id": "\(record.match)"])
                try await records.retire(record.channel, in: environment, at: clock.wall)
            } else {
                try await records.forget(record.channel, in: environment)
            }
        }
    }
}
