// The only way to add a route to the internal listener: each names its permission, each write leaves a record.

import HTTPTypes
import Hummingbird
import Metrics
import ScoreTypes

/// A kind of write.
struct AdminAction: Sendable {
    /// Dotted, as it stands in the record.
    let name: String
    let permission: AdminPermission
    /// Whether the body has to say why, in 3 to 200 characters.
    var needsReason = true
    /// Whether the body has to repeat the target under `confirm`.
    var needsConfirmation = false
    /// Whether the record keeps what the body asked for.
    var keepsBody = false
    /// Whether the handler reads further members of the body, and refuses those that it does not know.
    var readsBody = false
}

/// A write that was admitted.
struct AdminWrite: Sendable {
    let principal: AdminPrincipal
    /// What it concerns; the last parameter of the path.
    let target: String
    let reason: String
    let body: JSONElement
    /// Whether it is only asked what would be done.
    var isDryRun = false
}

/// Registers routes behind permissions.
struct InternalDoor: Sendable {
    /// How long a body may take to arrive and a handler to work.
    static let deadlines = DoorDeadlines(body: .seconds(10), handler: .seconds(10))
    /// Largest body, in bytes.
    static let bodyBytesMax = 16 * 1024

    let authenticator: AdminAuthenticator
    let store: any AdminStore

    /// A route for everybody who reaches the listener.
    func open(
        _ method: HTTPRequest.Method,
        _ path: RouterPath,
        to router: Router<ServiceContext>,
        _ handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        router.on(path, method: method) { request, context in try await run(call(request, context), handler) }
    }

    /// A route for this machine, and for others with a permission.
    func openOnLoopback(
        _ method: HTTPRequest.Method,
        _ path: RouterPath,
        else permission: AdminPermission,
        to router: Router<ServiceContext>,
        _ handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        router.on(path, method: method) { request, context in
            let call = call(request, context)
            if !call.address.isLoopback || request.headers[.authorization] != nil {
                _ = try await admit(call, permission)
            }
            return try await run(call, handler)
        }
    }

    /// A route that shows something; `query` names the parameters that it knows.
    func read(
        _ path: RouterPath,
        query: [String] = [],
        to router: Router<ServiceContext>,
        _ handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        router.on(path, method: .get) { request, context in
            let call = call(request, context)
            _ = try await admit(call, .read)
            try call.query.allow(query)
            return try await run(call, handler)
        }
    }

    /// A route that changes something: recorded before it is done, and after.
    ///
    /// `wouldAffect` answers `?dryRun=true` with how many things the handler would change, and changes nothing; nil
    /// where the handler heeds `isDryRun` itself.
    func write(
        _ method: HTTPRequest.Method,
        _ path: RouterPath,
        _ action: AdminAction,
        to router: Router<ServiceContext>,
        wouldAffect: (@Sendable (AdminWrite) async throws -> Int64)?,
        _ handler: @escaping @Sendable (AdminWrite) async throws -> JSONValue
    ) {
        router.on(path, method: method) { request, context in
            let call = call(request, context)
            let record = AuditTrail(store: store, action: action.name, keepsBody: action.keepsBody, call: call)
            let principal: AdminPrincipal
            do {
                principal = try await admit(call, action.permission, record)
            } catch let refusal as ServiceProblem {
                if refusal.status == 401 { try await record.deny(nil) }
                throw refusal
            }
            let write = try await read(call, action, principal, record)
            if !write.isDryRun { _ = try await record.write(write, .intended) }
            return try await Deadline.run(Self.deadlines.handler, .unavailable("deadline")) {
                try await perform(write, record, wouldAffect, handler)
            }
        }
    }

    /// Does what was admitted and writes down what became of it, also when nobody waits for the answer any more.
    private func perform(
        _ write: AdminWrite,
        _ record: AuditTrail,
        _ wouldAffect: (@Sendable (AdminWrite) async throws -> Int64)?,
        _ handler: @Sendable (AdminWrite) async throws -> JSONValue
    ) async throws -> Response {
        let result: JSONValue
        do {
            if write.isDryRun, let wouldAffect {
                let count = try await wouldAffect(write)
                result = .record(["done": .bool(false), "wouldAffect": .integer(count)])
            } else {
                result = try await handler(write)
            }
        } catch {
            // A task of its own, since the one that was cancelled may wait for nothing more.
            if !write.isDryRun { _ = try await Task { try await record.write(write, .failed) }.value }
            throw error
        }
        let id = try await Task { try await record.write(write, .done) }.value
        return Answer.json(JSONValue.record(["auditId": .integer(id), "result": result]).bytes)
    }

    private func admit(
        _ call: Call,
        _ permission: AdminPermission,
        _ record: AuditTrail? = nil
    ) async throws -> AdminPrincipal {
        let header = call.request.headers[.authorization]
        let principal = try await authenticator.principal(authorization: header, address: call.address)
        guard principal.role.allows(permission) else {
            try await record?.deny(principal)
            let least = permission.leastRole.rawValue
            throw ServiceProblem(.forbidden, extras: ["requiredRole": .text(least)])
        }
        return principal
    }

    private func read(
        _ call: Call,
        _ action: AdminAction,
        _ principal: AdminPrincipal,
        _ record: AuditTrail
    ) async throws -> AdminWrite {
        try call.query.allow(["dryRun"])
        let isDryRun = try call.query.flag("dryRun")
        let body = try await call.json(max: Self.bodyBytesMax)
        var fields = FieldReader(body)
        let reason: String
        if action.needsReason {
            reason = fields.text("reason", bytes: 3...200)
        } else {
            reason = fields.textIfPresent("reason", bytes: 3...200) ?? ""
        }
        if action.needsConfirmation, fields.text("confirm", bytes: 1...64) != record.target {
            fields.complain("confirm", code: "mismatch", "expected the id of what this concerns")
        }
        if action.readsBody {
            guard fields.errors.isEmpty else { throw ServiceProblem.validation(fields.errors) }
        } else {
            fields.ignore("confirm")
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

    private func run(
        _ call: Call,
        _ handler: @escaping @Sendable (Call) async throws -> Response
    ) async throws -> Response {
        try await Deadline.run(Self.deadlines.handler, .unavailable("deadline")) { try await handler(call) }
    }

    private func call(_ request: Request, _ context: ServiceContext) -> Call {
        let address = ClientAddress(peer: context.channel.remoteAddress, forwarded: nil, trusted: [])
        return Call(request: request, context: context, address: address, device: nil, deadlines: Self.deadlines)
    }
}
