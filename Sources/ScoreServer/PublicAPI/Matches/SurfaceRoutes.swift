// Widgets, controls, lock accessories and StandBy read the portable snapshot of a match; nothing is pushed to them.

import Hummingbird
import LiveSurface
import MatchEngine
import MatchJournal
import NIOCore
import ScoreTypes

extension MatchRoutes {
    /// Answers `GET /v1/matches/{id}/surfaces/{kind}`.
    func surface(_ call: Call) async throws -> Response {
        guard let kind = SurfaceSnapshot.Kind(rawValue: call.word("kind")) else {
            let kinds = SurfaceSnapshot.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ServiceProblem.invalid("kind", "expected one of \(kinds)")
        }
        let view = try await find(call)
        let isQuiet = try Self.isQuiet(call.query["quiet"])
        let context = SurfaceContext(
            match: view.match,
            revision: view.revision.number,
            updatedAt: view.publication.committedAt,
            scheme: scheme,
            isQuiet: isQuiet
        )
        let snapshot = try SurfaceRenderer.snapshot(
            kind,
            of: view.publication.state,
            info: view.publication.info,
            in: context
        )
        return Answer.conditional(
            call.request,
            tag: "\"\(view.revision).\(kind.rawValue)\(isQuiet ? ".quiet" : "")\"",
            cacheControl: view.cacheControl(now: clock.wall),
            headers: [.surrogateKey: "match/\(view.match)"],
            body: ByteBuffer(bytes: SurfaceRenderer.bytes(of: snapshot))
        )
    }

    private static func isQuiet(_ text: String?) throws(ServiceProblem) -> Bool {
        switch text {
        case nil, "false": false
        case "true": true
        default: throw .invalid("quiet", "expected true or false")
        }
    }
}
