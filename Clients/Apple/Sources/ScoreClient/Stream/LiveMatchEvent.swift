// Events of a stream, decoded from the data of server-sent events.

internal import Foundation
public import LiveSurface

/// The state of a match as a stream or a poll delivers it.
public struct LiveMatchState: Sendable, Hashable {
    /// The match.
    public var matchID: String
    /// The epoch of the match; a new one invalidates what an app remembers of the match.
    public var epoch: String
    /// The content state; `rev` orders states within an epoch.
    public var display: LiveActivityAttributes.ContentState
    /// Whether the state has a moment that alerts.
    public var isUrgent: Bool
    /// Whether the app has to discard its own model of the match first.
    public var isReset: Bool
}

/// An event of a live stream.
public enum LiveMatchEvent: Sendable, Hashable {
    /// How states arrive.
    public enum Connection: Sendable, Hashable {
        case connected
        /// There is no connection; the next attempt follows by itself.
        case waiting
        /// The stream does not work here; the client reads at intervals.
        case polling
    }

    case state(LiveMatchState)
    /// An operator holds the match, or has released it.
    case held(match: String, Bool, reason: String?)
    /// No feed reports the match, or one does again.
    case stale(match: String, Bool)
    /// The match is over; the last state came before, and `result` is its sentence, nil without one.
    ///
    /// In a stream of several matches also one that the server does not have, or not any more: it has no result, and
    /// perhaps no state came before.
    case ended(match: String, result: String?)
    case connection(Connection)
    /// A state that this app cannot decode was skipped; the app is too old or the server has a defect.
    case unreadable
}

/// A decoded message of the server.
enum StreamMessage: Sendable, Hashable {
    case hello(heartbeat: Duration)
    case event(LiveMatchEvent)
    case ping
    case bye(reconnectAfter: Duration)
    case unreadable
    /// An event that a newer server has added.
    case unknown

    init(_ event: ServerSentEvent) {
        let data = Data(event.data.utf8)
        switch event.name {
        case "hello":
            let body = ClientJSON.decode(Body.self, from: data)
            self = .hello(heartbeat: Self.duration(body?.heartbeatMs) ?? ClientLimits.assumedHeartbeat)
        case "ping": self = .ping
        case "bye":
            let body = ClientJSON.decode(Body.self, from: data)
            self = .bye(reconnectAfter: Self.duration(body?.reconnectAfterMs) ?? .zero)
        case "state": self = Self.state(ClientJSON.decode(StateBody.self, from: data), isReset: false)
        case "reset": self = Self.state(ClientJSON.decode(ResetBody.self, from: data)?.state, isReset: true)
        case "held", "stale", "end": self = Self.matchEvent(event.name, ClientJSON.decode(Body.self, from: data))
        default: self = .unknown
        }
    }

    private static func duration(_ milliseconds: Int64?) -> Duration? {
        milliseconds.map { .milliseconds(min(max($0, 0), ClientLimits.longestRetryAfter * 1000)) }
    }

    private static func state(_ body: StateBody?, isReset: Bool) -> StreamMessage {
        guard let body else { return .unreadable }
        return .event(
            .state(
                LiveMatchState(
                    matchID: body.matchId,
                    epoch: body.epoch,
                    display: body.display,
                    isUrgent: body.urgent ?? false,
                    isReset: isReset
                )
            )
        )
    }

    private static func matchEvent(_ name: String, _ body: Body?) -> StreamMessage {
        guard let body, let match = body.matchId else { return .unreadable }
        switch name {
        case "held": return .event(.held(match: match, body.held ?? true, reason: body.reason))
        case "stale": return .event(.stale(match: match, body.stale ?? true))
        default: return .event(.ended(match: match, result: body.result))
        }
    }

    private struct Body: Decodable {
        var matchId: String?
        var heartbeatMs: Int64?
        var reconnectAfterMs: Int64?
        var held: Bool?
        var stale: Bool?
        var reason: String?
        var result: String?
    }

    private struct StateBody: Decodable {
        var matchId: String
        var epoch: String
        var display: LiveActivityAttributes.ContentState
        var urgent: Bool?
    }

    private struct ResetBody: Decodable {
        var state: StateBody
    }
}
