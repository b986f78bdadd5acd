// An activity whose first state has no texts, for phones that only receive pushes.

import LiveSurface
import ScoreClient
import ScoreTypes

extension ActivityStart {
    /// The start of an activity of a match at a revision, on a channel or with a token; its state is never stale.
    static func empty(of match: String, revision: Int64 = 0, channel: ChannelID? = nil) -> ActivityStart {
        ActivityStart(
            attributes: LiveActivityAttributes(
                matchId: match,
                teams: [],
                format: "t20",
                channelId: channel?.text,
                deepLink: "score://match/\(match)"
            ),
            state: LiveActivityAttributes.ContentState(
                rev: revision,
                matchDisplayState: .live,
                compactLeading: .init(teamAbbr: "", score: ""),
                compactTrailing: .init(text: ""),
                minimal: .init(text: ""),
                expanded: .init(teams: [], line: ""),
                lockScreen: .init(line: ""),
                small: .init(top: "", bottom: "", line: "")
            ),
            channelID: channel?.text,
            staleAt: .max
        )
    }
}
