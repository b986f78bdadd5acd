// Apple allows ten thousand channels and removes none by itself: channels are created late and deleted early.

internal import FollowService
internal import Logging
internal import Metrics
internal import Postgres
internal import PushDispatcher
internal import ScoreTypes

/// Creates requested channels, compares our records with Apple's list, deletes old channels and replaces lost ones.
actor ChannelMaintenance {
    /// The lease of the node that does it.
    static let lease = "channels"

    let records: ChannelRecords
    let dispatcher: Dispatcher
    private let membership: Membership
    private let environments: [PushEnvironment]
    /// Whether channels without a record are deleted; another system may serve the same app.
    private let deletesUnknown: Bool
    private let clock: ServiceClock
    let log = Logger(label: "score.channels")
    /// Channels of Apple's list without a record of ours, as the last round found them.
    private(set) var unrecorded: [PushEnvironment: Set<ChannelID>] = [:]
    /// The error of the last look for requested channels; nil if they were created.
    private var lastFailure: [PushEnvironment: String] = [:]
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

    /// Why channels could not be managed, in one sentence; nil if the last requests were accepted.
    nonisolated var problem: String? {
        environments.compactMap { dispatcher.channels.problem(of: $0) }.first
    }

    /// Creates requested channels and runs rounds at their intervals until cancelled.
    ///
    /// The first round is early: it shows an operator whether the app may use channels.
    func run() async {
        var nextRound = clock.monotonic
        while !Task.isCancelled {
            try? await Task.sleep(for: LiveActivityLimits.channelRequestInterval)
            if Task.isCancelled { return }
            if clock.monotonic >= nextRound {
                await round()
                nextRound = clock.monotonic + LiveActivityLimits.channelInterval
            }
            await createRequested()
        }
    }

    /// Creates the channels that devices have requested and matches need soon, if this node holds the lease.
    func createRequested() async {
        guard (try? await membership.acquire(lease: Self.lease)) == true else { return }
        for environment in environments {
            do {
                try await createRequested(in: environment)
                lastFailure[environment] = nil
            } catch {
                // A look every few seconds would repeat the same line.
                guard lastFailure.updateValue("\(error)", forKey: environment) != "\(error)" else { continue }
                log.error("requested channels not created", metadata: ["env": "\(environment)", "error": "\(error)"])
            }
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
        do {
            try await records.dropEndedRequests()
        } catch {
            log.warning("requests of ended matches not deleted", metadata: ["error": "\(error)"])
        }
    }

    /// Deletes channels eight hours after their match or their retirement, first at Apple, then here.
    private func deleteFinished(in environment: PushEnvironment) async throws {
        let cutoff = clock.wall - LiveActivityLimits.channelKeptAfterEnd
        let limit = LiveActivityLimits.channelsDeletedPerRound
        for record in try await records.finished(environment, before: cutoff, limit: limit) {
            try await delete(record)
        }
    }

    /// Deletes a channel at Apple, then its record.
    func delete(_ record: ChannelRecord) async throws {
        try await dispatcher.channels.delete(record.channel, in: record.environment)
        try await records.retire(record.channel, in: record.environment, at: clock.wall)
        try await records.forget(record.channel, in: record.environment)
    }

    /// Retires channels that Apple lost, so that others are created, and reports or deletes channels without a record.
    ///
    /// Both only when found in two rounds, since a list may be incomplete. A channel has no record if the node that
    /// created it died before storing one; a channel that is being recorded right now is found in one round only.
    private func reconcile(_ environment: PushEnvironment) async throws {
        let ours = try await records.all(environment)
        let theirs = Set(try await dispatcher.channels.list(environment))
        Self.gauge("score_channels", theirs.count, environment)
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

    static func gauge(_ label: String, _ value: Int, _ environment: PushEnvironment) {
        Gauge(label: label, dimensions: [("env", environment.rawValue)]).record(value)
    }
}
