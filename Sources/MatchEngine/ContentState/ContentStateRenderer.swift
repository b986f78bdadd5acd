// Renders a match as the content state that phones draw, within a fixed number of bytes for any feed.

public import LiveSurface
public import ScoreTypes

/// Renders content states and attributes; a pure function of its arguments.
public enum ContentStateRenderer {
    /// The content state of a match at a revision.
    ///
    /// - Parameters:
    ///   - state: The folded match.
    ///   - info: The facts of the match beside its balls: names, toss, venue.
    ///   - revision: The revision of the match, `rev`; a negative one counts as 0.
    ///   - event: The moment that this state announces; nil for an ordinary ball.
    /// - Returns: A state of at most `EngineLimits.contentStateBytes` bytes.
    public static func render(
        _ state: MatchState,
        info: MatchInfo,
        revision: Int64,
        event: Moment? = nil
    ) -> LiveActivityAttributes.ContentState {
        let drawing = MatchDrawing(state: state, info: info, event: event)
        let content = LiveActivityAttributes.ContentState(
            rev: max(0, revision),
            matchDisplayState: state.displayState,
            compactLeading: drawing.compactLeading,
            compactTrailing: drawing.compactTrailing,
            minimal: drawing.minimal,
            expanded: drawing.expanded,
            lockScreen: .init(line: drawing.lockLine, sub: drawing.lockSub),
            small: drawing.small
        )
        return fitted(content, within: EngineLimits.contentStateBytes)
    }

    /// Shortens the least important parts until the state fits; scores are never shortened.
    static func fitted(
        _ content: LiveActivityAttributes.ContentState,
        within limit: Int
    ) -> LiveActivityAttributes.ContentState {
        if mostBytes(of: content) <= limit { return content }
        var content = content
        for step in steps where bytes(of: content).count > limit { step(&content) }
        return content
    }

    /// An upper bound in bytes that is cheap to compute; a state is encoded and measured only when the bound is too
    /// large.
    private static func mostBytes(of content: LiveActivityAttributes.ContentState) -> Int {
        let expanded = content.expanded
        var texts = content.compactLeading.score.utf8.count + content.compactTrailing.text.utf8.count
        texts += expanded.line.utf8.count + (expanded.event?.text.utf8.count ?? 0)
        texts += content.lockScreen.line.utf8.count + (content.lockScreen.sub?.utf8.count ?? 0)
        texts += content.small.top.utf8.count + content.small.bottom.utf8.count + content.small.line.utf8.count
        for row in expanded.teams { texts += row.abbr.utf8.count + row.score.utf8.count }
        for batter in expanded.batters { texts += batter.name.utf8.count }
        texts += expanded.bowler?.name.utf8.count ?? 0
        return texts * EngineLimits.escapedByteBytes + EngineLimits.contentStateFrameBytes
    }

    /// The order of the steps is defined by PUBLICATION section 1.
    private static let steps: [@Sendable (inout LiveActivityAttributes.ContentState) -> Void] = [
        { if let text = $0.expanded.event?.text { $0.expanded.event?.text = Clip.text(text, 40) } },
        { $0.lockScreen.sub = nil },
        { $0.expanded.recent = $0.expanded.recent.suffix(6) },
        { content in
            for index in content.expanded.batters.indices {
                content.expanded.batters[index].name = shortened(content.expanded.batters[index].name)
            }
            if let name = content.expanded.bowler?.name { content.expanded.bowler?.name = shortened(name) }
        },
        { $0.lockScreen.line = Clip.text($0.lockScreen.line, 32) },
    ]

    private static func shortened(_ name: String) -> String { Clip.text(PersonName(name).initialed, 12) }

    /// The static part of the activity.
    ///
    /// - Parameters:
    ///   - info: The facts of the match.
    ///   - match: The id of the match.
    ///   - scheme: The app's URL scheme, from configuration; cut to `EngineLimits.Text.scheme`.
    /// - Returns: Attributes of at most `EngineLimits.attributesBytes` bytes for any feed.
    public static func attributes(of info: MatchInfo, match: MatchID, scheme: String) -> LiveActivityAttributes {
        let full = attributes(of: info, match: match, scheme: scheme, nameLimit: 36, competitionLimit: 48)
        if bytes(of: full).count <= EngineLimits.attributesBytes { return full }
        let short = attributes(of: info, match: match, scheme: scheme, nameLimit: 24, competitionLimit: 0)
        if bytes(of: short).count <= EngineLimits.attributesBytes { return short }
        return attributes(of: info, match: match, scheme: scheme, nameLimit: 8, competitionLimit: 0)
    }

    private static func attributes(
        of info: MatchInfo,
        match: MatchID,
        scheme: String,
        nameLimit: Int,
        competitionLimit: Int
    ) -> LiveActivityAttributes {
        let abbreviations = Abbreviations(info)
        let teams = Side.allCases.map { side in
            let team = info.team(side)
            return LiveActivityAttributes.Team(
                id: Clip.text(team.id, nameLimit),
                name: Clip.text(team.name, nameLimit),
                abbr: abbreviations[side],
                color: team.color.flatMap { isColor($0) ? $0 : nil }
            )
        }
        return LiveActivityAttributes(
            matchId: match.text,
            teams: teams,
            competition: competitionLimit == 0 ? nil : info.competition.map { Clip.text($0, competitionLimit) },
            format: info.format.rawValue,
            deepLink: "\(Clip.text(scheme, EngineLimits.Text.scheme))://match/\(match.text)"
        )
    }

    private static func isColor(_ text: String) -> Bool {
        text.utf8.count == 7 && text.first == "#" && text.dropFirst().utf8.allSatisfy { Hex.value(of: $0) != nil }
    }
}
