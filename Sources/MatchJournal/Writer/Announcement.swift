// People follow matches days ahead, so a list of matches creates them, and moves their start.

internal import MatchEngine
internal import ScoreTypes

/// The frame of a match that has not begun, by the entry of a list.
enum Announcement {
    /// The frame without overrides; nil for a match in play, and for an entry that would withdraw what a reply has
    /// shown.
    static func frame(of fixture: Fixture, over record: MatchRecord, feed: SnapshotFrame?) -> SnapshotFrame? {
        guard record.deliveries.isEmpty, record.innings.isEmpty, feed?.result == nil,
            let info = info(of: fixture, over: feed?.info)
        else { return nil }
        let before = feed?.status ?? record.status
        let status = status(of: fixture, over: before.status) ?? before
        return SnapshotFrame(MatchSnapshot(info: info, status: status))
    }

    /// The frame; nil when the entry is too poor for one.
    private static func info(of fixture: Fixture, over known: MatchInfo?) -> MatchInfo? {
        guard var info = known else { return first(fixture) }
        if let startsAt = fixture.startsAt { info.startsAt = startsAt }
        if let venue = fixture.venue { info.venue = venue }
        if info.competition == nil { info.competition = fixture.competition }
        info.teams = sides(fixture.teams, over: info.teams)
        return info
    }

    /// Finalists replace `to be announced`; a known side keeps its position and its players.
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

    /// A list changes a status late, so it sets only those that a match's own page does not have.
    private static func status(of fixture: Fixture, over known: MatchStatus) -> StatusReport? {
        switch (fixture.status, known) {
        case (.postponed?, _), (.cancelled?, _), (.startDelayed?, .scheduled), (.abandonedNoBall?, _):
            fixture.status == known ? nil : fixture.status.map { StatusReport(status: $0) }
        case (.scheduled?, .postponed), (.scheduled?, .cancelled): StatusReport(status: .scheduled)
        default: nil
        }
    }
}
