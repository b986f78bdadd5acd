// The final results of starts, ends and notifications, for the target that ordered them.

public import ScoreTypes

/// The final result of one start, end or notification.
public struct DirectedOutcome: Sendable {
    /// The kind of the request.
    public let kind: PayloadKind
    /// The match.
    public let match: MatchID
    /// The device.
    public let device: DeviceID
    /// The generation of the token that was used.
    public let generation: Int32
    /// APNs environment.
    public let environment: PushEnvironment
    /// Accepted, rejected or failed.
    public let outcome: PushOutcome
    /// For a rejection: when APNs found the token invalid, in milliseconds since 1970.
    public var apnsTimestampMilliseconds: Int64?
    /// For a start: the channel that the activity subscribes to; nil for an activity on a token.
    public var channel: ChannelID?
}

extension DirectedOutcome {
    /// The outcome of a push that no lane took.
    init(_ kind: PayloadKind, of match: MatchID, to recipient: PushRecipient, _ outcome: PushOutcome) {
        self.init(
            kind: kind,
            match: match,
            device: recipient.device,
            generation: recipient.generation,
            environment: recipient.environment,
            outcome: outcome
        )
    }
}

/// Receives the results of starts, ends, notifications and channel ends.
///
/// Updates have no result of their own.
public protocol DispatchObserver: Sendable {
    /// Delivers final results: accepted, rejected, or failed after the last try.
    func settled(_ outcomes: [DirectedOutcome]) async
    /// APNs accepted the end of a channel, or the dispatcher gave it up; a repeated order may repeat the report.
    func ended(_ outcome: ChannelEndOutcome) async
}
