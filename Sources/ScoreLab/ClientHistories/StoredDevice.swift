// A device is read back through the API, and compared with the last choices of the person.

import Foundation
import PushDispatcher
import ScoreClient
import ScoreTypes

/// A device as the server answers about it.
struct StoredDevice: Sendable {
    private struct Follows: Decodable {
        struct Item: Decodable {
            var matchId: String
            var teamIntent: String?
            var surfaces: Surfaces
        }

        struct Surfaces: Decodable {
            var liveActivity: Bool
            var alerts: [String]
            var widget: Bool
            var control: Bool
            var lockAccessory: Bool
            var standby: Bool
        }

        var items: [Item]
    }

    private struct Profile: Decodable {
        struct Token: Decodable { var fingerprint: String }

        var timeZone: String?
        var stringsVersion: Int
        var liveActivitiesEnabled: Bool
        var alertsEnabled: Bool
        var quietHours: DeviceDescription.QuietHours?
        var pushTokens: [String: Token]
    }

    private let follows: [String: FollowChoices]
    private let profile: Profile

    /// Reads the device of a credential; nil when the server does not accept the credential.
    init?(by credential: String, over transport: any ClientTransport) async throws {
        guard let profile = try await Self.read(Profile.self, "/v1/devices/me", by: credential, over: transport),
            let follows = try await Self.read(Follows.self, "/v1/devices/me/follows", by: credential, over: transport)
        else { return nil }
        self.profile = profile
        self.follows = Dictionary(follows.items.map { ($0.matchId, Self.choices(of: $0)) }) { first, _ in first }
    }

    /// The differences from what the person chose last.
    func differences(from choices: PersonChoices) -> [String] {
        var differences: [String] = []
        for (match, chosen) in choices.follows where follows[match] != chosen {
            let stored = follows[match].map { "\($0)" } ?? "not followed"
            differences.append("\(match): stored \(stored), chosen \(chosen.map { "\($0)" } ?? "not followed")")
        }
        for match in follows.keys where choices.follows[match] == nil { differences.append("\(match): never chosen") }
        for (name, token) in choices.tokens {
            let chosen = token.flatMap { PushToken(hex: $0) }.flatMap { Fingerprint(of: $0)?.text }
            let stored = profile.pushTokens[name.rawValue]?.fingerprint
            if stored != chosen { differences.append("\(name): stored \(stored ?? "-"), chosen \(chosen ?? "-")") }
        }
        let device = choices.description
        if profile.quietHours != device.quietHours {
            differences.append("quiet hours: stored \(String(describing: profile.quietHours))")
        }
        if profile.alertsEnabled != device.alertsEnabled { differences.append("alertsEnabled") }
        if profile.liveActivitiesEnabled != device.liveActivitiesEnabled { differences.append("liveActivitiesEnabled") }
        if profile.timeZone != device.timeZone { differences.append("timeZone: stored \(profile.timeZone ?? "-")") }
        if profile.stringsVersion != device.stringsVersion { differences.append("stringsVersion") }
        return differences
    }

    private static func choices(of item: Follows.Item) -> FollowChoices {
        let surfaces: [(FollowChoices.Surface, Bool)] = [
            (.widget, item.surfaces.widget), (.control, item.surfaces.control),
            (.lockAccessory, item.surfaces.lockAccessory), (.standby, item.surfaces.standby),
        ]
        return FollowChoices(
            teamIntent: item.teamIntent,
            moments: Set(item.surfaces.alerts.compactMap(FollowChoices.Moment.init)),
            liveActivity: item.surfaces.liveActivity,
            surfaces: Set(surfaces.filter(\.1).map(\.0))
        )
    }

    /// Reads a resource, again while the server is busy; nil when the credential is not valid.
    private static func read<Body: Decodable>(
        _ type: Body.Type,
        _ path: String,
        by credential: String,
        over transport: any ClientTransport
    ) async throws -> Body? {
        let request = ClientRequest(.get, path, headers: ["authorization": "Bearer \(credential)"])
        for _ in 0..<LabLimits.readTries {
            let response = try await transport.send(request)
            if response.status == 401 { return nil }
            if response.status == 200 { return try JSONDecoder().decode(type, from: response.body) }
            try await Task.sleep(for: LabLimits.readPause)
        }
        throw MeasurementFailure("GET \(path) is not answered")
    }
}
