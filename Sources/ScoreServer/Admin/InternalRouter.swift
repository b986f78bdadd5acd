// Each internal route needs a permission, and each write an audit entry; this is the only way to add one.

import HTTPTypes
import Hummingbird
import ScoreTypes

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
    /// The header `If-Match`.
    let ifMatch: String?

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
                if !admission.isLocal(call) || request.headers[.authorization] != nil {
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

    /// Adds a declared route that reads.
    func read(_ route: AdminRoute, _ handler: @escaping @Sendable (Call) async throws -> Response) {
        read(route) { call, _ in try await handler(call) }
    }

    /// Adds a declared route that reads, and whose answer depends on its client.
    func read(_ route: AdminRoute, _ handler: @escaping @Sendable (Call, AdminPrincipal) async throws -> Response) {
        let admission = admission
        routes.on(RouterPath(route.path), method: .get) { request, context in
            let call = admission.call(request, context)
            let principal = try await admission.admit(call, route)
            try call.query.allow(route.query)
            return try await Deadline.run(InternalAdmission.deadlines.handler, .unavailable("deadline")) {
                try await handler(call, principal)
            }
        }
    }

    /// Adds a declared route that computes an answer from its body.
    func compute(_ route: AdminRoute, _ handler: @escaping @Sendable (Call) async throws -> Response) {
        let admission = admission
        routes.on(RouterPath(route.path), method: route.method) { request, context in
            let call = admission.call(request, context)
            _ = try await admission.admit(call, route)
            try call.query.allow(route.query)
            return try await Deadline.run(InternalAdmission.deadlines.handler, .unavailable("deadline")) {
                try await handler(call)
            }
        }
    }

    /// Adds a declared route that writes; the audit log has an entry before and one after the change.
    ///
    /// `wouldAffect` answers `?dryRun=true` with the number of things that the handler would change; nil where the
    /// handler reads `isDryRun` itself.
    func write(
        _ route: AdminRoute,
        wouldAffect: AdminWrite.Count?,
        _ handler: @escaping @Sendable (AdminWrite) async throws -> JSONValue
    ) {
        add(route, InternalAdmission.Work(wouldAffect: wouldAffect, handler: .outside(handler)))
    }

    /// Adds a declared route that writes to the database: the handler stores the given audit entry with its change.
    ///
    /// A nil `wouldAffect` answers a dry run with 1.
    func change(
        _ route: AdminRoute,
        wouldAffect: AdminWrite.Count?,
        _ handler: @escaping @Sendable (AdminWrite, AuditEntry) async throws -> AuditedChange
    ) {
        let count: AdminWrite.Count = wouldAffect ?? { _ in 1 }
        add(route, InternalAdmission.Work(wouldAffect: count, handler: .inside(handler)))
    }

    private func add(_ route: AdminRoute, _ work: InternalAdmission.Work) {
        let admission = admission
        routes.on(RouterPath(route.path), method: route.method) { request, context in
            let call = admission.call(request, context)
            let principal = try await admission.admit(call, route)
            let log = AuditLog(store: admission.store, denied: admission.denied, route: route, call: call)
            let write = try await admission.read(principal, log)
            return try await admission.once(write, log) {
                if !write.isDryRun, case .outside = work.handler {
                    _ = try await log.write(log.entry(write, .intended))
                }
                return try await Deadline.run(InternalAdmission.deadlines.handler, .unavailable("deadline")) {
                    try await admission.perform(write, log, work)
                }
            }
        }
    }
}
