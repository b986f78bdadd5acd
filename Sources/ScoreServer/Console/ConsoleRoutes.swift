// The console's routes need the permission to read; a browser without it is led to the page for a token.

import HTTPTypes
import Hummingbird
import ScoreTypes

/// `/admin` and the pages below it.
struct ConsoleRoutes: Sendable {
    private let page: ConsolePage
    private let pages: ConsolePages
    private let events: ConsoleEvents
    private let sessions: SessionRoutes

    init(_ dependencies: InternalDependencies, clock: ServiceClock) throws {
        page = try ConsolePage()
        pages = ConsolePages(dependencies: dependencies)
        events = ConsoleEvents(matches: dependencies.matches, clock: clock)
        sessions = SessionRoutes(store: dependencies.store, clock: clock)
    }

    /// Adds the routes.
    func add(to router: InternalRouter) {
        events.add(to: router)
        PreviewRoutes(matches: pages.dependencies.matches).add(to: router)
        add(.overviewPage, in: .overview, to: router) { _ in await pages.overview() }
        add(.matchesPage, in: .matches, to: router) { call in
            pages.matches(state: call.query["state"], search: call.query["q"] ?? "")
        }
        add(.matchPage, in: .matches, to: router) { call in
            try await pages.match(call.parameter("id", as: MatchID.self))
        }
        add(.revisionPage, in: .matches, to: router) { call in
            let number = try call.integer("rev", 1...Int64.max)
            return try await pages.revision(number, of: call.parameter("id", as: MatchID.self))
        }
        add(.feedsPage, in: .feeds, to: router) { _ in await pages.feeds() }
        add(.pushPage, in: .push, to: router) { _ in await pages.push() }
        add(.activitiesPage, in: .activities, to: router) { _ in pages.activities() }
        add(.auditPage, in: .audit, to: router) { call in try await pages.audit(AuditFilter(call.query)) }
        SignInRoutes(page: page, sessions: sessions).add(to: router)
    }

    private func add(
        _ route: AdminRoute,
        in section: ConsoleSection,
        to router: InternalRouter,
        _ view: @escaping @Sendable (Call) async throws -> ConsoleView?
    ) {
        let page = page
        router.page(route) { call, principal in
            guard let view = try await view(call) else { throw ServiceProblem(.notFound) }
            guard call.request.headers[.consolePart] == nil else {
                return Answer.page(page.content(of: view), policy: "default-src 'none'")
            }
            return page.answer(view, in: section, for: principal)
        }
    }
}

extension InternalRouter {
    /// Adds a page: a browser without a valid token is led to the page for one, which leads back.
    fileprivate func page(
        _ route: AdminRoute,
        _ handler: @escaping @Sendable (Call, AdminPrincipal) async throws -> Response
    ) {
        let admission = admission
        routes.on(RouterPath(route.path), method: .get) { request, context in
            let call = admission.call(request, context)
            let isBrowser = request.headers[.accept]?.contains("text/html") == true
            let signIn = Response(
                status: .seeOther,
                headers: [.location: "/admin/sign-in?next=\(request.uri.path)", .cacheControl: "no-store"]
            )
            if isBrowser, admission.lacksCredential(call) { return signIn }
            let principal: AdminPrincipal
            do { principal = try await admission.admit(call, route) } catch let refusal as ServiceProblem {
                guard isBrowser, refusal.status == 401 else { throw refusal }
                return signIn
            }
            try call.query.allow(route.query)
            return try await Deadline.run(InternalAdmission.deadlines.handler, .unavailable("deadline")) {
                try await handler(call, principal)
            }
        }
    }
}

extension HTTPField.Name {
    /// The console's script requests the content of a page alone, to show it again.
    fileprivate static let consolePart = HTTPField.Name("Console-Part") ?? .accept
}
