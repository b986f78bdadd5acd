// A person signs in and out with plain forms, so that the console can be read without a script.

import HTTPTypes
import Hummingbird
import ScoreTypes

/// `/admin/sign-in` and `/admin/sign-out`.
struct SignInRoutes: Sendable {
    let page: ConsolePage
    let sessions: SessionRoutes

    /// Adds the routes.
    func add(to router: InternalRouter) {
        let (routes, admission) = (router.routes, router.admission)
        routes.on("/admin/sign-in", method: .get) { request, context in
            page.signIn(next: Self.target(admission.call(request, context).query["next"]))
        }
        routes.on("/admin/sign-in", method: .post) { request, context in
            try await signIn(admission.call(request, context), admission)
        }
        routes.on("/admin/sign-out", method: .post) { request, context in
            try await signOut(admission.call(request, context), admission)
        }
    }

    /// Opens a session for the token of the form; a wrong one gets the form again.
    private func signIn(_ call: Call, _ admission: InternalAdmission) async throws -> Response {
        let fields = try await Self.form(call)
        let next = Self.target(fields["next"])
        var head = call.request.head
        head.headerFields[.authorization] = "Bearer \(fields["token"] ?? "")"
        let bearer = Call(
            request: Request(head: head, body: call.request.body),
            context: call.context,
            address: call.address,
            device: nil,
            deadlines: call.deadlines
        )
        do {
            let change = try await admission.change(.openSession, bearer, sessions.open)
            return Self.redirect(to: next, cookie: change.cookie)
        } catch let refusal as ServiceProblem where refusal.status == 401 || refusal.status == 429 {
            let problem = refusal.status == 401 ? "This token is not valid." : "Too many wrong tokens; wait a minute."
            return page.signIn(next: next, problem: problem)
        }
    }

    /// Ends the session of the cookie.
    private func signOut(_ call: Call, _ admission: InternalAdmission) async throws -> Response {
        // Without a credential there is no session, wherever the form comes from.
        if admission.lacksCredential(call) { throw ServiceProblem(.unauthenticated) }
        _ = try await Self.form(call)
        let change = try await admission.change(.closeSession, call, sessions.close)
        return Self.redirect(to: "/admin/sign-in", cookie: change.cookie)
    }

    /// The fields of a form that a page of this server sent.
    private static func form(_ call: Call) async throws -> QueryFields {
        guard SessionCookie.isSameOrigin(call.request) else {
            throw ServiceProblem(.forbidden, "A form comes from a page of this server.")
        }
        let type: Set = ["application/x-www-form-urlencoded"]
        let bytes = try await call.bodyBytes(max: ServerLimits.signInBodyBytes, types: type)
        return QueryFields(String(decoding: bytes, as: UTF8.self))
    }

    /// A page of the console to go to; the overview for any other text.
    private static func target(_ text: String?) -> String {
        guard let text, text.hasPrefix("/admin"), text.utf8.allSatisfy(isPlain) else { return "/admin" }
        return text
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: [UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-")].contains(byte)
        }
    }

    private static func redirect(to path: String, cookie: String?) -> Response {
        var headers: HTTPFields = [.location: path, .cacheControl: "no-store"]
        headers[.setCookie] = cookie
        return Response(status: .seeOther, headers: headers)
    }
}

extension InternalAdmission {
    /// Performs a change without a body for a form, with the entry in the audit log.
    fileprivate func change(
        _ route: AdminRoute,
        _ call: Call,
        _ body: (AdminPrincipal, AuditEntry) async throws -> AuditedChange
    ) async throws -> AuditedChange {
        let principal = try await admit(call, route)
        let log = AuditLog(store: store, denied: denied, route: route, call: call)
        let change = try await body(principal, log.entry(principal, .done))
        log.count(.done)
        return change
    }
}
