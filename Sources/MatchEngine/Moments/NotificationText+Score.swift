// Scores are arguments of a text, since they are written the same in every language.

internal import LiveSurface

extension NotificationText {
    /// `MI 87/6 (12.3 ov)`; in The Hundred `LNS 87/6 (63 balls)`.
    static func score(_ score: String, of team: String, after overs: Overs, in rules: RuleSet) -> NotificationText {
        let key: NotificationKey = rules.countsBalls ? .teamAfterBalls : .teamAfterOvers
        return NotificationText(key, team, score, overs.text(in: rules))
    }
}
