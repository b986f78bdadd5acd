// Knows the channels of every match, makes missing ones, and sees to it that each gets the newest state once.

internal import HTTP2
internal import Logging
internal import ScoreTypes

/// The channels of the matches of this node; the pacing of each is a `BroadcastLine`.
actor ChannelDirectory {
    /// How often the records of a match are read again: another node may have made a channel.
    static let rereadInterval: Duration = .seconds(10)
    /// How soon records that could not be read are asked for again.
    static let retryInterval: Duration = .seconds(1)
    /// How long creation is left alone after Apple said that there are no channels for this app.
    static let unavailableMax: Duration = .seconds(300)

    struct Kind: Hashable {
        let match: MatchID
        let environment: PushEnvironment
        let attributesType: String
        let profile: ChannelProfile
    }

    struct MatchChannels {
        var records: [ChannelRecord] = []
        var lines: [ChannelID: BroadcastLine] = [:]
        var launch: Launch?
        var readAt: Duration?
        var hadDuty = false
    }

    let configuration: DispatcherConfiguration
    let store: any ChannelStore
    /// Whether this node sends the broadcasts of a match.
    let broadcasts: @Sendable (MatchID) -> Bool
    let clock: ServiceClock
    let log: Logger
    private let management: [PushEnvironment: ChannelManagement]
    private let token: @Sendable (PushEnvironment) async -> StoredProviderToken?
    let send: @Sendable (DirectedPush, PushEnvironment) -> Void
    let idKey: [UInt8]
    var matches: [MatchID: MatchChannels] = [:]
    var tickets: [UInt64: (match: MatchID, channel: ChannelID, environment: PushEnvironment)] = [:]
    var ends = ChannelEnds()
    private var lastTicket: UInt64 = 0
    private var creations: [Kind: Task<Result<ChannelRecord, ChannelError>, Never>] = [:]
    private var unavailableUntil: [PushEnvironment: (moment: Duration, reason: APNsReason)] = [:]
    var generator: SplitMix64

    init(
        configuration: DispatcherConfiguration,
        store: any ChannelStore,
        broadcasts: @escaping @Sendable (MatchID) -> Bool,
        clock: ServiceClock,
        idKey: [UInt8],
        seed: UInt64,
        token: @escaping @Sendable (PushEnvironment) async -> StoredProviderToken?,
        send: @escaping @Sendable (DirectedPush, PushEnvironment) -> Void
    ) {
        self.configuration = configuration
        self.store = store
        self.broadcasts = broadcasts
        self.clock = clock
        self.idKey = idKey
        self.token = token
        self.send = send
        log = Logger(label: "score.push.channels")
        generator = SplitMix64(seed: seed)
        management = Dictionary(
            uniqueKeysWithValues: configuration.environments.map { environment, endpoints in
                (
                    environment,
                    ChannelManagement(
                        endpoints.management,
                        bundleID: configuration.bundleID,
                        authorities: configuration.authorities
                    )
                )
            }
        )
    }

    /// The channel of a kind, made now when there is none; however many ask at once, one is made.
    func ensure(_ kind: Kind) async throws(ChannelError) -> ChannelID {
        if isOld(kind.match) { await reread(kind.match) }
        if let live = matches[kind.match]?.live(kind) { return live.channel }
        let work = creations[kind] ?? Task { await create(kind) }
        creations[kind] = work
        return try await work.value.get().channel
    }

    /// All channels that Apple has for the app in one environment.
    func list(_ environment: PushEnvironment) async throws(ChannelError) -> [ChannelID] {
        let (office, token) = try await office(environment)
        return try await office.list(token: token)
    }

    /// Deletes a channel at Apple's for good and gives its record up.
    func delete(_ channel: ChannelID, in environment: PushEnvironment) async throws(ChannelError) {
        let (office, token) = try await office(environment)
        try await office.delete(channel, token: token)
        try? await store.retire(channel, in: environment, at: clock.wall)
        for match in matches.keys { matches[match]?.forget(channel) }
    }

    /// Gives a channel up: nothing more is broadcast on it, and who asks for one of its kind gets another.
    func retire(_ channel: ChannelID, in environment: PushEnvironment, of match: MatchID) async throws {
        try await store.retire(channel, in: environment, at: clock.wall)
        matches[match]?.retire(channel, at: clock.wall)
    }

    /// A channel that Apple does not know: gives its record up and makes another of the next generation.
    func replace(_ channel: ChannelID, in environment: PushEnvironment, of match: MatchID) async {
        guard let record = matches[match]?.records.first(where: { $0.channel == channel }) else { return }
        do {
            try await retire(channel, in: environment, of: match)
            _ = try await ensure(
                Kind(
                    match: match,
                    environment: environment,
                    attributesType: record.attributesType,
                    profile: record.profile
                )
            )
        } catch {
            log.warning("channel not replaced", metadata: ["match.id": "\(match)", "error": "\(error)"])
        }
    }

    func forget(_ match: MatchID) {
        matches[match] = nil
        ends.forget(match)
    }

    func nextTicket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }

    /// Whether the records of a match should be read again.
    func isOld(_ match: MatchID) -> Bool {
        matches[match]?.readAt.map { clock.monotonic - $0 >= Self.rereadInterval } ?? true
    }

    /// Reads the records of a match; what this node knows to have been accepted stays.
    func reread(_ match: MatchID) async {
        do {
            let records = try await store.channels(of: match)
            var channels = matches[match] ?? MatchChannels()
            channels.take(records, clock: clock)
            channels.readAt = clock.monotonic
            matches[match] = channels
        } catch {
            matches[match]?.readAt = clock.monotonic + Self.retryInterval - Self.rereadInterval
            log.warning("channels not read", metadata: ["match.id": "\(match)", "error": "\(error)"])
        }
    }

    private func create(_ kind: Kind) async -> Result<ChannelRecord, ChannelError> {
        defer { creations[kind] = nil }
        if let (moment, reason) = unavailableUntil[kind.environment], clock.monotonic < moment {
            return .failure(.unavailable(reason))
        }
        await reread(kind.match)
        let known = (matches[kind.match]?.records ?? []).filter { Kind($0) == kind }
        if let live = matches[kind.match]?.live(kind) { return .success(live) }
        do throws(ChannelError) {
            let (office, token) = try await office(kind.environment)
            let channel = try await office.create(token: token)
            let record = ChannelRecord(
                match: kind.match,
                environment: kind.environment,
                attributesType: kind.attributesType,
                profile: kind.profile,
                generation: (known.map(\.generation).max() ?? 0) + 1,
                channel: channel,
                createdAt: clock.wall
            )
            let held = try await saved(record)
            if held.channel != channel { try? await office.delete(channel, token: token) }
            await reread(kind.match)
            return .success(held)
        } catch {
            if case .unavailable(let reason) = error {
                unavailableUntil[kind.environment] = (clock.monotonic + Self.unavailableMax, reason)
            }
            return .failure(error)
        }
    }

    private func saved(_ record: ChannelRecord) async throws(ChannelError) -> ChannelRecord {
        do { return try await store.save(record) } catch { throw .unreachable("the record was not stored") }
    }

    private func office(
        _ environment: PushEnvironment
    ) async throws(ChannelError) -> (ChannelManagement, StoredProviderToken) {
        guard let office = management[environment] else { throw .unknownEnvironment }
        guard let token = await token(environment) else { throw .unsigned }
        return (office, token)
    }
}

