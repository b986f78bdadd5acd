// Every request to channel management passes here, so that each is measured, reported and remembered as a problem.

internal import Metrics
public import ScoreTypes
internal import Synchronization

/// The operations on channels that the dispatcher uses; the raw values are labels of metrics and logs.
public enum ChannelOperation: String, Sendable, Hashable, CaseIterable {
    case create = "createChannel"
    case list = "listChannels"
    case delete = "deleteChannel"
}

/// One finished request to channel management.
public struct ChannelAttempt: Sendable {
    /// The operation.
    public let operation: ChannelOperation
    /// The APNs environment.
    public let environment: PushEnvironment
    /// The match of a channel to create; nil for other operations.
    public let match: MatchID?
    /// The created or deleted channel; nil if there is none.
    public let channel: ChannelID?
    /// Accepted, rejected or failed.
    public let outcome: PushOutcome
    /// HTTP status; 0 without an answer.
    public let status: Int
    /// APNs' reason.
    public let reason: APNsReason
    /// Time from the request to its end.
    public let duration: Duration

    /// The first digits of the channel's SHA-256; nil if there is no channel.
    public var fingerprint: Fingerprint? { channel.flatMap { Fingerprint(of: $0) } }
    /// The id of the trap behind a rejection; nil for none.
    public var trap: String? { reason.trap }
}

/// Sends requests to channel management, one client for each environment.
final class ChannelOperations: Sendable {
    private let clients: [PushEnvironment: ChannelManagement]
    private let token: @Sendable (PushEnvironment) async -> StoredProviderToken?
    private let attempts: (any AttemptObserver)?
    private let clock: ServiceClock
    /// The last failure of each operation, until one is accepted: a list is possible where a creation is not.
    private let failures = Mutex<[PushEnvironment: [ChannelOperation: ChannelError]]>([:])

    init(
        configuration: DispatcherConfiguration,
        clock: ServiceClock,
        attempts: (any AttemptObserver)?,
        token: @escaping @Sendable (PushEnvironment) async -> StoredProviderToken?
    ) {
        clients = Dictionary(
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
        self.token = token
        self.attempts = attempts
        self.clock = clock
    }

    /// Why channels of an environment cannot be managed, in one sentence; nil if each last request was accepted.
    func problem(of environment: PushEnvironment) -> String? {
        let failed = failures.withLock { $0[environment] } ?? [:]
        guard let operation = ChannelOperation.allCases.first(where: { failed[$0] != nil }),
            let error = failed[operation]
        else { return nil }
        let trap = error.reason.trap.map { ", trap \($0)" } ?? ""
        return "\(operation.rawValue) in \(environment.rawValue): \(error)\(trap)"
    }

    func create(_ kind: ChannelKind, storing storage: ChannelStorage) async throws(ChannelError) -> ChannelID {
        try await perform(.create, in: kind.environment, match: kind.match) {
            (client, token) async throws(ChannelError) in
            let channel = try await client.create(storing: storage, token: token)
            return (channel, channel)
        }
    }

    func list(_ environment: PushEnvironment) async throws(ChannelError) -> [ChannelID] {
        try await perform(.list, in: environment) { (client, token) async throws(ChannelError) in
            (try await client.list(token: token), nil)
        }
    }

    func delete(_ channel: ChannelID, in environment: PushEnvironment) async throws(ChannelError) {
        try await perform(.delete, in: environment) { (client, token) async throws(ChannelError) in
            (try await client.delete(channel, token: token), channel)
        }
    }

    private func perform<Answer>(
        _ operation: ChannelOperation,
        in environment: PushEnvironment,
        match: MatchID? = nil,
        _ request: (ChannelManagement, StoredProviderToken) async throws(ChannelError) -> (Answer, ChannelID?)
    ) async throws(ChannelError) -> Answer {
        guard let client = clients[environment] else { throw .unknownEnvironment }
        guard let token = await token(environment) else { throw .unsigned }
        let begin = clock.monotonic
        func report(_ channel: ChannelID?, _ error: ChannelError?) {
            failures.withLock { $0[environment, default: [:]][operation] = error }
            let attempt = ChannelAttempt(
                operation: operation,
                environment: environment,
                match: match,
                channel: channel,
                outcome: error?.outcome ?? .accepted,
                status: error?.status ?? operation.successStatus,
                reason: error?.reason ?? .none,
                duration: clock.monotonic - begin
            )
            Self.count(attempt)
            attempts?.managed(attempt)
        }
        do throws(ChannelError) {
            let (answer, channel) = try await request(client, token)
            report(channel, nil)
            return answer
        } catch {
            report(nil, error)
            throw error
        }
    }

    private static func count(_ attempt: ChannelAttempt) {
        let labels = [("operation", attempt.operation.rawValue), ("env", attempt.environment.rawValue)]
        Counter(
            label: "score_channel_requests_total",
            dimensions: labels + [("outcome", attempt.outcome.label), ("reason", attempt.reason.rawValue)]
        ).increment()
        Timer(label: "score_channel_request_duration_seconds", dimensions: labels)
            .recordMilliseconds(attempt.duration.milliseconds)
        guard attempt.trap != nil || attempt.reason.operatorFault != nil else { return }
        PushMetrics.countTrap(attempt.reason, operation: attempt.operation.rawValue)
    }
}

extension ChannelOperation {
    /// The status of an accepted request.
    fileprivate var successStatus: Int {
        switch self {
        case .create: 201
        case .list: 200
        case .delete: 204
        }
    }
}
