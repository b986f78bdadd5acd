// The permissions of each role on the internal listener.

/// A role of an operator or a machine.
enum AdminRole: String, Sendable, Hashable, CaseIterable {
    case viewer, `operator`, admin, scheduler, metrics
}

/// The permission that a route requires.
enum AdminPermission: Sendable {
    case read, operate, administer, sweep
    /// Reads the metrics and nothing else, also while the store cannot check the token of a known scraper.
    case scrape
    /// Any valid token.
    case any

    /// The roles that include it; the answer to a denied attempt names the first.
    var roles: [AdminRole] {
        switch self {
        case .read: [.viewer, .operator, .admin]
        case .operate: [.operator, .admin]
        case .administer: [.admin]
        case .sweep: [.scheduler, .admin]
        case .scrape: [.metrics, .admin]
        case .any: AdminRole.allCases
        }
    }
}
