// An operator sees what phones show: the published bytes, decoded with the app's types and drawn.

import HTTPTypes
import Hummingbird
import MatchJournal
import NIOCore
import ScoreTypes
import SurfaceImages

/// `GET /admin/api/v1/matches/{id}/preview`: one layout as SVG, or all of them with their findings as JSON.
struct PreviewRoutes: Sendable {
    let matches: MatchCache

    /// Adds the route.
    func add(to router: InternalRouter) {
        router.read(.preview) { call in
            let content = try await content(of: call)
            let options = try Self.options(call.query, of: content.view)
            guard let text = call.query["layout"] else { return Self.sheet(content, options) }
            guard let layout = SurfaceLayout(rawValue: text) else {
                throw ServiceProblem.invalid(
                    "layout",
                    "expected \(SurfaceLayout.allCases.map(\.rawValue).joined(separator: ", "))"
                )
            }
            return Self.svg(SurfaceImage.render(content.surface, layout, options).svg)
        }
    }

    /// A match at a revision, as its phones received it.
    private struct Content {
        let view: MatchView
        let revision: Int64
        let surface: SurfaceContent
    }

    /// The content of the revision in the query, or of the newest one.
    private func content(of call: Call) async throws -> Content {
        let view = try await matches.existingView(of: call.parameter("id", as: MatchID.self))
        let number = try call.query.integer("rev", 1...Int64.max) ?? view.revision.number
        let publication =
            number == view.revision.number
            ? view.publication : try await matches.history.publication(number, of: view.match)
        guard let publication else { throw ServiceProblem(.notFound, "Nothing was published at this revision.") }
        return Content(view: view, revision: number, surface: SurfaceContent(publication))
    }

    private static func options(_ query: QueryFields, of view: MatchView) throws(ServiceProblem) -> SurfaceImageOptions
    {
        var options = SurfaceImageOptions(condition: view.news.isHeld ? .held : .current)
        if let text = query["screen"] {
            guard let screen = Int(text).flatMap(SurfaceScreen.init) else {
                throw .invalid("screen", "expected 393 or 430")
            }
            options.screen = screen
        }
        if let text = query["scheme"] {
            guard let scheme = SurfaceScheme(rawValue: text) else {
                throw .invalid("scheme", "expected light, dark or always-on")
            }
            options.scheme = scheme
        }
        if let text = query["condition"] {
            guard let condition = SurfaceCondition(rawValue: text) else {
                throw .invalid("condition", "expected current, stale, held or ended")
            }
            options.condition = condition
        }
        return options
    }

    /// An image; a revision never changes, but its colours may with the next version of the server.
    private static func svg(_ text: String) -> Response {
        let headers: HTTPFields = [.contentType: "image/svg+xml", .cacheControl: "private, max-age=300"]
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    private static func sheet(_ content: Content, _ options: SurfaceImageOptions) -> Response {
        let row = SurfaceSheet.everyLayout(of: content.surface, title: "Revision \(content.revision)", options)
        let bytes = JSONWriter.document(reservingBytes: 65_536) { json in
            json.field("rev", content.revision)
            json.field("undecodable", ifPresent: content.surface.undecodable)
            SurfaceSheet([row]).write(to: &json)
        }
        return Answer.json(bytes)
    }
}

extension SurfaceContent {
    /// The bytes that phones received with a publication.
    init(_ publication: Publication) {
        self.init(
            publication.contentState,
            attributes: publication.attributes,
            alert: publication.alert.map { Alert(title: $0.title, body: $0.body) }
        )
    }
}
