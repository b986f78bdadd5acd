// The checks between an internal request and its handler: identity, role, origin, body, repetition, audit.

import HTTPTypes
import Hummingbird
import ScoreTypes

/// A change that is stored together with its audit entry.
struct AuditedChange: Sendable {
    /// The number of the entry.
    let number: Int64
    let result: JSONValue
    /// The header with the cookie of a session.
    var cookie: String?
}

/// Checks the permission of an internal request, reads its body and performs it.
struct InternalAdmission: Sendable {
    /// The deadlines of all internal requests.
    static let deadlines = RequestDeadlines(handler: ServerLimits.adminHandlerDeadline)

    /// The handler of a write.
    struct Work: Sendable {
        /// Where the change is stored.
        enum Handler: Sendable {
            /// Elsewhere: an audit entry precedes it.
            case outside(@Sendable (AdminWrite) async throws -> JSONValue)
            /// In the transaction of its audit entry.
            case inside(@Sendable (AdminWrite, AuditEntry) async throws -> AuditedChange)
        }

        let wouldAffect: AdminWrite.Count?
        let handler: Handler
    }

    let authenticator: AdminAuthenticator
    let store: any AdminStore
    let denied: DeniedAttempts
    let idempotency: IdempotencyCache
    /// Whether a proxy on this machine forwards requests of others.
    let isProxied: Bool

    /// Whether a client on this machine is an operator without a token.
    let isOpen: Bool

    init(
        authenticator: AdminAuthenticator,
        store: any AdminStore,
        isProxied: Bool,
        isOpen: Bool,
        clock: ServiceClock
    ) {
        (self.authenticator, self.store) = (authenticator, store)
        (self.isProxied, self.isOpen) = (isProxied, isOpen)
        denied = DeniedAttempts(clock: clock)
        idempotency = IdempotencyCache(clock: clock)
    }

    /// Performs a write once for its idempotency key; a retry gets the first answer, without its cookie.
    func once(
        _ write: AdminWrite,
        _ log: AuditLog,
        _ work: @Sendable () async throws -> AuditedChange
    ) async throws -> Response {
        let header = log.call.request.headers[.idempotencyKey]
        func bytes(_ change: AuditedChange) -> [UInt8] {
            JSONValue.record(["auditId": .integer(change.number), "result": change.result]).bytes
        }
        guard let header else {
            let change = try await work()
            let headers: HTTPFields = change.cookie.map { [.setCookie: $0] } ?? [:]
            return Answer.json(bytes(change), headers: headers)
        }
        let key = "\(write.principal.id) \(log.route.action) \(write.target) \(try IdempotencyCache.key(header))"
        let body = JSONValue(write.body).bytes + (write.isDryRun ? [1] : [0])
        let (answer, isReplay) = try await idempotency.once(key, body: body) { bytes(try await work()) }
        return Answer.json(answer, headers: isReplay ? [.idempotencyReplayed: "true"] : [:])
    }

    /// Performs an admitted write and logs its outcome, also when the client has left.
    func perform(_ write: AdminWrite, _ log: AuditLog, _ work: Work) async throws -> AuditedChange {
        do {
            let result: JSONValue
            if write.isDryRun, let wouldAffect = work.wouldAffect {
                guard let count = try await wouldAffect(write) else { throw ServiceProblem(.notFound) }
                result = .record(["done": .bool(false), "wouldAffect": .integer(count)])
            } else {
                switch work.handler {
                case .outside(let handler): result = try await handler(write)
                case .inside(let handler):
                    let change = try await handler(write, log.entry(write, .done))
                    log.count(.done)
                    return change
                }
            }
            let entry = log.entry(write, .done)
            // A task of its own, since waiting fails in a cancelled task.
            return AuditedChange(number: try await Task { try await log.write(entry) }.value, result: result)
        } catch {
            let entry = log.entry(write, .failed)
            if !write.isDryRun { _ = try await Task { try await log.write(entry) }.value }
            throw error
        }
    }

    /// Whether a request has no credential, valid or not, and needs one.
    func lacksCredential(_ call: Call) -> Bool {
        call.request.headers[.authorization] == nil && SessionCookie.credential(call.request) == nil
            && !(isOpen && isLocal(call))
    }

