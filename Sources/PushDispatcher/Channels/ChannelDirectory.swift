// Holds the channels of every match, creates missing ones, and broadcasts each state once.

internal import HTTP2
internal import Logging
public import ScoreTypes

/// The channels of this node's matches; a `BroadcastPacing` paces each.
public actor ChannelDirectory {
    struct MatchChannels {
        var records: [ChannelRecord] = []
        var pacings: [ChannelID: BroadcastPacing] = [:]
        var encoded: EncodedPublication?
        var readAt: Duration?
        var hadDuty = false
        /// Broadcasts that the store does not have: accepted ones, and alerts without an answer.
        var unrecorded: [ChannelID: Broadcast] = [:]
    }

    /// A broadcast to be recorded.
    struct Broadcast {
        let environment: PushEnvironment
        let settled: BroadcastPacing.Settled
        let at: Instant
    }

    let configuration: DispatcherConfiguration
    let store: any ChannelStore
    /// Whether this node sends the broadcasts of a match.
    let broadcasts: @Sendable (MatchID) -> Bool
    let clock: ServiceClock
    let log: Logger
    private let operations: ChannelOperations
    let send: @Sendable (DirectedPush, PushEnvironment) -> Void
    let idKey: [UInt8]
    var matches: [MatchID: MatchChannels] = [:]
    var tickets: [UInt64: (match: MatchID, channel: ChannelID, environment: PushEnvironment)] = [:]
    var ends = ChannelEnds()
    private var lastTicket: UInt64 = 0
    private var creations: [ChannelKind: Task<Result<ChannelRecord, ChannelError>, Never>] = [:]
    /// Environments in which no channel is created until a moment, and the last error.
    private var pauses: [PushEnvironment: (until: Duration, error: ChannelError)] = [:]
    var generator: SplitMix64
    /// The node is shutting down: nothing more is broadcast.
    var isLeaving = false
    /// When broadcasts that could not be recorded are tried again.
    var nextRecordTry: Duration = .zero

    init(
        configuration: DispatcherConfiguration,
        store: any ChannelStore,
        broadcasts: @escaping @Sendable (MatchID) -> Bool,
        clock: ServiceClock,
        idKey: [UInt8],
        seed: UInt64,
        attempts: (any AttemptObserver)? = nil,
        token: @escaping @Sendable (PushEnvironment) async -> StoredProviderToken?,
        send: @escaping @Sendable (DirectedPush, PushEnvironment) -> Void
    ) {
        self.configuration = configuration
        self.store = store
        self.broadcasts = broadcasts
        self.clock = clock
        self.idKey = idKey
        self.send = send
        log = Logger(label: "score.push.channels")
        generator = SplitMix64(seed: seed)
        operations = ChannelOperations(configuration: configuration, clock: clock, attempts: attempts, token: token)
    }

    /// Returns the channel of a kind, and creates it at Apple if there is none; concurrent calls create one.
    ///
    /// - Throws: `ChannelError` if Apple or the store does not provide a channel.
    public func ensure(_ kind: ChannelKind) async throws(ChannelError) -> ChannelID {
        if isOld(kind.match) { await reread(kind.match) }
        if let live = matches[kind.match]?.live(kind) { return live.channel }
        let work = creations[kind] ?? Task { await create(kind) }
        creations[kind] = work
        return try await work.value.get().channel
    }

    /// All channels that Apple has for the app in one environment, for a comparison with the records.
    ///
    /// - Throws: `ChannelError` if Apple does not answer with a list.
    public func list(_ environment: PushEnvironment) async throws(ChannelError) -> [ChannelID] {
        try await operations.list(environment)
    }

    /// Why channels of an environment cannot be created, listed or deleted, in one sentence; nil if they can.
    public nonisolated func problem(of environment: PushEnvironment) -> String? { operations.problem(of: environment) }

    /// Deletes a channel at Apple and retires its record.
    ///
    /// - Throws: `ChannelError` if Apple refuses or does not answer.
    public func delete(_ channel: ChannelID, in environment: PushEnvironment) async throws(ChannelError) {
        try await operations.delete(channel, in: environment)
        try? await store.retire(channel, in: environment, at: clock.wall)
        for match in matches.keys { matches[match]?.forget(channel) }
    }

    /// Retires a channel whose activities have ended: nothing more is broadcast on it.
    ///
    /// The next channel of its kind is new.
    ///
    /// - Throws: The store's error.
    public func retire(_ channel: ChannelID, in environment: PushEnvironment, of match: MatchID) async throws {
        try await store.retire(channel, in: environment, at: clock.wall)
        matches[match]?.retire(channel, at: clock.wall)
    }

    /// Retires the record of a channel that Apple does not know, and creates one of the next generation.
    func replace(_ channel: ChannelID, in environment: PushEnvironment, of match: MatchID) async {
        guard let record = matches[match]?.records.first(where: { $0.channel == channel }) else { return }
        do {
            try await retire(channel, in: environment, of: match)
            _ = try await ensure(record.kind)
        } catch {
            log.warning("channel not replaced", metadata: ["match.id": "\(match)", "error": "\(error)"])
        }
    }

    func forget(_ match: MatchID) {
        matches[match] = nil
        ends.forget(match)
    }

    /// Forgets the records of a match for which this node broadcasts nothing; they are read again when needed.
    public func release(_ match: MatchID) {
        if matches[match]?.encoded == nil { matches[match] = nil }
    }

    func nextTicket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }

    /// Whether the records of a match should be read again.
    func isOld(_ match: MatchID) -> Bool {
        matches[match]?.readAt.map { clock.monotonic - $0 >= PushLimits.channelReadInterval } ?? true
    }

    /// Reads the records of a match; revisions that this node knows to be accepted stay.
    ///
    /// - Returns: False if the store failed.
    @discardableResult
    func reread(_ match: MatchID) async -> Bool {
        do {
            let records = try await store.channels(of: match)
            var channels = matches[match] ?? MatchChannels()
            channels.take(records, clock: clock)
            channels.readAt = clock.monotonic
            matches[match] = channels
            return true
        } catch {
            matches[match]?.readAt = clock.monotonic + PushLimits.channelReadRetry - PushLimits.channelReadInterval
            log.warning("channels not read", metadata: ["match.id": "\(match)", "error": "\(error)"])
            return false
        }
    }

    private func create(_ kind: ChannelKind) async -> Result<ChannelRecord, ChannelError> {
        defer { creations[kind] = nil }
        if let (until, error) = pauses[kind.environment], clock.monotonic < until { return .failure(error) }
        await reread(kind.match)
        let known = (matches[kind.match]?.records ?? []).filter { $0.kind == kind }
        if let live = matches[kind.match]?.live(kind) { return .success(live) }
        do throws(ChannelError) {
            let channel = try await createAtApple(kind)
            let record = ChannelRecord(
                match: kind.match,
                environment: kind.environment,
                attributesType: kind.attributesType,
                profile: kind.profile,
                generation: (known.map(\.generation).max() ?? 0) + 1,
                channel: channel,
                storage: configuration.channelStorage,
                createdAt: clock.wall
            )
            let held = try await saved(record)
            if held.channel != channel { try? await operations.delete(channel, in: kind.environment) }
            await reread(kind.match)
            return .success(held)
        } catch {
            return .failure(error)
        }
    }

    /// Creates a channel at Apple; an error that the next request would meet pauses creations in its environment.
    private func createAtApple(_ kind: ChannelKind) async throws(ChannelError) -> ChannelID {
        do throws(ChannelError) {
            return try await operations.create(kind, storing: configuration.channelStorage)
        } catch {
            if let pause = error.pause { pauses[kind.environment] = (clock.monotonic + pause, error) }
            throw error
        }
    }

    private func saved(_ record: ChannelRecord) async throws(ChannelError) -> ChannelRecord {
        do { return try await store.save(record) } catch { throw .unreachable("the record was not stored") }
    }
}

