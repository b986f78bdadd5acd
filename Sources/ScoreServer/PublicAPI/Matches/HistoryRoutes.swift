// Reads of a match that its newest state does not answer: a past revision, and the balls of an over.

import Hummingbird
import ScoreTypes

extension MatchRoutes {
    /// Adds the routes that read the journal.
    func addHistory(to router: PublicRouter) {
        router.add(.get, "/v1/matches/{id}/revisions/{rev}", .anybody, .read, query: nil) { try await revision($0) }
        router.add(.get, "/v1/matches/{id}/innings/{n}/overs/{o}", .anybody, .read, query: nil) { try await over($0) }
    }

    private func revision(_ call: Call) async throws -> Response {
        let number = try call.integer("rev", 1...999_999_999_999)
        let view = try await find(call)
        guard number <= view.revision.number, let past = try await matches.history.revision(number, of: view) else {
            throw ServiceProblem(.notFound, "Nothing was published at this revision.")
        }
        return past.answer.response(to: call.request, cacheControl: past.cacheControl)
    }

    private func over(_ call: Call) async throws -> Response {
        let ordinal = try Int(call.integer("n", 1...99))
        let number = try Int(call.integer("o", 0...999))
        let view = try await find(call)
        guard let over = try await matches.history.over(number, ofInnings: ordinal, of: view) else {
            throw ServiceProblem(.notFound, "No ball of this over is known.")
        }
        return over.answer.response(to: call.request, cacheControl: over.cacheControl)
    }
}