    /// The principal of a request for a declared route; a refusal is recorded.
    func admit(_ call: Call, _ route: AdminRoute) async throws -> AdminPrincipal {
        let log = AuditLog(store: store, denied: denied, route: route, call: call)
        let principal: AdminPrincipal
        do { principal = try await admit(call, route.permission, log) } catch let refusal as ServiceProblem {
            if refusal.status == 401 { try await log.deny(nil) }
            throw refusal
        }
        if principal.isSession, route.method != .get, !SessionCookie.isSameOrigin(call.request) {
            try await log.deny(principal)
            throw ServiceProblem(.forbidden, "A write with a session comes from a page of this server.")
        }
        return principal
    }

    func admit(
        _ call: Call,
        _ permission: AdminPermission,
        _ log: AuditLog? = nil
    ) async throws -> AdminPrincipal {
        let isDemo =
            isOpen && isLocal(call) && call.request.headers[.authorization] == nil
            && SessionCookie.credential(call.request) == nil
        let principal =
            isDemo ? .demo : try await authenticated(call, permission)
        guard permission.roles.contains(principal.role) else {
            try await log?.deny(principal)
            let least = permission.roles[0].rawValue
            throw ServiceProblem(.forbidden, extras: ["requiredRole": .text(least)])
        }
        return principal
    }

    /// The principal of a request; only the metrics accept one that the store cannot check.
    private func authenticated(_ call: Call, _ permission: AdminPermission) async throws -> AdminPrincipal {
        switch permission {
        case .scrape: try await authenticator.scraper(of: call.request, address: call.address)
        case .read, .operate, .administer, .sweep, .any:
            try await authenticator.principal(of: call.request, address: call.address)
        }
    }

    func read(
        _ principal: AdminPrincipal,
        _ log: AuditLog
    ) async throws -> AdminWrite {
        let (call, route) = (log.call, log.route)
        try call.query.allow(["dryRun"])
        let isDryRun = try call.query.flag("dryRun")
        let body = try await call.json(max: ServerLimits.adminBodyBytes)
        // PostgreSQL stores no U+0000, and the audit log keeps the body before its members are read.
        guard !JSONValue(body).hasNullCharacter else {
            let detail = "expected texts without U+0000"
            throw ServiceProblem.validation([FieldError(pointer: "", code: "format", detail: detail)])
        }
        var fields = FieldReader(body)
        let reason =
            route.needsReason
            ? fields.text("reason", length: 3...200) : fields.optional("reason", .text(3...200)) ?? ""
        if route.isDestructive, fields.text("confirm", length: 1...64) != log.target {
            fields.complain("confirm", code: "mismatch", "expected the id of the target")
        }
        if route.readsBody {
            guard fields.errors.isEmpty else { throw ServiceProblem.validation(fields.errors) }
        } else {
            fields.ignoreConfirmation()
            try fields.finish()
        }
        return AdminWrite(
            principal: principal,
            target: log.target,
            reason: reason,
            body: body,
            isDryRun: isDryRun,
            ifMatch: call.request.headers[.ifMatch]
        )
    }

    /// Whether a request certainly comes from a program on this machine: a proxy here has a loopback address, too.
    func isLocal(_ call: Call) -> Bool {
        guard !isProxied, call.address.isLoopback, !call.request.isForwarded else { return false }
        // A page of another site can name this machine by a host name of its own.
        let host = call.request.head.authority?.split(separator: ":").first.map { $0.lowercased() } ?? ""
        return host == "localhost" || IPAddress(host)?.isLoopback == true || call.request.head.authority == nil
            || call.request.head.authority?.hasPrefix("[::1]") == true
    }

    func call(_ request: Request, _ context: ServiceContext) -> Call {
        let address = ClientAddress(peer: context.channel.remoteAddress, forwarded: nil, trusted: [])
        return Call(request: request, context: context, address: address, device: nil, deadlines: Self.deadlines)
    }
}

extension FieldReader {
    /// Accepts `confirm` for an action that does not need it.
    mutating func ignoreConfirmation() { _ = optional("confirm", .text(1...64)) }
}

extension JSONValue {
    /// Whether a text or a name has the character U+0000.
    fileprivate var hasNullCharacter: Bool {
        switch self {
        case .object(let members): members.contains { $0.name.utf8.contains(0) || $0.value.hasNullCharacter }
        case .array(let elements): elements.contains(where: \.hasNullCharacter)
        case .text(let text): text.utf8.contains(0)
        case .integer, .number, .bool, .null: false
        }
    }
}

extension Request {
    /// Whether a proxy has named the client that it forwards for.
    fileprivate var isForwarded: Bool {
        ["X-Forwarded-For", "Forwarded", "X-Real-IP", "X-Forwarded-Host", "Via"].contains { name in
            HTTPField.Name(name).map { headers.contains($0) } ?? false
        }
    }
}
