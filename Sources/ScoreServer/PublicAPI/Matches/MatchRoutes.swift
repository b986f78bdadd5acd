// Public reads of matches that any cache may store.

import HTTPTypes
import Hummingbird
import MatchEngine
import MatchJournal
import NIOCore
import ScoreTypes

/// `GET /v1/matches…`.
struct MatchRoutes: Sendable {
    let matches: MatchCache
    /// The app's URL scheme, for deep links.
    let scheme: String
    let clock: ServiceClock
    private let lists = RenderedLists()

    private static let listPath: RouterPath = "/v1/matches"
    private static let snapshotPath: RouterPath = "/v1/matches/{id}"

    init(matches: MatchCache, scheme: String, clock: ServiceClock) {
        (self.matches, self.scheme, self.clock) = (matches, scheme, clock)
    }

    /// Adds the routes.
    func add(to router: PublicRouter) {
        router.read(Self.listPath) { try list($0) }
        router.read(Self.snapshotPath) { try await snapshot($0) }
        router.read("/v1/matches/{id}/scorecard") { try await scorecard($0) }
        router.read("/v1/matches/{id}/surfaces/{kind}") { try await surface($0) }
        router.add(.get, "/v1/matches/{id}/changes", .anybody, .read, query: nil) { try await changes($0) }
        addHistory(to: router)
    }

    /// An answer that is in memory, its cache lifetimes, and its route for metrics.
    typealias Known = (answer: StoredAnswer, cacheControl: String, route: String)

    /// The answer of a target without a query; nil when the routes have to make it or refuse it.
    func known(at target: String) -> Known? {
        let path = Self.listPath.description
        guard target.hasPrefix(path) else { return nil }
        guard target.utf8.count > path.utf8.count else {
            let list = lists.known("", version: matches.version, now: clock.wall)
            return list.map { ($0.answer, $0.cacheControl, path) }
        }
        let rest = target.dropFirst(path.utf8.count)
        guard rest.first == "/", let id = MatchID(String(rest.dropFirst())), let view = try? matches.cachedView(of: id)
        else { return nil }
        return (view.answer, view.cacheControl(now: clock.wall), Self.snapshotPath.description)
    }

    private func list(_ call: Call) throws -> Response {
        // Read before the matches: a change in between makes the list old, not wrong.
        let (version, now) = (matches.version, clock.wall)
        let list = try lists.list(call.request.uri.query ?? "", version: version, now: now) {
            let filter = try MatchFilter(call.query)
            let views = matches.views()
            let (page, next) = filter.page(of: views, now: now)
            let seen = page.map { "\($0.match)=\($0.tag)" }.joined(separator: ",") + (next ?? "")
            let bytes = JSONWriter.document { json in
                json.array("items") { json in for view in page { json.raw(view.item) } }
                json.field("nextCursor", ifPresent: next)
            }
            let tag = Answer.tag(of: Array(seen.utf8))
            let answer = StoredAnswer(tag: tag, headers: [:], body: ByteBuffer(bytes: bytes))
            let until = MatchFilter.nextExpiry(of: views, now: now)
            return RenderedLists.List(answer: answer, cacheControl: filter.cacheControl, until: until)
        }
        return list.answer.response(to: call.request, cacheControl: list.cacheControl)
    }

    private func snapshot(_ call: Call) async throws -> Response {
        let view = try await find(call)
        let cacheControl = view.cacheControl(now: clock.wall)
        guard call.request.uri.query != nil else {
            return view.answer.response(to: call.request, cacheControl: cacheControl)
        }
        return view.answer(try Self.form(call.query)).response(to: call.request, cacheControl: cacheControl)
    }

    /// The form that a query names; the full one when it names none.
    private static func form(_ query: QueryFields) throws(ServiceProblem) -> MatchDocument.Form {
        guard let name = query.value("view") else { return .full }
        guard let form = MatchDocument.Form(rawValue: name) else {
            throw .invalid("view", "expected \(MatchDocument.Form.allCases.map(\.rawValue).joined(separator: " or "))")
        }
        return form
    }

    private func scorecard(_ call: Call) async throws -> Response {
        let view = try await find(call)
        return view.scorecard.response(to: call.request, cacheControl: view.cacheControl(now: clock.wall))
    }

    private func changes(_ call: Call) async throws -> Response {
        let view = try await find(call)
        let limit = try call.query.integer("limit", 1...ServerLimits.changesPerPage) ?? 100
        var after: Int64 = 0
        if let text = call.query["after"] {
            guard let position = Revision(text) else { throw ServiceProblem.invalid("after", "expected <epoch>.<rev>") }
            guard position.epoch == view.revision.epoch else {
                let snapshot = "/v1/matches/\(view.match)"
                // A journal is never shortened: all of this epoch can be read.
                let extras: KeyValuePairs<String, JSONValue?> = [
                    "oldestRev": .integer(1), "snapshotUrl": .text(snapshot),
                ]
                throw ServiceProblem(.revisionCompacted, extras: extras)
            }
            after = position.number
        }
        // The journal of a held match goes on behind the revision that is shown; a client that read from another node
        // may be ahead of it.
        let most = max(0, min(limit, view.revision.number - after))
        let entries = most == 0 ? [] : try await matches.changes(view.match, after, Int(most))
        let touchesHead = (entries.last?.revision ?? after) >= view.revision.number || entries.count < most
        let bytes = JSONWriter.document(reservingBytes: 16_384) { json in
            json.objects("items", entries) { $0.write(into: &$1) }
            json.field("head", view.revision.description)
        }
        // An address without a position names no epoch, so that its answer changes with the next epoch.
        let isLasting = !touchesHead && call.query["after"] != nil
        let lifetime = isLasting ? "public, max-age=31536000, immutable" : "public, max-age=1"
        let answer = StoredAnswer(
            tag: Answer.tag(of: bytes),
            headers: [.surrogateKey: "match/\(view.match)"],
            body: ByteBuffer(bytes: bytes)
        )
        return answer.response(to: call.request, cacheControl: lifetime)
    }

    /// The match of the path, from memory or loaded within the deadline; throws `not-found`.
    func find(_ call: Call) async throws -> MatchView {
        let id = try call.parameter("id", as: MatchID.self)
        if let view = try matches.cachedView(of: id) { return view }
        do {
            return try await Deadline.run(call.deadlines.handler, .unavailable("deadline")) { [matches] in
                try await matches.existingView(of: id)
            }
        } catch var problem as ServiceProblem where problem.kind == .notFound {
            // Caches answer a scan of ids; a new match appears after this time.
            problem.headers[.cacheControl] = "public, max-age=5"
            throw problem
        }
    }
}
