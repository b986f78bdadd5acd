// The requests of the changes, one route each.

internal import Foundation

extension ClientState {
    /// The request of a change; a repetition has the same content, so that it has no effect.
    func request(for change: PendingChange, at now: ClientInstant) -> ClientRequest {
        let sequence = change.sequence
        switch change.operation {
        case .follow(let match, let choices):
            return Self.json(.put, Self.followPath(match), FollowRequest(choices, sequence: sequence))
        case .unfollow(let match):
            return ClientRequest(.delete, Self.followPath(match), query: Self.query(sequence))
        case .setToken(let name, let token):
            let body = TokenBody(
                token: token,
                apnsEnvironment: environment,
                attributesType: name == .pushToStart ? Self.attributesType : nil,
                clientSeq: sequence
            )
            return Self.json(.put, Self.tokenPath(name), body)
        case .removeToken(let name):
            return ClientRequest(.delete, Self.tokenPath(name), query: Self.query(sequence))
        case .reportActivity(let id, let match, let address, let startedAt, let byPush, let revision):
            var body = ActivityReportBody(
                matchId: match,
                apnsEnvironment: environment,
                startedAtMs: startedAt,
                sentAtMs: now.wall,
                startedBy: byPush ? "push" : "app",
                lastAppliedRev: revision,
                attributesType: Self.attributesType,
                clientSeq: sequence
            )
            switch address {
            case .token(let token): body.token = token
            case .channel(let channel): body.channelId = channel
            }
            return Self.json(.put, Self.activityPath(id), body)
        case .endActivity(let id, _, let cause):
            let reason = URLQueryItem(name: "reason", value: cause.rawValue)
            return ClientRequest(.delete, Self.activityPath(id), query: Self.query(sequence) + [reason])
        case .describeDevice(let description):
            return Self.json(.patch, "/v1/devices/me", description.patch(sequence: sequence))
        }
    }

    /// The Swift type of the attributes that this package declares.
    private static let attributesType = "LiveActivityAttributes"

    private var environment: String { (record.description?.apnsEnvironment ?? .production).rawValue }

    private static func followPath(_ match: String) -> String {
        "/v1/devices/me/follows/\(ClientRequest.segment(match))"
    }

    private static func tokenPath(_ name: DeviceTokenName) -> String { "/v1/devices/me/push-tokens/\(name.rawValue)" }

    private static func activityPath(_ id: String) -> String {
        "/v1/devices/me/activities/\(ClientRequest.segment(id))"
    }

    private static func query(_ sequence: Int64) -> [URLQueryItem] {
        [URLQueryItem(name: "clientSeq", value: String(sequence))]
    }
}
