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
            writer.key("compactLeading")
            writer.object {
                $0.field("teamAbbr", content.compactLeading.teamAbbr)
                $0.field("score", content.compactLeading.score)
            }
            writer.key("compactTrailing")
            writer.object {
                $0.field("overs", ifPresent: content.compactTrailing.overs)
                $0.field("runRate", ifPresent: content.compactTrailing.runRate)
                $0.field("text", content.compactTrailing.text)
            }
            writer.key("minimal")
            writer.object {
                $0.field("text", content.minimal.text)
                $0.field("flash", ifPresent: content.minimal.flash)
            }
            writer.key("expanded")
            writer.object { write(content.expanded, to: &$0) }
            writer.key("lockScreen")
            writer.object {
                $0.field("line", content.lockScreen.line)
                $0.field("sub", ifPresent: content.lockScreen.sub)
            }
            writer.key("small")
            writer.object {
                $0.field("top", content.small.top)
                $0.field("bottom", content.small.bottom)
                $0.field("line", content.small.line)
            }
            if let progress = content.progress {
                writer.key("progress")
                writer.number(progress)
            }
        }
    }

    /// The JSON of an activity's attributes.
    ///
    /// - Parameter attributes: The attributes to encode.
    /// - Returns: Compact JSON in UTF-8.
    public static func bytes(of attributes: LiveActivityAttributes) -> [UInt8] {
        JSONWriter.document(reservingBytes: 512) { writer in
            writer.field("matchId", attributes.matchId)
            writer.key("teams")
            writer.array { list in
                for team in attributes.teams {
                    list.object {
                        $0.field("id", team.id)
                        $0.field("name", team.name)
                        $0.field("abbr", team.abbr)
                        $0.field("color", ifPresent: team.color)
                    }
                }
            }
            writer.field("competition", ifPresent: attributes.competition)
            writer.field("format", attributes.format)
            writer.field("deepLink", attributes.deepLink)
        }
    }

    private static func write(_ expanded: LiveActivityAttributes.Expanded, to writer: inout JSONWriter) {
        writer.key("teams")
        writer.array { list in
            for row in expanded.teams {
                list.object {
                    $0.field("abbr", row.abbr)
                    $0.field("score", row.score)
                    $0.field("overs", ifPresent: row.overs)
                    $0.field("batting", row.batting)
                }
            }
        }
        if !expanded.batters.isEmpty {
            writer.key("batters")
            writer.array { list in
                for batter in expanded.batters {
                    list.object {
                        $0.field("name", batter.name)
                        $0.field("runs", batter.runs)
                        $0.field("balls", batter.balls)
                        $0.field("onStrike", batter.onStrike)
                    }
                }
            }
        }
        if let bowler = expanded.bowler {
            writer.key("bowler")
            writer.object {
                $0.field("name", bowler.name)
                $0.field("figures", bowler.figures)
                $0.field("overs", bowler.overs)
            }
        }
        if !expanded.recent.isEmpty {
            writer.key("recent")
            writer.array { list in
                for mark in expanded.recent { list.string(mark) }
            }
        }
        writer.field("line", expanded.line)
        if let event = expanded.event {
            writer.key("event")
            writer.object {
                $0.field("kind", event.kind)
                $0.field("text", event.text)
            }
        }
    }
}
