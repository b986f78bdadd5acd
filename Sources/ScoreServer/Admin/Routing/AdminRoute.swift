// A route of operators is declared once: the router, the actions of a session, the documents and the tests read this.

import HTTPTypes
import ScoreTypes

/// One declared route of the internal listener that requires a role.
struct AdminRoute: Sendable {
    let method: HTTPRequest.Method
    /// The path, with `{id}` for the target.
    let path: String
    /// The dotted name in the audit log and among the permitted actions of a session.
    let action: String
    let permission: AdminPermission
    /// The names of the query of a route that reads.
    var query: [String] = []
    /// Whether the body requires a reason of 3 to 200 characters.
    var needsReason = true
    /// Whether the action cannot be undone: the body has to repeat the target under `confirm`.
    var isDestructive = false
    /// Whether the audit log keeps the body.
    var keepsBody = false
    /// Whether the handler reads further members of the body, and refuses those that it does not know.
    var readsBody = false

    /// Whether the route computes an answer from its body alone.
    var isComputation = false

    /// Whether the route changes nothing; every other route accepts `dryRun`.
    var isRead: Bool { method == .get || isComputation }

    /// A route that reads.
    static func read(_ action: String, _ path: String, query: [String] = [], _ role: AdminPermission = .read) -> Self {
        AdminRoute(method: .get, path: api + path, action: action, permission: role, query: query)
    }

    /// A route that computes an answer from its body, for which nothing is recorded.
    static func compute(_ action: String, _ path: String, query: [String] = []) -> AdminRoute {
        AdminRoute(
            method: .post,
            path: api + path,
            action: action,
            permission: .read,
            query: query,
            needsReason: false,
            isComputation: true
        )
    }

    /// A route that writes.
    static func write(_ action: String, _ path: String, _ role: AdminPermission, by method: HTTPRequest.Method = .post)
        -> AdminRoute
    {
        AdminRoute(method: method, path: api + path, action: action, permission: role)
    }

    /// The same route for an action that cannot be undone.
    var destructive: AdminRoute {
        var route = self
        route.isDestructive = true
        return route
    }

    /// The same route with a body of its own, which the audit log keeps.
    var withBody: AdminRoute {
        var route = self
        (route.readsBody, route.keepsBody) = (true, true)
        return route
    }

    private static let api = "/admin/api/v1"
}