extension ChannelDirectory.Kind {
    init(_ record: ChannelRecord) {
        self.init(
            match: record.match,
            environment: record.environment,
            attributesType: record.attributesType,
            profile: record.profile
        )
    }
}

extension ChannelDirectory.MatchChannels {
    /// The channel of a kind that activities are started on; nil when there is none.
    func live(_ kind: ChannelDirectory.Kind) -> ChannelRecord? {
        records.last { ChannelDirectory.Kind($0) == kind && $0.isCurrent }
    }

    mutating func take(_ records: [ChannelRecord], clock: ServiceClock) {
        self.records = records
        for record in records where record.retiredAt == nil && lines[record.channel] == nil {
            lines[record.channel] = BroadcastLine(
                profile: record.profile,
                sentRevision: record.sentRevision,
                clock: clock
            )
        }
        for record in records where record.retiredAt != nil { lines[record.channel] = nil }
        for record in records where record.supersededAt != nil { lines[record.channel]?.silence() }
    }

    mutating func retire(_ channel: ChannelID, at moment: Instant) {
        for index in records.indices where records[index].channel == channel { records[index].retiredAt = moment }
        lines[channel] = nil
    }

    mutating func forget(_ channel: ChannelID) {
        records.removeAll { $0.channel == channel }
        lines[channel] = nil
    }
}
