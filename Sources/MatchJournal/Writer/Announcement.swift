// People follow matches days ahead, so a list of matches alone has to make them exist, and move their start.

internal import MatchEngine
internal import ScoreTypes

/// What an entry of a provider's list says about a match that has not begun.
enum Announcement {
    /// The match as a list that is believed shows it, without what operators say; nil for a match in play, and for an
    /// entry that would take back what a fuller reply has told.
    static func frame(of fixture: Fixture, over record: MatchRecord, feed: SnapshotFrame?) -> SnapshotFrame? {
        guard record.deliveries.isEmpty, record.innings.isEmpty, feed?.result == nil,
            let info = info(of: fixture, over: feed?.info)
        else { return nil }
        let before = feed?.status ?? record.status
        let status = status(of: fixture, over: before.status) ?? before
        return SnapshotFrame(MatchSnapshot(info: info, status: status))
    }

    /// The frame; nil when the list does not say enough to draw a match.
    private static func info(of fixture: Fixture, over known: MatchInfo?) -> MatchInfo? {
        guard var info = known else { return first(fixture) }
        if let startsAt = fixture.startsAt { info.startsAt = startsAt }
        if let venue = fixture.venue { info.venue = venue }
        if info.competition == nil { info.competition = fixture.competition }
        info.teams = sides(fixture.teams, over: info.teams)
        return info
    }

    /// Finalists take the place of `to be announced`; a side that is known keeps its place, for which people may have
    /// chosen it, and its players.
    private static func sides(_ listed: [TeamInfo], over known: [TeamInfo]) -> [TeamInfo] {
        guard listed.count == 2, known.count == 2 else { return listed.count == 2 ? listed : known }
        var coming = listed
        let kept = known.map { team -> TeamInfo? in
            guard let place = coming.firstIndex(where: { $0.id == team.id }) else { return nil }
            coming.remove(at: place)
            return team
        }
        return kept.map { $0 ?? coming.removeFirst() }
    }

    private static func first(_ fixture: Fixture) -> MatchInfo? {
        guard fixture.teams.count == 2, fixture.teams.allSatisfy({ !$0.name.isEmpty }), let format = fixture.format
        else { return nil }
        return MatchInfo(
            format: format,
            competition: fixture.competition,
            ballLimit: format.ballLimit,
            teams: fixture.teams,
            venue: fixture.venue,
            startsAt: fixture.startsAt
        )
    }

    /// A list says late what a match's own page says early, so it only moves what it alone knows.
    private static func status(of fixture: Fixture, over known: MatchStatus) -> StatusReport? {
        switch (fixture.status, known) {
        case (.postponed?, _), (.cancelled?, _), (.startDelayed?, .scheduled), (.abandonedNoBall?, _):
            fixture.status == known ? nil : fixture.status.map { StatusReport(status: $0) }
        case (.scheduled?, .postponed), (.scheduled?, .cancelled): StatusReport(status: .scheduled)
        default: nil
        }
    }
}
