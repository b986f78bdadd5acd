// Why there is no channel.

/// A failed request to Apple's channel management, or to the records of channels.
public enum ChannelError: Error, Hashable, CustomStringConvertible {
    /// The capability is off for the app, or its channels are used up; tokens carry the match.
    case unavailable(APNsReason)
    /// Apple refused for another reason.
    case refused(status: Int, APNsReason)
    /// No answer; the text is libcurl's.
    case unreachable(String)
    /// An answer without what it should hold.
    case incomplete
    /// A list of channels that is none.
    case unreadableList
    /// The environment is not served by this dispatcher.
    case unknownEnvironment
    /// No provider token to ask with.
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
}
