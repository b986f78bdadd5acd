// The pages of the console are declared like the routes of the admin API, so that each has its role.

import HTTPTypes

extension AdminRoute {
    static let overviewPage = page("overview", "")
    static let matchesPage = page("matches", "/matches", query: ["state", "q"])
    static let matchPage = page("match", "/matches/{id}")
    static let phonesPage = page("phones", "/matches/{id}/phones")
    static let revisionPage = page("revision", "/matches/{id}/revisions/{rev}")
    static let feedsPage = page("feeds", "/feeds")
    static let alertsPage = page("alerts", "/alerts")
    static let pushPage = page("push", "/push")
    static let apnsPage = page("apns", "/apns")
    static let pushesPage = page("pushes", "/pushes", query: PushFilter.names)
    static let pushAttemptPage = page("push-attempt", "/pushes/{id}")
    static let deadLettersPage = page("dead-letters", "/dead-letters")
    static let auditPage = page("audit", "/audit", query: AuditFilter.names)
    static let sweepsPage = page("sweeps", "/sweeps")
    static let nodesPage = page("nodes", "/nodes")
    static let flagsPage = page("flags", "/flags")
    static let configurationPage = page("configuration", "/configuration")
    static let runbooksPage = page("runbooks", "/runbooks")
    static let runbookPage = page("runbook", "/runbooks/{name}")
    static let consoleEvents = read("console.events", "/events")
    static let preview = read(
        "match.preview",
        "/matches/{id}/preview",
        query: ["rev", "layout", "scheme", "screen", "condition"]
    )

    /// All of them.
    static let consolePages = [
        overviewPage, matchesPage, matchPage, phonesPage, revisionPage, feedsPage, alertsPage, pushPage, apnsPage,
        pushesPage, pushAttemptPage, deadLettersPage, sweepsPage, nodesPage, flagsPage, configurationPage, auditPage,
        runbooksPage, runbookPage, consoleEvents, preview,
    ]

    static func page(_ name: String, _ path: String, query: [String] = []) -> AdminRoute {
        AdminRoute(method: .get, path: "/admin\(path)", action: "console.\(name)", permission: .read, query: query)
    }
}
