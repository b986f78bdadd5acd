// The API serves its pages of problems and traps, its description and the app's settings.

import CDocuments
import HTTPTypes
import Hummingbird
import MatchEngine
import NIOCore
import ScoreTypes

/// `/v1/client-config`, `/v1/problems…`, `/v1/openapi.yaml`, `/v1/openapi.json`.
struct DocumentRoutes: Sendable {
    /// Documentation changes with a release at most.
    static let hour = "public, max-age=3600"

    /// Scheme of links into the app.
    let scheme: String
    /// The quota of receipts of one device.
    let telemetry: Quota
    /// The newest layout of the content state that this node renders.
    let newestLayout: ContentStateVersion
    /// The switches of operators.
    let flags: FlagCache

    /// Adds the routes.
    func add(to router: PublicRouter) {
        router.read("/v1/client-config") { call in
            Answer.conditional(call.request, settings, cacheControl: "public, max-age=60, stale-if-error=86400")
        }
        router.read("/v1/problems") { call in
            Self.problems.response(to: call.request, cacheControl: Self.hour)
        }
        router.read("/v1/problems/{slug}") { call in
            guard let page = ProblemPage.bySlug[call.word("slug")] else { throw ServiceProblem(.notFound) }
            return Answer.conditional(call.request, page.document.bytes, cacheControl: Self.hour)
        }
        router.read("/v1/openapi.yaml") { call in
            Self.storedDescription.response(to: call.request, cacheControl: Self.hour)
        }
        router.read("/v1/openapi.json") { call in
            Answer.conditional(call.request, try Self.descriptionJSON.get(), cacheControl: Self.hour)
        }
    }

    private static let problems = stored(
        JSONValue.record(["items": .array(ProblemPage.all.map(\.document))]).bytes,
        type: "application/json; charset=utf-8"
    )
    private static let storedDescription = stored(description, type: "application/yaml")

    private static func stored(_ bytes: [UInt8], type: String) -> StoredAnswer {
        let field = HTTPField(name: .contentType, value: type)
        return StoredAnswer(tag: Answer.tag(of: bytes), body: ByteBuffer(bytes: bytes), type: field)
    }

    /// The app's remote settings.
    private var settings: [UInt8] {
        JSONWriter.document { json in
            json.field("sseEnabled", flags.isOn(.streams))
            json.field("pollMs", 2_000)
            json.field("staleAfterSeconds", ActivityRoutes.staleAfter.components.seconds)
            if case .integer(let build) = flags.value(.minimumBuild) { json.field("minBuild", build) }
            json.array("contentSchemaVersions", newestLayout.renderedLayouts.map(\.rawValue))
            json.field("pushToStartEnabled", flags.isOn(.pushToStart))
            json.field("maxActivities", 5)
            json.field("telemetrySpacingSeconds", telemetry.spacingSeconds)
            json.field("deepLinkScheme", scheme)
            if case .text(let banner) = flags.value(.banner), !banner.isEmpty { json.field("banner", banner) }
        }
    }

    /// The same as JSON, made once.
    private static let descriptionJSON = APIDescription.embedded.map(\.document.bytes)

    /// The file `openapi.yaml` as it was when the server was built.
    static var description: [UInt8] {
        var count = 0
        let bytes = openapi_document(&count)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}
