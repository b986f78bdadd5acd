// A person's choices for one followed match, and the server's answers about follows.

/// A person's choices for one match.
public struct FollowChoices: Codable, Sendable, Hashable {
    /// The moments that alert.
    public enum Moment: String, Codable, Sendable, Hashable, CaseIterable { case wicket, milestone, result, start }

    /// The surfaces beside the Live Activity that show the match.
    public enum Surface: String, Codable, Sendable, Hashable, CaseIterable {
        case widget, control, lockAccessory, standby
    }

    /// The id of the team that the person supports; only its moments alert then.
    public var teamIntent: String?
    /// The moments that alert.
    public var moments: Set<Moment>
    /// Whether the match is shown as a Live Activity.
    public var liveActivity: Bool
    /// The other surfaces that show the match.
    public var surfaces: Set<Surface>

    /// Makes choices; the default is every moment and every surface.
    public init(
        teamIntent: String? = nil,
        moments: Set<Moment> = Set(Moment.allCases),
        liveActivity: Bool = true,
        surfaces: Set<Surface> = Set(Surface.allCases)
    ) {
        self.teamIntent = teamIntent
        self.moments = moments
        self.liveActivity = liveActivity
        self.surfaces = surfaces
    }
}

/// A followed match as the client knows it.
public struct FollowedMatch: Codable, Sendable, Hashable {
    /// The person's choices.
    public var choices: FollowChoices
    /// The channel on which the app may start the match's activity; nil for none.
    public var channelID: String?
    /// The sequence number of the change that the server has confirmed last; 0 for none.
    var confirmed: Int64 = 0

    init(_ choices: FollowChoices) { self.choices = choices }
}

/// The body of `PUT /v1/devices/me/follows/{matchId}`.
struct FollowRequest: Encodable {
    var teamIntent: String?
    var surfaces: Surfaces
    var clientSeq: Int64

    struct Surfaces: Encodable {
        var liveActivity: Bool
        var alerts: [String]
        var widget: Bool
        var control: Bool
        var lockAccessory: Bool
        var standby: Bool
    }

    init(_ choices: FollowChoices, sequence: Int64) {
        teamIntent = choices.teamIntent
        surfaces = Surfaces(
            liveActivity: choices.liveActivity,
            alerts: choices.moments.map(\.rawValue).sorted(),
            widget: choices.surfaces.contains(.widget),
            control: choices.surfaces.contains(.control),
            lockAccessory: choices.surfaces.contains(.lockAccessory),
            standby: choices.surfaces.contains(.standby)
        )
        clientSeq = sequence
    }
}

/// A follow in an answer; unknown moments of a newer server are ignored.
struct FollowItem: Decodable, Sendable {
    struct Surfaces: Decodable, Sendable {
        var liveActivity: Bool?
        var alerts: [String]?
        var widget: Bool?
        var control: Bool?
        var lockAccessory: Bool?
        var standby: Bool?
    }

    var matchId: String
    /// The team's id; a server may answer only with its position in `team`.
    var teamIntent: String?
    var team: Int?
    var surfaces: Surfaces?
    var channelId: String?
    var clientSeq: Int64?
    var changedAtMs: Int64?

    /// The choices; the team is kept from `known` where the answer does not name it and the server has one.
    func choices(knowing known: FollowChoices?) -> FollowChoices {
        let hidden: [(FollowChoices.Surface, Bool?)] = [
            (.widget, surfaces?.widget), (.control, surfaces?.control), (.lockAccessory, surfaces?.lockAccessory),
            (.standby, surfaces?.standby),
        ]
        return FollowChoices(
            teamIntent: teamIntent ?? (team == 0 ? nil : known?.teamIntent),
            moments: surfaces?.alerts.map { Set($0.compactMap(FollowChoices.Moment.init)) }
                ?? Set(FollowChoices.Moment.allCases),
            liveActivity: surfaces?.liveActivity ?? true,
            surfaces: Set(hidden.filter { $0.1 ?? true }.map(\.0))
        )
    }
}

/// The body of `GET /v1/devices/me/follows`.
struct FollowListAnswer: Decodable, Sendable {
    var items: [FollowItem]
}
