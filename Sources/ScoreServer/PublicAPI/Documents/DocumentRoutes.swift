// The API serves its catalogue of problems, its description and the app's settings.

import CDocuments
import HTTPTypes
import Hummingbird
import NIOCore
import ScoreTypes

/// `/v1/client-config`, `/v1/problems…`, `/v1/openapi.yaml`.
struct DocumentRoutes: Sendable {
    /// Documentation changes with a release at most.
    static let hour = "public, max-age=3600"

    let config: ClientConfig

    /// Adds the routes.
    func add(to router: PublicRouter) {
        router.add(.get, "/v1/client-config", .anybody, .read, query: nil) { call in
            answer(call, config.bytes, cache: "public, max-age=60, stale-if-error=86400")
        }
        router.add(.get, "/v1/problems", .anybody, .read, query: nil) { call in
            let bytes = JSONWriter.document { json in
                json.key("items")
                json.array { json in for kind in ProblemKind.allCases { kind.document.write(into: &json) } }
            }
            return answer(call, bytes, cache: Self.hour)
        }
        router.add(.get, "/v1/problems/{slug}", .anybody, .read, query: nil) { call in
            guard let kind = ProblemKind(rawValue: call.word("slug")) else { throw ServiceProblem(.notFound) }
            return answer(call, kind.document.bytes, cache: Self.hour)
        }
        router.add(.get, "/v1/openapi.yaml", .anybody, .read, query: nil) { call in
            answer(call, Self.description, cache: Self.hour, type: "application/yaml")
        }
    }

    /// The file `openapi.yaml` as it was when the server was built.
    static var description: [UInt8] {
        var count = 0
        let bytes = openapi_document(&count)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    private func answer(
        _ call: Call,
        _ bytes: [UInt8],
        cache: String,
        type: String = "application/json; charset=utf-8"
    ) -> Response {
        Answer.conditional(
            call.request,
            tag: Answer.tag(of: bytes),
            cacheControl: cache,
            contentType: type,
            body: ByteBuffer(bytes: bytes)
        )
    }
}

extension ProblemKind {
    fileprivate var document: JSONValue {
        .record([
            "type": .text("/v1/problems/\(rawValue)"), "status": .integer(Int64(status)), "title": .text(title),
            "explanation": .text(explanation),
        ])
    }
}
