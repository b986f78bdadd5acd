// A change by the person or the system that the server has not confirmed yet.

/// The kinds of tokens that belong to the device.
public enum DeviceTokenName: String, Codable, Sendable, Hashable {
    /// The token for notifications.
    case alert
    /// The token for starts of Live Activities.
    case pushToStart
    /// The token for reloads of the widgets.
    case widget
}

/// The reasons for which an app reports the end of an activity.
public enum ActivityEndCause: String, Codable, Sendable, Hashable { case ended, dismissed, stale, unfollowed }

/// The route of pushes to an activity.
public enum ActivityAddress: Codable, Sendable, Hashable {
    /// Its own token, hexadecimal digits.
    case token(String)
    /// A broadcast channel.
    case channel(String)
}

/// A change that waits for the server.
public struct PendingChange: Codable, Sendable, Hashable {
    /// The resource that a change is about; the server compares sequence numbers for each of them.
    public enum Target: Codable, Sendable, Hashable {
        case follow(match: String)
        case token(DeviceTokenName)
        case activity(match: String)
        case device
    }

    /// The new state of the resource.
    public enum Operation: Codable, Sendable, Hashable {
        case follow(match: String, FollowChoices)
        case unfollow(match: String)
        case setToken(DeviceTokenName, String)
        case removeToken(DeviceTokenName)
        /// An activity with its address; times in milliseconds since 1970.
        case reportActivity(id: String, match: String, ActivityAddress, startedAt: Int64, byPush: Bool, revision: Int64)
        case endActivity(id: String, match: String, ActivityEndCause)
        case describeDevice(DeviceDescription)
    }

    /// The new state.
    public let operation: Operation
    /// The device's sequence number; never used for another change.
    public let sequence: Int64
    /// The wall time of the change, in milliseconds since 1970.
    public let madeAt: Int64
    /// Failures with a 5xx status.
    var attempts = 0

    init(_ operation: Operation, sequence: Int64, madeAt: Int64) {
        self.operation = operation
        self.sequence = sequence
        self.madeAt = madeAt
    }

    /// The resource that it is about.
    public var target: Target {
        switch operation {
        case .follow(let match, _), .unfollow(let match): .follow(match: match)
        case .setToken(let name, _), .removeToken(let name): .token(name)
        case .reportActivity(_, let match, _, _, _, _), .endActivity(_, let match, _): .activity(match: match)
        case .describeDevice: .device
        }
    }
}
