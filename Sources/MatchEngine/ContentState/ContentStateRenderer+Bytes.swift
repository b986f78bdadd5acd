// Writes the bytes of a content state, with the same keys in the same order for every revision.

public import LiveSurface
internal import ScoreTypes

extension ContentStateRenderer {
    /// The JSON of a content state, keys in the order of the examples in PUBLICATION section 1.
    ///
    /// - Parameter content: The state to encode.
    /// - Returns: Compact JSON in UTF-8.
    public static func bytes(of content: LiveActivityAttributes.ContentState) -> [UInt8] {
        JSONWriter.document(reservingBytes: 2048) { writer in
            writer.field("v", content.v)
            writer.field("rev", content.rev)
            writer.field("matchDisplayState", content.matchDisplayState.rawValue)
            writer.object("compactLeading") {
                $0.field("teamAbbr", content.compactLeading.teamAbbr)
                $0.field("score", content.compactLeading.score)
            }
            writer.object("compactTrailing") {
                $0.field("overs", ifPresent: content.compactTrailing.overs)
                $0.field("runRate", ifPresent: content.compactTrailing.runRate)
                $0.field("text", content.compactTrailing.text)
            }
            writer.object("minimal") {
                $0.field("text", content.minimal.text)
                $0.field("flash", ifPresent: content.minimal.flash)
            }
            writer.object("expanded") { write(content.expanded, to: &$0) }
            writer.object("lockScreen") {
                $0.field("line", content.lockScreen.line)
                $0.field("sub", ifPresent: content.lockScreen.sub)
            }
            writer.object("small") {
                $0.field("top", content.small.top)
                $0.field("bottom", content.small.bottom)
                $0.field("line", content.small.line)
            }
            if let progress = content.progress { writer.number("progress", progress) }
        }
    }

    /// The JSON of an activity's attributes.
    ///
    /// - Parameter attributes: The attributes to encode.
    /// - Returns: Compact JSON in UTF-8.
    public static func bytes(of attributes: LiveActivityAttributes) -> [UInt8] {
        JSONWriter.document(reservingBytes: 512) { writer in
            writer.field("matchId", attributes.matchId)
            writer.objects("teams", attributes.teams) { team, json in
                json.field("id", team.id)
                json.field("name", team.name)
                json.field("abbr", team.abbr)
                json.field("color", ifPresent: team.color)
            }
            writer.field("competition", ifPresent: attributes.competition)
            writer.field("format", attributes.format)
            writer.field("channelId", ifPresent: attributes.channelId)
            writer.field("deepLink", attributes.deepLink)
        }
    }

    private static func write(_ expanded: LiveActivityAttributes.Expanded, to writer: inout JSONWriter) {
        writer.objects("teams", expanded.teams) { row, json in
            json.field("abbr", row.abbr)
            json.field("score", row.score)
            json.field("overs", ifPresent: row.overs)
            json.field("batting", row.batting)
        }
        if !expanded.batters.isEmpty {
            writer.objects("batters", expanded.batters) { batter, json in
                json.field("name", batter.name)
                json.field("runs", batter.runs)
                json.field("balls", batter.balls)
                json.field("onStrike", batter.onStrike)
            }
        }
        if let bowler = expanded.bowler {
            writer.object("bowler") {
                $0.field("name", bowler.name)
                $0.field("figures", bowler.figures)
                $0.field("overs", bowler.overs)
            }
        }
        if !expanded.recent.isEmpty { writer.strings("recent", expanded.recent) }
        writer.field("line", expanded.line)
        if let event = expanded.event {
            writer.object("event") {
                $0.field("kind", event.kind)
                $0.field("text", event.text)
            }
        }
    }
}
