// Lists of matches are served without folding a ball, so their line is written with each publication.

internal import LiveSurface
internal import MatchEngine
internal import ScoreTypes

extension MatchFacts {
    /// The facts of a folded match at a revision.
    init(_ replica: MatchReplica, match: MatchID, revision: Int64) {
        let info = replica.record.info
        let startsAt = info?.startsAt.flatMap { (0...JournalLimits.startSeconds).contains($0) ? $0 : nil }
        self.init(
            phase: replica.state.phase,
            startsAt: startsAt.map { Instant(milliseconds: $0 * 1000) },
            summary: info.map { Self.summary(replica.state, info: $0, match: match, revision: revision) }
                ?? Array("{}".utf8)
        )
    }

    private static func summary(_ state: MatchState, info: MatchInfo, match: MatchID, revision: Int64) -> [UInt8] {
        let content = ContentStateRenderer.render(state, info: info, revision: revision)
        let attributes = ContentStateRenderer.attributes(of: info, match: match, scheme: "")
        let json = JSONWriter.document { writer in
            writer.key("teams")
            writer.array { list in
                for (team, row) in zip(attributes.teams, content.expanded.teams) {
                    list.object {
                        $0.field("id", team.id)
                        $0.field("name", team.name)
                        $0.field("abbr", team.abbr)
                        $0.field("score", row.score)
                        $0.field("overs", ifPresent: row.overs)
                        $0.field("batting", row.batting)
                    }
                }
            }
            writer.field("competition", ifPresent: attributes.competition)
            writer.field("format", attributes.format)
            writer.field("venue", ifPresent: info.venue)
            writer.field("state", content.matchDisplayState.rawValue)
            writer.field("line", content.lockScreen.line)
        }
        return ChangeCoding.withoutNul(json)
    }
}
