// The reasons for a missing channel.

/// A failed request to Apple's channel management or to the store of channels.
public enum ChannelError: Error, Hashable, CustomStringConvertible {
    /// The app lacks the capability or has used up its channels; activity tokens are used instead.
    case unavailable(APNsReason)
    /// Apple refused for another reason.
    case refused(status: Int, APNsReason)
    /// No answer; the text is the reason.
    case unreachable(String)
    /// The answer lacks the channel's id.
    case incomplete
    /// The answer is not a list of channels.
    case unreadableList
    /// The environment is not configured.
    case unknownEnvironment
    /// There is no provider token.
    case unsigned

    /// One sentence.
    public var description: String {
        switch self {
        case .unavailable(let reason): "channels: not available (\(reason.rawValue))"
        case .refused(let status, let reason): "channels: Apple answered \(status) \(reason.rawValue)"
        case .unreachable(let text): "channels: no answer (\(text))"
        case .incomplete: "channels: expected an apns-channel-id in the answer"
        case .unreadableList: "channels: expected an array `channels` in the answer"
        case .unknownEnvironment: "channels: the environment is not configured"
        case .unsigned: "channels: no provider token"
        }
    }

    /// APNs' reason; `transport` without an answer.
    var reason: APNsReason {
        switch self {
        case .unavailable(let reason), .refused(_, let reason): reason
        case .incomplete, .unreadableList: .other
        case .unreachable, .unknownEnvironment, .unsigned: .transport
        }
    }

    /// HTTP status; 0 without an answer.
    var status: Int {
        switch self {
        case .unavailable: 400
        case .refused(let status, _): status
        case .incomplete: 201
        case .unreadableList: 200
        case .unreachable, .unknownEnvironment, .unsigned: 0
        }
    }

    /// Time for which a creation would fail in the same way; nil if the next one may succeed.
    var pause: Duration? {
        switch self {
        case .unavailable: PushLimits.channelsUnavailable
        case .unreachable: PushLimits.channelsUnreachable
        case .refused(let status, _): status >= 500 ? PushLimits.channelsUnreachable : nil
        case .incomplete, .unreadableList, .unknownEnvironment, .unsigned: nil
        }
    }

    /// Rejected if a repetition is useless, else failed.
    var outcome: PushOutcome {
        switch self {
        case .unavailable: .rejected(.stopChannels)
        case .refused(let status, let reason): PushOutcome(status: status, reason: reason)
        case .incomplete, .unreadableList: .failed(.server)
        case .unreachable, .unknownEnvironment, .unsigned: .failed(.ambiguous)
        }
    }
}
