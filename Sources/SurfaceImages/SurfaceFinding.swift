// An operator sees beside an image what the phone could not show as it was meant.

public import ScoreTypes

/// A fault of a state in one layout.
public enum SurfaceFinding: Hashable, Sendable {
    /// A text is wider than its slot and ends in an ellipsis.
    case truncated(slot: String, text: String, shown: String)
    /// A team's colour has too little contrast with the background; another one is drawn.
    case colorReplaced(team: String, color: String, drawn: String)
    /// The bytes do not decode; the phone keeps its old state.
    case undecodable(reason: String)
    /// The push has no alert, so that there is no banner.
    case noAlert

    /// The code in JSON.
    public var code: String {
        switch self {
        case .truncated: "truncated"
        case .colorReplaced: "color-replaced"
        case .undecodable: "undecodable"
        case .noAlert: "no-alert"
        }
    }

    /// One sentence for people.
    public var message: String {
        switch self {
        case .truncated(let slot, let text, let shown): "\(slot): \"\(text)\" is shown as \"\(shown)\""
        case .colorReplaced(let team, let color, let drawn):
            "\(team): \(color) has too little contrast; \(drawn) is drawn"
        case .undecodable(let reason): "The phone keeps its old state: \(reason)"
        case .noAlert: "This push has no alert"
        }
    }

    /// Writes the finding as the members of a JSON object.
    public func write(to json: inout JSONWriter) {
        json.field("code", code)
        json.field("message", message)
        switch self {
        case .truncated(let slot, let text, let shown):
            json.field("slot", slot)
            json.field("text", text)
            json.field("shown", shown)
        case .colorReplaced(let team, let color, let drawn):
            json.field("team", team)
            json.field("color", color)
            json.field("drawn", drawn)
        case .undecodable(let reason): json.field("reason", reason)
        case .noAlert: break
        }
    }
}
