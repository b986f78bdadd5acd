// Apple allows ten thousand channels and forgets none by itself; what is over is deleted, and what is lost is replaced.

import FollowService
import Foundation
import Logging
import Postgres
import PushDispatcher
import ScoreTypes

/// Holds our records of channels against Apple's own list, and cleans up after matches.
actor ChannelKeeper {
    /// The duty, for one node at a time.
    static let lease = "channels"
    /// How often; real time, since Apple's list is asked for.
    static let interval = Duration.seconds(300)
    /// How long a channel is kept after its match: the last repetition of its end, and phones that were off.
    static let keptAfterEnd = Duration.seconds(8 * 3600)
    /// Channels deleted in one round; the rest follows with the next.
    static let deletedMax = 200
    /// When more than this share of our channels is missing from Apple's list, the list is doubted and none given up.
    ///
    /// If they are gone indeed, each is replaced when a broadcast on it is refused.
    static let missingShareMax = 0.5
    /// So many may be missing whatever their share: a handful is soon gone where few are in use.
    static let missingFew = 5

    private let records: ChannelRecords
    private let dispatcher: Dispatcher
    private let membership: Membership
    private let environments: [PushEnvironment]
    /// Whether channels that no record names are deleted; another system may serve the same app.
    private let deletesUnknown: Bool
    private let clock: ServiceClock
    private let log = Logger(label: "score.channels")
    /// Channels of Apple's list without a record of ours, as the last round found them.
    private var strangers: [PushEnvironment: Set<ChannelID>] = [:]
    /// Channels of ours that were not in Apple's list, as the last round found them.
    private var missing: [PushEnvironment: Set<ChannelID>] = [:]

    init(
        records: ChannelRecords,
        dispatcher: Dispatcher,
        membership: Membership,
        environments: [PushEnvironment],
        deletesUnknown: Bool,
        clock: ServiceClock
    ) {
        self.records = records
        self.dispatcher = dispatcher
        self.membership = membership
        self.environments = environments
        self.deletesUnknown = deletesUnknown
        self.clock = clock
    }

    /// Keeps order until cancelled.
    func run() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.interval)
            if Task.isCancelled { return }
            await round()
        }
    }

    /// One round, if it is this node's duty.
    func round() async {
        guard (try? await membership.acquire(lease: Self.lease)) == true else { return }
        for environment in environments {
            do {
                try await deleteFinished(in: environment)
                try await reconcile(environment)
            } catch {
                log.warning("channels not kept", metadata: ["env": "\(environment)", "error": "\(error)"])
            }
        }
    }

    /// Deletes what belongs to matches that have been over for eight hours, at Apple's first and then here.
    private func deleteFinished(in environment: PushEnvironment) async throws {
        let limit = clock.wall + (.zero - Self.keptAfterEnd)
        for record in try await records.finished(environment, before: limit, limit: Self.deletedMax) {
            try await dispatcher.deleteChannel(record.channel, in: environment)
            try await records.retire(record.channel, in: environment, at: clock.wall)
            try await records.forget(record.channel, in: environment)
        }
    }

    /// What Apple lost is given up, so that another is made; what nobody knows is told, or deleted.
    ///
    /// Both only what is found twice in a row, since a list may be incomplete. A channel is nobody's when its maker
    /// died before it was recorded; one that is being recorded right now is found once only.
    private func reconcile(_ environment: PushEnvironment) async throws {
        let ours = try await records.all(environment)
        let theirs = Set(try await dispatcher.listChannels(environment))
        try await giveUpLost(ours, theirs, in: environment)
        let unknown = theirs.subtracting(ours.map(\.channel))
        let standing = unknown.intersection(strangers[environment] ?? [])
        strangers[environment] = unknown
        guard deletesUnknown else {
            if !standing.isEmpty {
                let count = standing.count
                log.notice("channels without a record", metadata: ["env": "\(environment)", "count": "\(count)"])
            }
            return
        }
        for channel in standing.prefix(Self.deletedMax) {
            log.notice("a channel without a record is deleted", metadata: ["env": "\(environment)"])
            try await dispatcher.deleteChannel(channel, in: environment)
        }
    }

    private func giveUpLost(
        _ ours: [FollowService.ChannelRecord],
        _ theirs: Set<ChannelID>,
        in environment: PushEnvironment
    ) async throws {
        // Another node may have made one between the two looks.
        let madeBefore = clock.wall + (.zero - Self.interval)
        let absent = ours.filter { !theirs.contains($0.channel) && $0.createdAt < madeBefore }
        let before = missing.updateValue(Set(absent.map(\.channel)), forKey: environment) ?? []
        let lost = absent.count { $0.retiredAt == nil }
        let mostToLose = Double(ours.count { $0.retiredAt == nil }) * Self.missingShareMax
        guard lost <= Self.missingFew || Double(lost) <= mostToLose else {
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