extension ChannelDirectory.MatchChannels {
    /// The channel of a kind on which activities are started; nil if there is none.
    func live(_ kind: ChannelKind) -> ChannelRecord? {
        records.last { $0.kind == kind && $0.isCurrent }
    }

    mutating func take(_ records: [ChannelRecord], clock: ServiceClock) {
        self.records = records
        for record in records where record.retiredAt == nil {
            // An open request is known here only, so that the pacing stays.
            let alerted = record.unansweredAlertRevision
            guard pacings[record.channel]?.advance(to: record.sentRevision, alerted: alerted) == nil else { continue }
            let earlier = records.filter { other in
                other.environment == record.environment && other.attributesType == record.attributesType
                    && other.profile == record.profile && other.generation < record.generation
            }
            var pacing = BroadcastPacing(
                profile: record.profile,
                sentRevision: record.sentRevision,
                alertedRevision: earlier.map { max($0.sentRevision, $0.unansweredAlertRevision) }.max() ?? 0,
                clock: clock
            )
            pacing.advance(to: record.sentRevision, alerted: alerted)
            pacings[record.channel] = pacing
        }
        for record in records where record.retiredAt != nil { pacings[record.channel] = nil }
        for record in records where record.supersededAt != nil { pacings[record.channel]?.silence() }
    }

    mutating func retire(_ channel: ChannelID, at moment: Instant) {
        for index in records.indices where records[index].channel == channel { records[index].retiredAt = moment }
        pacings[channel] = nil
    }

    mutating func forget(_ channel: ChannelID) {
        records.removeAll { $0.channel == channel }
        pacings[channel] = nil
    }
}
