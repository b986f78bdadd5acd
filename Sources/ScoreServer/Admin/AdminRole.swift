// The permissions of each role on the internal listener.

/// A role of an operator or a machine.
enum AdminRole: String, Sendable, Hashable, CaseIterable {
    case viewer, `operator`, admin, scheduler, metrics

    /// Whether the role includes a permission.
    func allows(_ permission: AdminPermission) -> Bool {
        switch permission {
        case .read: self == .viewer || self == .operator || self == .admin
        case .operate: self == .operator || self == .admin
        case .administer: self == .admin
        case .sweep: self == .scheduler || self == .admin
        case .scrape: self == .metrics || self == .admin
        }
    }
}

/// The permission that a route requires.
enum AdminPermission: String, Sendable, Hashable, CaseIterable {
    case read, operate, administer, sweep, scrape

    /// The least role that has it, for the answer to a denied attempt.
    var leastRole: AdminRole {
        switch self {
        case .read: .viewer
        case .operate: .operator
        case .administer: .admin
        case .sweep: .scheduler
        case .scrape: .metrics
        }
    }
}
