// The bodies of follows, read strictly, and a follow as its owner reads it.

import FollowService
import MatchEngine
import ScoreTypes

/// The body of `PUT /v1/devices/me/follows/{matchId}`.
struct FollowBody {
    /// The follower's choices.
    let settings: FollowSettings
    /// The device's count of its changes.
    let clientSequence: Int64

    init(reading body: JSONElement, match: MatchID, info: MatchInfo) throws(ServiceProblem) {
        var fields = FieldReader(body)
        settings = fields.followSettings(of: match, info: info)
        clientSequence = fields.integer("clientSeq", 0...Int64.max)
        try fields.finish()
    }
}

/// The body of `PUT /v1/devices/me/follows`.
struct FollowListBody {
    /// The follower's choices for each match, at most ``ServerLimits/followsPerBody``.
    let follows: [FollowSettings]
    /// The device's count of its changes.
    let clientSequence: Int64

    /// Reads the body; `known` has the matches that exist.
    init(reading body: JSONElement, known: [MatchID: MatchInfo]) throws(ServiceProblem) {
        var fields = FieldReader(body)
        follows = fields.list("follows", max: ServerLimits.followsPerBody) { inner in
            let match = inner.identity("matchId", as: MatchID.self)
            return inner.followSettings(of: match, info: known[match])
        }
        clientSequence = fields.integer("clientSeq", 0...Int64.max)
        if Set(follows.map(\.match)).count != follows.count {
            fields.complain("follows", code: "duplicate", "expected each match once")
        }
        try fields.finish()
    }
}

extension FieldReader {
    /// Reads settings; a team is named by its id or its abbreviation, and any team is accepted of an unknown match.
    fileprivate mutating func followSettings(of match: MatchID, info: MatchInfo?) -> FollowSettings {
        var intent = TeamIntent.neither
        if let team = textIfPresent("teamIntent", bytes: 1...64) {
            let place = info?.teams.firstIndex { $0.id == team || $0.abbreviation == team }
            if let place {
                intent = place == 0 ? .first : .second
            } else if info != nil {
                complain("teamIntent", code: "unknown", "expected the id of one of the match's teams")
            }
        }
        let surfaces = nested("surfaces") { inner in
            (
                activity: inner.flagIfPresent("liveActivity"),
                alerts: inner.choicesIfPresent("alerts", as: AlertKind.self),
                others: FollowSurfaces(FollowSurface.allCases.filter { inner.flagIfPresent($0.rawValue) ?? true })
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
    /// The follow as its owner reads it; `channel` is where the app may start the match's activity by itself.
    func json(channel: ChannelID? = nil) -> JSONValue {
        func wants(_ surface: FollowSurface) -> JSONValue { .bool(settings.surfaces.contains(surface)) }
        let surfaces: JSONValue = .record([
            "liveActivity": .bool(settings.wantsActivity),
            "alerts": .array(settings.alerts.choices.map { .text($0.rawValue) }), "widget": wants(.widget),
            "control": wants(.control), "lockAccessory": wants(.lockAccessory), "standby": wants(.standby),
        ])
        let follow: JSONValue = .record([
            "matchId": .text(match.text),
            "team": .integer(Int64(settings.teamIntent.rawValue)),
            "surfaces": surfaces,
            "clientSeq": .integer(clientSequence),
            "changedAtMs": .integer(changedAt.milliseconds),
        ])
        guard let channel, case .object(let members) = follow else { return follow }
        return .object(members + [JSONValue.Member(name: "channelId", value: .text(channel.text))])
    }
}
