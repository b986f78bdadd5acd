// Each internal route needs a permission, and each write an audit entry; this is the only way to add one.

import HTTPTypes
import Hummingbird
import ScoreTypes

/// A kind of write.
struct AdminAction: Sendable {
    /// The dotted name in the audit log.
    let name: String
    let permission: AdminPermission
    /// Whether the body requires a reason of 3 to 200 bytes.
    var needsReason = true
    /// Whether the body has to repeat the target under `confirm`.
    var needsConfirmation = false
    /// Whether the audit log keeps the body.
    var keepsBody = false
    /// Whether the handler reads further members of the body, and refuses those that it does not know.
    var readsBody = false
}

/// A write that was admitted.
struct AdminWrite: Sendable {
    /// Counts the things that a write would change; nil for an unknown target.
    typealias Count = @Sendable (AdminWrite) async throws -> Int64?

    let principal: AdminPrincipal
    /// The id of its target, which is the last parameter of the path; empty without one.
    let target: String
    let reason: String
    let body: JSONElement
    /// Whether the request is a dry run, which changes nothing.
    let isDryRun: Bool

    /// The target's id; throws `not-found` for one that cannot be.
    func id<ID: TextID>(_ type: ID.Type) throws(ServiceProblem) -> ID {
        guard let id = ID(target) else { throw ServiceProblem(.notFound) }
        return id
    }

    /// Reads the members of the body beside `reason` and `confirm`; a nil result without mistakes is one, too.
    func read<Value>(_ parse: (inout FieldReader) -> Value?) throws(ServiceProblem) -> Value {
        var fields = FieldReader(body)
        fields.ignore("reason")
        fields.ignoreConfirmation()
        let value = parse(&fields)
        try fields.finish()
        guard let value else { throw ServiceProblem(.validationFailed) }
        return value
    }
}

/// Adds routes to the internal listener.
struct InternalRouter {
    /// The clients that may use a route that reads.
    enum Access: Sendable {
        /// Everybody.
        case open
        /// Clients on this machine; others need a permission.
        case loopback(else: AdminPermission)
        case permission(AdminPermission)
    }

    let routes: Router<ServiceContext>
    let admission: InternalAdmission

    /// Adds a route that reads; the names of the query are checked where a permission is required.
    func read(
        _ path: RouterPath,
        _ access: Access = .permission(.read),
        query: [String] = [],
        _ handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        let admission = admission
        routes.on(path, method: .get) { request, context in
            let call = admission.call(request, context)
            switch access {
            case .open: break
            case .loopback(let permission):
                if !call.address.isLoopback || request.headers[.authorization] != nil {
                    _ = try await admission.admit(call, permission)
                }
            case .permission(let permission):
                _ = try await admission.admit(call, permission)
                try call.query.allow(query)
            }
            return try await Deadline.run(InternalAdmission.deadlines.handler, .unavailable("deadline")) {
                try await handler(call)
            }
        }
    }

    /// Adds a route that writes, by POST; the audit log has an entry before and one after the change.
    ///
    /// `wouldAffect` answers `?dryRun=true` with the number of things that the handler would change; nil where the
    /// handler reads `isDryRun` itself.
    func write(
        _ path: RouterPath,
        _ action: AdminAction,
        wouldAffect: AdminWrite.Count?,
        _ handler: @escaping @Sendable (AdminWrite) async throws -> JSONValue
    ) {
        let admission = admission
        routes.on(path, method: .post) { request, context in
            let call = admission.call(request, context)
            let record = AuditLog(store: admission.store, action: action, call: call)
            let principal: AdminPrincipal
            do {
                principal = try await admission.admit(call, action.permission, record)
            } catch let refusal as ServiceProblem {
                if refusal.status == 401 { try await record.deny(nil) }
                throw refusal
            }
            let write = try await admission.read(principal, record)
            if !write.isDryRun { _ = try await record.write(write, .intended) }
            return try await Deadline.run(InternalAdmission.deadlines.handler, .unavailable("deadline")) {
                try await admission.perform(write, record, wouldAffect, handler)
            }
        }
    }
}

/// Checks the permission of an internal request, reads its body and performs it.
struct InternalAdmission: Sendable {
    /// The deadlines of all internal requests.
    static let deadlines = RequestDeadlines(handler: ServerLimits.adminHandlerDeadline)

    let authenticator: AdminAuthenticator
    let store: any AdminStore

    /// Performs an admitted write and logs its outcome, also when the client has left.
    func perform(
        _ write: AdminWrite,
        _ record: AuditLog,
        _ wouldAffect: AdminWrite.Count?,
        _ handler: @Sendable (AdminWrite) async throws -> JSONValue
    ) async throws -> Response {
        let result: JSONValue
        do {
            if write.isDryRun, let wouldAffect {
                guard let count = try await wouldAffect(write) else { throw ServiceProblem(.notFound) }
                result = .record(["done": .bool(false), "wouldAffect": .integer(count)])
            } else {
                result = try await handler(write)
            }
        } catch {
            // A task of its own, since waiting fails in a cancelled task.
            if !write.isDryRun { _ = try await Task { try await record.write(write, .failed) }.value }
            throw error
        }
        let id = try await Task { try await record.write(write, .done) }.value
        return Answer.json(JSONValue.record(["auditId": .integer(id), "result": result]).bytes)
    }

    func admit(
        _ call: Call,
        _ permission: AdminPermission,
        _ record: AuditLog? = nil
    ) async throws -> AdminPrincipal {
        let header = call.request.headers[.authorization]
        let principal = try await authenticator.principal(authorization: header, address: call.address)
        guard permission.roles.contains(principal.role) else {
            try await record?.deny(principal)
            let least = permission.roles[0].rawValue
            throw ServiceProblem(.forbidden, extras: ["requiredRole": .text(least)])
        }
        return principal
    }

    func read(
        _ principal: AdminPrincipal,
        _ record: AuditLog
    ) async throws -> AdminWrite {
        let (call, action) = (record.call, record.action)
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
            action.needsReason
            ? fields.text("reason", length: 3...200) : fields.optional("reason", .text(3...200)) ?? ""
        if action.needsConfirmation, fields.text("confirm", length: 1...64) != record.target {
            fields.complain("confirm", code: "mismatch", "expected the id of the target")
        }
        if action.readsBody {
            guard fields.errors.isEmpty else { throw ServiceProblem.validation(fields.errors) }
        } else {
            fields.ignoreConfirmation()
            try fields.finish()
        }
        return AdminWrite(
            principal: principal,
            target: record.target,
            reason: reason,
            body: body,
            isDryRun: isDryRun
        )
    }

    func call(_ request: Request, _ context: ServiceContext) -> Call {
        let address = ClientAddress(peer: context.channel.remoteAddress, forwarded: nil, trusted: [])
        return Call(request: request, context: context, address: address, device: nil, deadlines: Self.deadlines)
    }
}

extension FieldReader {
    /// Accepts `confirm` for an action that does not need it.
    fileprivate mutating func ignoreConfirmation() { _ = optional("confirm", .text(1...64)) }
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
