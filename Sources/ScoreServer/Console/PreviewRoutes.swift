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
    let contents: PublishedContents

    /// Adds the route.
    func add(to router: InternalRouter) {
        router.read(.preview) { call in
            let content = try await content(of: call)
            var options = try PreviewOptions(call.query)
            if call.query["condition"] == nil, content.view.news.isHeld { options.image.condition = .held }
            return try options.answer(
                content.surface,
                title: "Revision \(content.revision)",
                revision: content.revision
            )
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
        guard let surface = try await contents.content(at: number, of: view) else {
            throw ServiceProblem(.notFound, "Nothing was published at this revision.")
        }
        return Content(view: view, revision: number, surface: surface)
    }
}

/// The subject of an image, which is one layout, one whole phone or every layout, with its options.
struct PreviewOptions {
    private enum Subject {
        case layout(SurfaceLayout)
        case phone(SurfacePhone)
        case everything
    }

    private let subject: Subject
    var image: SurfaceImageOptions

    /// Reads the query; throws `validation-failed` for an unknown value.
    init(_ query: QueryFields) throws(ServiceProblem) {
        image = SurfaceImageOptions()
        switch query["layout"] {
        case nil: subject = .everything
        case .some(let text):
            if let phone = SurfacePhone(rawValue: text) {
                subject = .phone(phone)
            } else if let layout = SurfaceLayout(rawValue: text) {
                subject = .layout(layout)
            } else {
                let names = SurfaceLayout.allCases.map(\.rawValue) + SurfacePhone.allCases.map(\.rawValue)
                throw .invalid("layout", "expected \(names.joined(separator: ", "))")
            }
        }
        if let text = query["screen"] {
            guard let screen = Int(text).flatMap(SurfaceScreen.init) else {
                throw .invalid("screen", "expected 393 or 430")
            }
            image.screen = screen
        }
        if let text = query["scheme"] {
            guard let scheme = SurfaceScheme(rawValue: text) else {
                throw .invalid("scheme", "expected light, dark or always-on")
            }
            image.scheme = scheme
        }
        if let text = query["condition"] {
            guard let condition = SurfaceCondition(rawValue: text) else {
                throw .invalid("condition", "expected current, stale, held or ended")
            }
            image.condition = condition
        }
    }

    /// An image, or a document with all of them.
    func answer(_ content: SurfaceContent, title: String, revision: Int64? = nil) throws(ServiceProblem) -> Response {
        switch subject {
        case .layout(let layout): return Self.svg(SurfaceImage.render(content, layout, image).svg)
        case .phone(let phone): return Self.svg(phone.svg(content, image))
        case .everything:
            let row = SurfaceSheet.everyLayout(of: content, title: title, image)
            let bytes = JSONWriter.document(reservingBytes: 65_536) { json in
                if let revision { json.field("rev", revision) }
                json.field("undecodable", ifPresent: content.undecodable)
                SurfaceSheet([row]).write(to: &json)
            }
            return Answer.json(bytes)
        }
    }

    /// An image; a revision never changes, but its colours may with the next version of the server.
    private static func svg(_ text: String) -> Response {
        let headers: HTTPFields = [.contentType: "image/svg+xml", .cacheControl: "private, max-age=300"]
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
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
