// The way to Apple, made in the order in which its parts stand on one another.

import FollowService
import Foundation
import Logging
import MatchEngine
import MatchJournal
import Postgres
import PushDispatcher
import ScoreTypes
import Synchronization

/// The rooms on the way to Apple; there are none without a signing key.
struct PushRooms: Sendable {
    let dispatcher: Dispatcher
    let audience: Audience
    let notifier: MomentNotifier
    let channels: ChannelKeeper
    let end: AudienceEnd
    let sweep: SweepJoin
    let keyWatch: SigningKeyWatch
}

/// Makes the way to Apple.
struct PushFactory {
    private static let log = Logger(label: "score.push")

    let settings: ServerConfiguration
    let outlets: Outlets
    let publisher: Publisher
    let membership: Membership
    let ownership: BucketOwnership
    /// Over the node's own connections, as `pool` is.
    let follow: FollowRooms
    let progress: ProgressRecords
    let pool: Pool
    let clock: ServiceClock

    private var environments: [PushEnvironment] { settings.push.environments.keys.sorted { $0.code < $1.code } }

    /// Makes it and joins it to the outlets; nil without a signing key.
    func make(_ late: LateTokens) throws -> PushRooms? {
        guard let key = settings.push.key else { return nil }
        let closing = EndClosing(activities: follow.activities, devices: follow.devices, starts: follow.starts)
        let channelStore = ChannelJoin(records: follow.channels, buckets: { [ownership] in ownership.buckets })
        let dispatcher = try dispatcher(key, channelStore, closing)
        late.connect(dispatcher)
        let end = AudienceEnd(
            activities: follow.activities,
            devices: follow.devices,
            dispatcher: dispatcher,
            publisher: publisher,
            pool: pool,
            channels: follow.channels,
            closing: closing
        )
        let audience = audience(dispatcher, channelStore, end)
        let notifier = MomentNotifier(
            audience: AlertAudience(pool: pool, clock: clock),
            dispatcher: dispatcher,
            buckets: { [ownership] in ownership.buckets },
            term: { [ownership, membership] in ownership.maySend ? membership.term : nil },
            clock: clock,
            scheme: settings.deepLinkScheme
        )
        outlets.connect(PushWay(audience: audience, dispatcher: dispatcher, notifier: notifier))
        ownership.onChange {
            await audience.bucketsChanged()
            await notifier.bucketsChanged()
        }
        return PushRooms(
            dispatcher: dispatcher,
            audience: audience,
            notifier: notifier,
            channels: ChannelKeeper(
                records: follow.channels,
                dispatcher: dispatcher,
                membership: membership,
                environments: environments,
                deletesUnknown: settings.push.deletesUnknownChannels,
                clock: clock
            ),
            end: end,
            sweep: sweep(end),
            keyWatch: SigningKeyWatch(file: key.file, keyID: key.id) { await dispatcher.use($0, keyID: $1) }
        )
    }

    private func dispatcher(
        _ key: ServerConfiguration.Push.Key,
        _ channels: ChannelJoin,
        _ closing: EndClosing
    ) throws -> Dispatcher {
        Dispatcher(
            configuration: try DispatcherConfiguration(settings.push, key: key),
            tokens: TokenJoin(arenas: follow.arenas),
            progress: ProgressJoin(records: progress, term: { [membership] in membership.term }),
            channels: channels,
            providerTokens: ProviderTokenJoin(records: follow.providerTokens),
            clock: clock,
            observer: closing,
            attempts: AttemptLog(Logger(label: "score.push.attempts"), clock: clock),
            // All nodes have the key's file and nobody else does; it only goes into a hash.
            idKey: FileManager.default.contents(atPath: key.file).map { Array($0) } ?? [],
            maySend: { [ownership] in ownership.maySend }
        )
    }

    private func audience(_ dispatcher: Dispatcher, _ channelStore: ChannelJoin, _ end: AudienceEnd) -> Audience {
        Audience(
            rooms: Audience.Rooms(
                arenas: follow.arenas,
                starts: follow.starts,
                dispatcher: dispatcher,
                membership: { [ownership] in ownership.buckets },
                clock: clock,
                environments: environments,
                attributesType: settings.push.attributesType,
                renewals: Renewals(activities: follow.activities),
                channels: follow.channels,
                hasDuty: { channelStore.holdsDuty(for: $0) },
                end: end,
                starting: { [publisher] in try await publisher.starting(within: $0) },
                shownEarly: { [publisher, activities = follow.activities] attended in
                    try await Self.shownEarly(attended, publisher, activities)
                }
            )
        )
    }

    private static func shownEarly(
        _ attended: Set<MatchID>,
        _ publisher: Publisher,
        _ activities: FollowService.Activities
    ) async throws -> [Publication] {
        var found: [Publication] = []
        for match in try await activities.matchesShownEarly() where !attended.contains(match) {
            let known = await publisher.current(match)
            let publication: Publication?
            do { publication = known == nil ? try await publisher.recall(match) : known } catch {
                log.warning("match not read back", metadata: ["match.id": "\(match)", "error": "\(error)"])
                continue
            }
            if let publication, publication.phase == .scheduled { found.append(publication) }
        }
        return found
    }

    private func sweep(_ end: AudienceEnd) -> SweepJoin {
        SweepJoin(
            silent: SilentActivities(activities: follow.activities),
            finished: FinishedMatches(pool: pool, clock: clock),
            erased: ErasedDevices(pool: pool, clock: clock),
            ledger: SweepLedger(pool: pool, clock: clock),
            end: end,
            publisher: publisher,
            membership: membership,
            clock: clock
        )
    }
}

/// Tokens that came after their bucket was walked, brought from the arenas' tail to the dispatcher.
final class LateTokens: Sendable {
    private let dispatcher = Mutex<Dispatcher?>(nil)

    func connect(_ dispatcher: Dispatcher) { self.dispatcher.withLock { $0 = dispatcher } }

    func report(_ additions: [ArenaAddition]) {
        guard let dispatcher = dispatcher.withLock({ $0 }) else { return }
        for addition in additions {
            dispatcher.late(
                match: addition.match,
                device: addition.device,
                generation: addition.generation,
                environment: addition.environment,
                variant: addition.variant.rawValue,
                knownRev: addition.knownRev
            )
        }
    }
}
