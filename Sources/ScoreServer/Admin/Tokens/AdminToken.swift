// Operators and machines have bearer tokens that end; a browser's session is a token of its own that ends with them.

import ScoreTypes

/// A stored admin token; its secret is not part of it.
struct AdminToken: Sendable {
    let id: String
    /// The token that opened this session; nil for a token.
    var parentID: String?
    let name: String
    let role: AdminRole
    let digest: SecretDigest
    let createdBy: String
    let createdAt: Instant
    let expiresAt: Instant
    /// Exact to a minute; nil before the first use.
    var lastUsedAt: Instant?
    var revokedAt: Instant?

    /// The state of a token.
    enum State: String, Sendable { case active, expired, revoked }

    func state(at now: Instant) -> State {
        revokedAt != nil ? .revoked : expiresAt <= now ? .expired : .active
    }

    /// Makes a token with a random id and secret; only the credential contains the secret.
    static func make(
        name: String,
        role: AdminRole,
        by author: String,
        at now: Instant,
        lasting life: Duration,
        parent: String? = nil
    ) -> (token: AdminToken, credential: BearerCredential) {
        let id = String(UInt64.random(in: (1 << 60)...UInt64.max), radix: 36)
        let credential = BearerCredential(new: .admin, id: id)
        let token = AdminToken(
            id: id,
            parentID: parent,
            name: name,
            role: role,
            digest: credential.digest,
            createdBy: author,
            createdAt: now,
            expiresAt: now + life
        )
        return (token, credential)
    }

    /// The token for operators, without digest.
    func json(at now: Instant) -> JSONValue {
        .record([
            "id": .text(id), "name": .text(name), "role": .text(role.rawValue),
            "kind": .text(parentID == nil ? "token" : "session"), "parentId": parentID.map { .text($0) },
            "state": .text(state(at: now).rawValue), "createdBy": .text(createdBy),
            "createdAt": .text(createdAt.rfc3339), "expiresAt": .text(expiresAt.rfc3339),
            "lastUsedAt": lastUsedAt.map { .text($0.rfc3339) }, "revokedAt": revokedAt.map { .text($0.rfc3339) },
        ])
    }
}

/// The place of a page's end in the list of tokens.
struct TokenCursor: Sendable, Hashable {
    let createdAt: Instant
    let id: String
}

extension TokenCursor {
    /// Milliseconds since 1970: until the year 2100.
    private static let times: ClosedRange<Int64> = 0...4_102_444_800_000

    /// Reads `<milliseconds since 1970>.<id>`; nil for another form.
    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let milliseconds = Int64(parts[0]), Self.times.contains(milliseconds)
        else { return nil }
        self.init(createdAt: Instant(milliseconds: milliseconds), id: String(parts[1]))
    }

    /// `<milliseconds since 1970>.<id>`.
    var text: String { "\(createdAt.milliseconds).\(id)" }
}

/// A page of tokens and sessions, newest first.
struct TokenPage: Sendable {
    /// The tokens; those with a role of a newer server are left out.
    let tokens: [AdminToken]
    /// The place where the next page begins; nil at the end.
    let next: TokenCursor?
}
