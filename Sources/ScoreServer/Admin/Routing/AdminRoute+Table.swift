// The table of all routes that require a role.

import HTTPTypes

extension AdminRoute {
    /// All declared routes; the router of the internal listener has no other one that requires a role.
    static let all: [AdminRoute] =
        reads + feedReads + alertReads + matchRepairs + consolePages + people + feedWrites + matchWrites + tableWrites
        + accessWrites + pushRoutes + sweepRoutes + nodeRoutes + diagnosticRoutes + [.putFlag]

    // MARK: Reads

    static let overview = read("overview.read", "/overview")
    static let feeds = read("feeds.read", "/feeds")
    static let matches = read("matches.read", "/matches")
    static let match = read("match.read", "/matches/{id}")
    static let pipeline = read("pipeline.read", "/pipeline")
    static let overrides = read("overrides.read", "/matches/{id}/overrides")
    static let matchLog = read("match.log.read", "/matches/{id}/log", query: ["item", "after", "limit"])
    static let aliases = read("aliases.read", "/aliases", query: ["after", "limit"])
    static let audit = read("audit.read", "/audit", query: AuditFilter.names)
    static let auditCheck = read("audit.verify", "/audit/verify", query: ["after"])
    static let tokens = read("admin-tokens.read", "/admin-tokens", query: ["after", "limit"], .administer)
    static let session = read("session.read", "/session", .any)
    static let flags = read("flags.read", "/flags")

    private static let reads = [
        overview, feeds, matches, match, pipeline, overrides, matchLog, aliases, audit, auditCheck, tokens, session,
        flags,
    ]

    // MARK: Feeds

    static let pauseFeed = write("feed.pause", "/feeds/{id}/pause", .operate)
    static let resumeFeed = write("feed.resume", "/feeds/{id}/resume", .operate)
    static let pollFeed = write("feed.poll-now", "/feeds/{id}/poll-now", .operate)
    static let resetFeed = write("feed.reset-breaker", "/feeds/{id}/reset-breaker", .operate)

    private static let feedWrites = [pauseFeed, resumeFeed, pollFeed, resetFeed]

    // MARK: Matches

    static let holdMatch = write("match.hold", "/matches/{id}/hold", .operate)
    static let releaseMatch = write("match.release", "/matches/{id}/release", .operate)
    static let endActivities = write("match.end-activities", "/matches/{id}/end-activities", .administer).destructive
    static let setOverride = write("match.override", "/matches/{id}/overrides", .administer).withBody
    static let liftOverride = write("match.override.lift", "/matches/{id}/overrides/lift", .administer).withBody

    private static let matchWrites = [holdMatch, releaseMatch, endActivities, setOverride, liftOverride]

    // MARK: Aliases

    static let putAliases = write("aliases.put", "/aliases", .administer).withBody
    static let removeAlias = write("aliases.remove", "/aliases/remove", .administer).withBody

    private static let tableWrites = [putAliases, removeAlias]

    // MARK: Switches

    static let putFlag = write("flag.put", "/flags/{id}", .administer, by: .put).withBody

    // MARK: Access

    static let createToken = write("admin-token.create", "/admin-tokens", .administer).withBody
    static let revokeToken = write("admin-token.revoke", "/admin-tokens/{id}", .administer, by: .delete).destructive
    static let openSession = write("session.open", "/session", .any).withoutReason
    static let closeSession = write("session.close", "/session", .any, by: .delete).withoutReason

    private static let accessWrites = [createToken, revokeToken, openSession, closeSession]

    private var withoutReason: AdminRoute {
        var route = self
        route.needsReason = false
        return route
    }
}
