// Reads follows from request bodies, and writes a follow for its owner.

import FollowService
import MatchEngine
import ScoreTypes

extension FieldReader {
    /// Reads the body of `PUT /v1/devices/me/follows`; `known` has the matches that exist.
    mutating func followList(known: [MatchID: MatchView]) -> (follows: [FollowSettings], clientSequence: Int64) {
        let follows = list("follows", max: ServerLimits.followsPerBody) { inner in
            let match = inner.identity("matchId", as: MatchID.self)
            return inner.followSettings(of: match, view: known[match])
        }
        let sequence = clientSequence()
        if Set(follows.map(\.match)).count != follows.count {
            complain("follows", code: "duplicate", "expected each match once")
        }
        return (follows, sequence)
    }

    /// Reads settings; a team is named by its id or its abbreviation, and any team is accepted of an unknown match.
    mutating func followSettings(of match: MatchID, view: MatchView?) -> FollowSettings {
        var intent = TeamIntent.neither
        if let team = optional("teamIntent", .text(1...64)), let view {
            switch view.side(named: team) {
            case .first?: intent = .first
            case .second?: intent = .second
            case nil:
                let (first, second) = (view.info.team(.first).id, view.info.team(.second).id)
                complain("teamIntent", code: "unknown", "expected \(first), \(second) or the abbreviation of one")
            }
        }
        let surfaces = nested("surfaces") { inner in
            (
                activity: inner.optional("liveActivity", .flag),
                alerts: inner.elements("alerts", max: AlertKind.allCases.count, .choice(AlertKind.self)),
                others: FollowSurfaces(FollowSurface.allCases.filter { inner.optional($0.rawValue, .flag) ?? true })
            )
        }
        return FollowSettings(
            match: match,
            teamIntent: intent,
            alerts: surfaces?.alerts.map { AlertKinds($0) } ?? .all,
            wantsActivity: surfaces?.activity ?? true,
            surfaces: surfaces?.others ?? .all
        )
    }
}

extension Follow {
    /// The follow as its owner reads it.
    func json(_ context: FollowContext) -> JSONValue {
        func wants(_ surface: FollowSurface) -> JSONValue { .bool(settings.surfaces.contains(surface)) }
        let surfaces: JSONValue = .record([
            "liveActivity": .bool(settings.wantsActivity),
            "alerts": .array(settings.alerts.choices.map { .text($0.rawValue) }), "widget": wants(.widget),
            "control": wants(.control), "lockAccessory": wants(.lockAccessory), "standby": wants(.standby),
        ])
        return .record([
            "matchId": .text(match.text),
            "teamIntent": teamID(in: context.infos[match]).map { .text($0) },
            "team": .whole(settings.teamIntent.rawValue),
            "surfaces": surfaces,
            "clientSeq": .integer(clientSequence),
            "changedAtMs": .integer(changedAt.milliseconds),
            "channelId": context.channels[match].map { .text($0.text) },
        ])
    }

    /// The id of the team that the person supports; nil for none.
    private func teamID(in info: MatchInfo?) -> String? {
        switch settings.teamIntent {
        case .neither: nil
        case .first: info?.team(.first).id
        case .second: info?.team(.second).id
        }
    }
}

extension JSONWriter {
    /// Writes follows in the order of their matches.
    mutating func follows(_ name: StaticString, _ follows: [Follow], _ context: FollowContext) {
        array(name) { json in
            for follow in follows.sorted(by: { $0.match < $1.match }) {
                follow.json(context).write(into: &json)
            }
        }
    }
}
