// The pages of the console are declared like the routes of the admin API, so that each has its role.

import HTTPTypes

extension AdminRoute {
    static let overviewPage = page("overview", "")
    static let matchesPage = page("matches", "/matches", query: ["state", "q"])
    static let matchPage = page("match", "/matches/{id}")
    static let revisionPage = page("revision", "/matches/{id}/revisions/{rev}")
    static let feedsPage = page("feeds", "/feeds")
    static let pushPage = page("push", "/push")
    static let activitiesPage = page("activities", "/activities")
    static let auditPage = page("audit", "/audit", query: AuditFilter.names)
    static let consoleEvents = read("console.events", "/events")
    static let preview = read(
        "match.preview",
        "/matches/{id}/preview",
        query: ["rev", "layout", "scheme", "screen", "condition"]
    )

    /// All of them.
    static let consolePages = [
        overviewPage, matchesPage, matchPage, revisionPage, feedsPage, pushPage, activitiesPage, auditPage,
        consoleEvents,
        preview,
    ]

    private static func page(_ name: String, _ path: String, query: [String] = []) -> AdminRoute {
        AdminRoute(method: .get, path: "/admin\(path)", action: "console.\(name)", permission: .read, query: query)
    }
}
