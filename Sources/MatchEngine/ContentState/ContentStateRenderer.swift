// Turns a match into the object that every phone draws, inside a wall of bytes whatever the feed has sent.

public import LiveSurface
public import ScoreTypes

/// Renders content states and attributes; pure, the same answer for the same match.
public enum ContentStateRenderer {
    /// Most bytes of a content state: APNs takes 4,096 with attributes and envelope (DESIGN section 7).
    public static let bytesMax = 3_500
    /// Most bytes of the attributes: what a start's payload has left beside the largest content state.
    public static let attributesBytesMax = 400

    /// Lengths in characters that the phones' layouts are made for (PUBLICATION section 1).
    enum Limit {
        static let line = 48
        static let lockLine = 96
        static let sub = 64
        static let smallLine = 24
        static let smallRow = 28
        static let score = 24
        static let minimal = 7
        static let name = 24
        static let figures = 12
        static let event = 120
        static let trailing = 12
        static let word = 8
    }

    /// The content state of a match at a revision.
    ///
    /// - Parameters:
    ///   - state: the folded match.
    ///   - info: its frame, for names, toss and venue.
    ///   - revision: `rev`.
    ///   - event: the moment that this state tells, nil for an ordinary ball.
    ///   - isStale: whether the provider has been silent for too long.
    /// - Returns: a state of at most `bytesMax` bytes.
    public static func render(
        _ state: MatchState,
        info: MatchInfo,
        revision: Int64,
        event: Moment? = nil,
        isStale: Bool = false
    ) -> LiveActivityAttributes.ContentState {
        let drawing = MatchDrawing(state: state, info: info, event: event, isStale: isStale)
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
        return fitted(content, within: bytesMax)
    }

    /// Takes away what matters least until the state fits: never scores.
    static func fitted(
        _ content: LiveActivityAttributes.ContentState,
        within wall: Int
    ) -> LiveActivityAttributes.ContentState {
        if mostBytes(of: content) <= wall { return content }
        var content = content
        for step in steps where bytes(of: content).count > wall { step(&content) }
        return content
    }

    /// More bytes than a content state takes beside its texts: braces, keys, numbers, ten balls, two batters.
    private static let frameBytesMax = 1_200
    /// Bytes that one byte of text takes at most, when it has to be escaped.
    private static let escapedBytesMax = 6

    /// More than the bytes of a state, and quick to find: only what comes near the wall is written to be measured.
    private static func mostBytes(of content: LiveActivityAttributes.ContentState) -> Int {
        let expanded = content.expanded
        var texts = content.compactLeading.score.utf8.count + content.compactTrailing.text.utf8.count
        texts += expanded.line.utf8.count + (expanded.event?.text.utf8.count ?? 0)
        texts += content.lockScreen.line.utf8.count + (content.lockScreen.sub?.utf8.count ?? 0)
        texts += content.small.top.utf8.count + content.small.bottom.utf8.count + content.small.line.utf8.count
        for row in expanded.teams { texts += row.abbr.utf8.count + row.score.utf8.count }
        for batter in expanded.batters { texts += batter.name.utf8.count }
        texts += expanded.bowler?.name.utf8.count ?? 0
        return texts * escapedBytesMax + frameBytesMax
    }

    /// The order is fixed by PUBLICATION section 1.
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

    /// The static half of the activity.
    ///
    /// - Parameters:
    ///   - info: the match's frame.
    ///   - match: its id.
    ///   - scheme: the app's URL scheme, from configuration.
    /// - Returns: attributes of at most `attributesBytesMax` bytes for any feed.
    public static func attributes(of info: MatchInfo, match: MatchID, scheme: String) -> LiveActivityAttributes {
        let full = attributes(of: info, match: match, scheme: scheme, nameLimit: 36, competitionLimit: 48)
        if bytes(of: full).count <= attributesBytesMax { return full }
        let short = attributes(of: info, match: match, scheme: scheme, nameLimit: 24, competitionLimit: 0)
        if bytes(of: short).count <= attributesBytesMax { return short }
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
            deepLink: "\(Clip.text(scheme, 24))://match/\(match.text)"
        )
    }

    private static func isColor(_ text: String) -> Bool {
        text.utf8.count == 7 && text.first == "#" && text.dropFirst().utf8.allSatisfy { Hex.value(of: $0) != nil }
    }
}
