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
        let contents = PublishedContents(dependencies.matches.history, log: dependencies.overrides)
        pages = ConsolePages(dependencies: dependencies, contents: contents, clock: clock)
        events = ConsoleEvents(matches: dependencies.matches, clock: clock)
        sessions = SessionRoutes(store: dependencies.store, clock: clock)
    }

    /// Adds the routes.
    func add(to router: InternalRouter) {
        events.add(to: router)
        PreviewRoutes(matches: pages.dependencies.matches, contents: pages.contents).add(to: router)
        add(.overviewPage, in: .overview, to: router) { _ in await pages.overview() }
        add(.matchesPage, in: .matches, to: router) { call in
            pages.matches(state: call.query["state"], search: call.query["q"] ?? "")
        }
        add(.matchPage, in: .matches, to: router) { call in
            try await pages.match(call.parameter("id", as: MatchID.self))
        }
        add(.phonesPage, in: .matches, to: router) { call in
            try await pages.phones(call.parameter("id", as: MatchID.self))
        }
        add(.revisionPage, in: .matches, to: router) { call in
            let number = try call.integer("rev", 1...Int64.max)
            return try await pages.revision(number, of: call.parameter("id", as: MatchID.self))
        }
        add(.feedsPage, in: .feeds, to: router) { _ in await pages.feeds() }
        add(.alertsPage, in: .alerts, to: router) { _ in try await pages.alerts() }
        add(.pushPage, in: .push, to: router) { _ in await pages.push() }
        add(.apnsPage, in: .apns, to: router) { _ in try await pages.apns() }
        add(.pushesPage, in: .pushes, to: router) { call in pages.pushes(try PushFilter(call.query)) }
        add(.pushAttemptPage, in: .pushes, to: router) { call in pages.push(call.context.parameters.get("id") ?? "") }
        add(.deadLettersPage, in: .deadLetters, to: router) { _ in pages.deadLetters() }
        addPeople(to: router)
        add(.auditPage, in: .audit, to: router) { call in try await pages.audit(AuditFilter(call.query)) }
        add(.sweepsPage, in: .sweeps, to: router) { _ in try await pages.sweeps() }
        add(.nodesPage, in: .nodes, to: router) { _ in try await pages.nodes() }
        add(.flagsPage, in: .flags, to: router) { _ in try await pages.flags() }
        add(.configurationPage, in: .configuration, to: router) { _ in pages.configuration() }
        add(.runbooksPage, in: .runbooks, to: router) { _ in pages.runbooks() }
        add(.runbookPage, in: .runbooks, to: router) { call in pages.runbook(call.word("name")) }
        SignInRoutes(page: page, sessions: sessions).add(to: router)
    }

    private func addPeople(to router: InternalRouter) {
        add(.devicesPage, in: .devices, to: router) { call in try await pages.devices(call.query) }
        add(.devicePage, in: .devices, to: router) { call in try await pages.device(call.word("id")) }
        add(.activitiesPage, in: .activities, to: router) { call in try await pages.activities(call.query) }
        add(.streamsPage, in: .streams, to: router) { call in try await pages.streams(call.query) }
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
            var signIn = Response(
                status: .seeOther,
                headers: [.location: "/admin/sign-in?next=\(request.uri.path)", .cacheControl: "no-store"]
            )
            if isBrowser, admission.lacksCredential(call) { return signIn }
            let principal: AdminPrincipal
            do { principal = try await admission.admit(call, route) } catch let refusal as ServiceProblem {
                guard isBrowser, refusal.status == 401 else { throw refusal }
                // A session that has ended is no reason to refuse the next visit.
                signIn.headers[.setCookie] = SessionCookie.removing
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
