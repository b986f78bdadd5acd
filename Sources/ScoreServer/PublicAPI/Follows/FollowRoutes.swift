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
        let device = try call.owner()
        let follows = try await dependencies.follows.list(device)
        let context = try await dependencies.context(of: follows, of: device)
        let bytes = JSONWriter.document { json in json.follows("items", follows, context) }
        return Answer.conditional(call.request, bytes, cacheControl: "private, no-cache")
    }

    private func put(_ call: Call) async throws -> Response {
        let device = try call.owner()
        let match = try call.parameter("matchId", as: MatchID.self)
        var fields = FieldReader(try await call.json(max: ServerLimits.bodyBytes))
        let view = try await dependencies.matches.existingView(of: match)
        let settings = fields.followSettings(of: match, view: view)
        let sequence = fields.clientSequence()
        try fields.finish()
        let outcome = try await dependencies.follows.put(settings, of: device, clientSequence: sequence)
        let (follow, isNew) = try await stored(outcome)
        return Answer.json(try await json(of: follow).bytes, status: isNew ? .created : .ok)
    }

    private func json(of follow: Follow) async throws -> JSONValue {
        follow.json(try await dependencies.context(of: [follow], of: follow.device))
    }

    private func remove(_ call: Call) async throws -> Response {
        let match = try call.parameter("matchId", as: MatchID.self)
        let sequence = try call.clientSequence()
        let device = try call.owner()
        let outcome = try await dependencies.follows.remove(
            match,
            of: device,
            clientSequence: sequence,
            // While it cannot be found out, the unfollow is stored.
            isKnown: (try? await dependencies.isKnown(match)) ?? true
        )
        _ = try await stored(outcome)
        await end([match], on: device, before: sequence)
        return Answer.empty()
    }

    private func replace(_ call: Call) async throws -> Response {
        let device = try call.owner()
        let json = try await call.json(max: ServerLimits.listBodyBytes)
        let known = try await views(named: json)
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
            let context = try await dependencies.context(of: change.follows, of: device)
            return Self.answer(change, context, ignored: ignored)
        case .outdated(let newest): throw ServiceProblem.stale(newest)
        case .limitReached: throw Self.tooMany
        case .unknownDevice: throw ServiceProblem(.invalidCredential)
        }
    }

    /// The matches that a list names, from the cache or else from the journal.
    private func views(named body: JSONElement) async throws -> [MatchID: MatchView] {
        guard let items = body["follows"]?.elements, items.count <= ServerLimits.followsPerBody else { return [:] }
        return try await dependencies.views(of: items.compactMap { $0["matchId"]?.string.flatMap { MatchID($0) } })
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
            let current = follow.isFollowed ? try await json(of: follow) : nil
            throw ServiceProblem.stale(follow.clientSequence, current: current)
        case .limitReached: throw Self.tooMany
        case .unknownDevice: throw ServiceProblem(.invalidCredential)
        }
    }

    private static func answer(_ change: FollowListChange, _ context: FollowContext, ignored: [MatchID]) -> Response {
        let bytes = JSONWriter.document { json in
            json.follows("items", change.follows, context)
            json.array("added", change.added)
            json.array("removed", change.removed)
            json.array("outdated", change.outdated)
            json.array("ignored", ignored)
        }
        return Answer.json(bytes)
    }
}
