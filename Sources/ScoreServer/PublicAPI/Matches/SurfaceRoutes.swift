// Widgets, controls, lock accessories and StandBy read the portable snapshot of a match; no push contains it.

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
        let query = call.query
        let form = try SurfaceForm(kind, reading: query)
        let isQuiet = try query.flag("quiet")
        let view = try await find(call)
        let context = SurfaceContext(
            match: view.match,
            revision: view.revision.number,
            updatedAt: view.publication.committedAt,
            scheme: scheme,
            isQuiet: isQuiet
        )
        let marks = [form.variant, isQuiet ? "quiet" : nil].compactMap { $0.map { ".\($0)" } }.joined()
        let answer = try view.surfaces.answer(kind.rawValue + marks) { variant in
            let publication = view.publication
            let snapshot = try SurfaceRenderer.snapshot(
                form,
                of: publication.state,
                info: publication.info,
                in: context
            )
            return StoredAnswer(
                tag: "\"\(view.revision).\(variant)\"",
                headers: [.surrogateKey: "match/\(view.match)"],
                body: ByteBuffer(bytes: SurfaceRenderer.bytes(of: snapshot))
            )
        }
        return answer.response(to: call.request, cacheControl: view.cacheControl(now: clock.wall))
    }
}

extension SurfaceForm {
    /// Reads the parameters of a form; one that the kind does not have is refused, since it would have no effect.
    init(_ kind: SurfaceSnapshot.Kind, reading query: QueryFields) throws(ServiceProblem) {
        let known =
            switch kind {
            case .widget, .lockAccessory: ["family"]
            case .control: ["controlKind", "state"]
            case .standby: ["tint"]
            case .liveActivity, .notification: [String]()
            }
        for name in ["family", "controlKind", "state", "tint"] where query.value(name) != nil && !known.contains(name) {
            throw .invalid(name, "expected no such parameter for a \(kind.rawValue)")
        }
        self.init(kind)
        switch kind {
        case .widget: self = .widget(try query.choice("family") ?? .systemMedium)
        case .lockAccessory: self = .lockAccessory(try query.choice("family") ?? .accessoryRectangular)
        case .standby: self = .standby(try query.choice("tint"))
        case .control: self = try .readControl(from: query)
        case .liveActivity, .notification: break
        }
    }

    /// A toggle has a state, and no other control has one.
    private static func readControl(from query: QueryFields) throws(ServiceProblem) -> SurfaceForm {
        let action: SurfaceSnapshot.ControlKind = try query.choice("controlKind") ?? .deepLink
        let isOn = query.value("state") == nil ? nil : try query.flag("state")
        guard (action == .toggle) == (isOn != nil) else {
            throw .invalid("state", action == .toggle ? "expected true or false" : "expected no state without a toggle")
        }
        return .control(action, isOn: isOn)
    }
}

extension QueryFields {
    /// One of the values of an enumeration of the contract; nil when it is absent.
    fileprivate func choice<Value: SurfaceEnumeration>(_ name: String) throws(ServiceProblem) -> Value? {
        guard let text = self.value(name) else { return nil }
        guard let value = Value(rawValue: text) else { throw .invalid(name, "expected \(Value.expectation)") }
        return value
    }
}
