// Public reads of teams and tournaments, which any cache may store for an hour.

import Foundation
import Hummingbird
import ScoreTypes
import Synchronization

/// `GET /v1/teams`, `/v1/teams/{id}`, `/v1/tournaments`.
final class DirectoryRoutes: Sendable {
    private static let lifetime = "public, max-age=3600, stale-while-revalidate=86400"

    private struct Made: Sendable {
        let directory: MatchDirectory
        let at: Duration
    }

    private let matches: MatchCache
    private let clock: ServiceClock
    private let made = Mutex<Made?>(nil)

    init(matches: MatchCache, clock: ServiceClock) { (self.matches, self.clock) = (matches, clock) }

    /// Adds the routes.
    func add(to router: PublicRouter) {
        router.read("/v1/teams") { [self] call in
            let (after, limit) = try Self.place(call.query)
            return answer(directory.teams(after: after, limit: limit), to: call)
        }
        router.read("/v1/teams/{id}") { [self] call in
            let id = call.word("id").removingPercentEncoding ?? ""
            guard let team = directory.team(id) else { throw ServiceProblem(.notFound, "There is no such team.") }
            return answer(team, to: call)
        }
        router.read("/v1/tournaments") { [self] call in
            let (after, limit) = try Self.place(call.query)
            return answer(directory.tournaments(after: after, limit: limit), to: call)
        }
    }

    private func answer(_ stored: StoredAnswer, to call: Call) -> Response {
        stored.response(to: call.request, cacheControl: Self.lifetime)
    }

    /// The directory of the matches in memory, at most ``ServerLimits/directoryAge`` old.
    private var directory: MatchDirectory {
        let now = clock.monotonic
        if let made = made.withLock({ $0 }), now - made.at < ServerLimits.directoryAge { return made.directory }
        let directory = MatchDirectory(of: matches.views())
        made.withLock { $0 = Made(directory: directory, at: now) }
        return directory
    }

    /// The key after which a page begins, and its size.
    private static func place(_ query: QueryFields) throws(ServiceProblem) -> (after: String, limit: Int) {
        let limit = Int(try query.integer("limit", 1...ServerLimits.matchesPerPage) ?? 100)
        guard let cursor = query["cursor"] else { return ("", limit) }
        guard let bytes = Base64URL.bytes(cursor.utf8), let key = String(validating: bytes, as: UTF8.self) else {
            throw .invalid("cursor", "expected the nextCursor of an earlier page")
        }
        return (key, limit)
    }
}
