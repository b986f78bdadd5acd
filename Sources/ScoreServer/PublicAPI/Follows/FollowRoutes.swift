// Routes by which a phone copies its follows to the server.

import FollowService
import HTTPTypes
import Hummingbird
import MatchEngine
import NIOCore
import ScoreTypes

/// `/v1/devices/me/follows…`.
struct FollowRoutes: Sendable {
    let dependencies: PublicDependencies

    /// Adds the routes.
    func add(to router: PublicRouter) {
        router.add(.get, "/v1/devices/me/follows", .device, .read) { try await list($0) }
        router.add(.put, "/v1/devices/me/follows", .device, .write) { try await replace($0) }
        router.add(.put, "/v1/devices/me/follows/{matchId}", .device, .write) { try await put($0) }
        router.add(.delete, "/v1/devices/me/follows/{matchId}", .device, .write, query: ["clientSeq"]) {
            try await remove($0)
        }
    }

    private func list(_ call: Call) async throws -> Response {
        let follows = try await dependencies.follows.list(call.owner())
        let infos = try await infos(supportedIn: follows)
        let bytes = JSONWriter.document { json in
            json.array("items") { json in
                for follow in follows.sorted(by: { $0.match < $1.match }) {
                    follow.json(info: infos[follow.match]).write(into: &json)
                }
            }
        }
        return Answer.conditional(call.request, bytes, cacheControl: "private, no-cache")
    }

    private func put(_ call: Call) async throws -> Response {
        let device = try call.owner()
        let match = try call.parameter("matchId", as: MatchID.self)
        var fields = FieldReader(try await call.json(max: ServerLimits.bodyBytes))
        let view = try await dependencies.matches.existingView(of: match)
        let settings = fields.followSettings(of: match, info: view.info)
        let sequence = fields.clientSequence()
        try fields.finish()
        let outcome = try await dependencies.follows.put(settings, of: device, clientSequence: sequence)
        let (follow, isNew) = try await stored(outcome)
        let channel = try await channel(for: follow)
        return Answer.json(follow.json(channel: channel, info: view.info).bytes, status: isNew ? .created : .ok)
    }

    /// The channel on which the app may start the match's activity by itself; nil when there is none for this device.
    private func channel(for follow: Follow) async throws -> ChannelID? {
        guard follow.settings.wantsActivity, let device = try await dependencies.devices.find(follow.device),
            device.abilities.contains(.channels)
        else { return nil }
        let isDefault =
            follow.settings.alerts.isComplete && follow.settings.teamIntent == .neither
            && device.quietHours == nil && device.abilities.contains(.alerts)
        let decoded = device.startVariant == .portable ? SurfaceRenderer.attributesType : dependencies.attributesType
        return try await dependencies.channels.channels(of: follow.match).last { channel in
            channel.environment == device.environment && channel.attributesType == decoded
                && channel.profile == (isDefault ? .loud : .quiet) && channel.isCurrent
        }?.channel
    }

    private func remove(_ call: Call) async throws -> Response {
        let match = try call.parameter("matchId", as: MatchID.self)
        let sequence = try call.clientSequence()
        let device = try call.owner()
        _ = try await stored(try await dependencies.follows.remove(match, of: device, clientSequence: sequence))
        await end([match], on: device, before: sequence)
        return Answer.empty()
    }

    private func replace(_ call: Call) async throws -> Response {
        let device = try call.owner()
        let json = try await call.json(max: ServerLimits.listBodyBytes)
        let known = try await infos(named: json)
        var fields = FieldReader(json)
        let (follows, sequence) = fields.followList(known: known)
        try fields.finish()
        // An unknown match is not stored; one that its provider removed may return, so its follow stays.
        let ignored = follows.map(\.match).filter { known[$0] == nil }
        let outcome = try await dependencies.follows.replaceAll(
            follows.filter { known[$0.match] != nil },
            keeping: Set(ignored),
            of: device,
            clientSequence: sequence
        )
        switch outcome {
        case .replaced(let change):
            await end(change.removed, on: device, before: sequence)
            return try await answer(change, ignored: ignored)
        case .outdated(let newest): throw ServiceProblem.stale(newest)
        case .limitReached: throw Self.tooMany
        case .unknownDevice: throw ServiceProblem(.invalidCredential)
        }
    }

    /// The matches that a list names, from the cache or else from the journal.
    private func infos(named body: JSONElement) async throws -> [MatchID: MatchInfo] {
        guard let items = body["follows"]?.elements, items.count <= ServerLimits.followsPerBody else { return [:] }
        return try await infos(of: items.compactMap { $0["matchId"]?.string.flatMap { MatchID($0) } })
    }

    /// The matches in which the person supports a team.
    private func infos(supportedIn follows: [Follow]) async throws -> [MatchID: MatchInfo] {
        try await infos(of: follows.filter { $0.settings.teamIntent != .neither }.map(\.match))
    }

    private func infos(of matches: [MatchID]) async throws -> [MatchID: MatchInfo] {
        var infos: [MatchID: MatchInfo] = [:]
        for match in matches {
            do {
                infos[match] = try await dependencies.matches.view(of: match)?.info
            } catch let problem as ServiceProblem where problem.kind == .matchRemoved {
                continue
            }
        }
        return infos
    }

    /// Stops the fan-out to the activities of unfollowed matches at once and ends them on the phone by a push.
    ///
    /// An activity that was registered with a greater client sequence stays.
    private func end(_ unfollowed: [MatchID], on device: DeviceID, before clientSequence: Int64) async {
        var ends: [EndingActivity] = []
        for match in unfollowed {
            // A failure leaves the activity to the next reconcile, which lists it as one to end.
            let begun = try? await dependencies.activities.beginEnd(
                match: match,
                device: device,
                before: clientSequence,
                reason: .unfollowed
            )
            if let begun { ends.append(begun) }
        }
        if !ends.isEmpty { await dependencies.endActivities(ends) }
    }

    private static let tooMany = ServiceProblem(
        .tooManyFollows,
        "A device follows at most \(FollowLimits.followsPerDevice) matches that are not over.",
        extras: ["limit": .whole(FollowLimits.followsPerDevice)]
    )

    /// The follow as it is stored now, and whether it is new; throws the problem of a follow that was not stored.
    private func stored(_ outcome: FollowOutcome) async throws -> (follow: Follow, isNew: Bool) {
        switch outcome {
        case .stored(let follow, let isNew): return (follow, isNew)
        case .unchanged(let follow): return (follow, false)
        case .outdated(let follow):
            let info = try await infos(supportedIn: [follow])[follow.match]
            let current = follow.isFollowed ? follow.json(info: info) : nil
            throw ServiceProblem.stale(follow.clientSequence, current: current)
        case .limitReached: throw Self.tooMany
        case .unknownDevice: throw ServiceProblem(.invalidCredential)
        }
    }

    private func answer(_ change: FollowListChange, ignored: [MatchID]) async throws -> Response {
        let infos = try await infos(supportedIn: change.follows)
        let bytes = JSONWriter.document { json in
            json.array("items") { json in
                for follow in change.follows { follow.json(info: infos[follow.match]).write(into: &json) }
            }
            json.array("added", change.added)
            json.array("removed", change.removed)
            json.array("outdated", change.outdated)
            json.array("ignored", ignored)
        }
        return Answer.json(bytes)
    }
}
