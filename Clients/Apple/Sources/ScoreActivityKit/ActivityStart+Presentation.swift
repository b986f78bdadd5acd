// The rank of a start among activities, and the alert of a scheduled one.

internal import LiveSurface
internal import ScoreClient

extension ActivityStart {
    /// The rank until the server's first push, as the server ranks matches: 50 in play, 30 in a pause, 10 before it.
    var relevance: Double {
        switch state.matchDisplayState {
        case .live, .superOver: 50
        case .break, .stumps: 30
        case .scheduled, .delayed, .finished, .abandoned: 10
        }
    }

    /// The texts with which the system announces a scheduled start: the teams, and the main line.
    var alertTexts: (title: String, body: String) {
        let title = attributes.teams.map(\.abbr).joined(separator: " v ")
        return (title.isEmpty ? state.lockScreen.line : title, state.lockScreen.line)
    }
}
