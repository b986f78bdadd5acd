// An app's developer sees a state before any match has it; nothing of it is stored.

import Hummingbird
import ScoreTypes
import SurfaceImages

/// `POST /admin/api/v1/preview`: the images of the content state in the body.
struct DrawnStateRoutes: Sendable {
    /// Adds the route.
    func add(to router: InternalRouter) {
        router.compute(.drawState) { call in
            let options = try PreviewOptions(call.query)
            let content = try Self.content(try await call.json(max: ServerLimits.drawnStateBytes))
            return try options.answer(content, title: "State")
        }
    }

    /// Reads the body; throws `validation-failed` with all mistakes.
    ///
    /// A state that phones cannot read is no mistake.
    private static func content(_ body: JSONElement) throws(ServiceProblem) -> SurfaceContent {
        let object = FieldForm<[UInt8]>(expectation: "an object") { $0.isObject ? JSONValue($0).bytes : nil }
        var fields = FieldReader(body)
        let state = fields.required("state", object)
        let attributes = fields.optional("attributes", object)
        let kept = fields.optional("kept", object)
        let alert = fields.nested("alert") { alert in
            SurfaceContent.Alert(title: alert.text("title", length: 1...200), body: alert.text("body", length: 0...500))
        }
        try fields.finish()
        return SurfaceContent(state ?? [], attributes: attributes, kept: kept, alert: alert)
    }
}
