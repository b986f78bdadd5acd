// Operators follow one push through its tries, and see what waits and what was given up.

import Foundation
import HTTPTypes
import Hummingbird
import PushDispatcher
import ScoreTypes

/// `/admin/api/v1/pushes…`, `/queues` and `/dead-letters…` of this node.
struct PushRoutes: Sendable {
    let control: any PushControl

    /// Adds the routes.
    func add(to router: InternalRouter) {
        router.read(.queues) { _ in
            Answer.json(AdminRoutes.items(await control.status().map(\.queues) ?? []))
        }
        router.read(.pushes) { call in
            let filter = try PushFilter(call.query)
            let page = filter.page(of: control.history.all)
            let next = page.next.map { JSONValue.integer($0) }
            let items = page.records.map(\.json)
            return Answer.json(JSONValue.record(["items": .array(items), "nextBefore": next]).bytes)
        }
        router.read(.push) { call in
            let tries = control.history.all.tries(of: call.context.parameters.get("id") ?? "")
            guard let push = PushTimeline(tries) else { throw ServiceProblem(.notFound) }
            return Answer.json(push.json.bytes)
        }
        router.read(.deadLetters) { _ in Answer.json(AdminRoutes.items(control.history.all.deadLettersJSON)) }
        let count: AdminWrite.Count = { write in
            let order = try DiscardOrder(write)
            return Int64(
                control.history.all.deadLetters.filter { order.includes($0.answer) }.reduce(0) {
                    $0 + $1.group.givenUp.count
                }
            )
        }
        router.write(.discardDeadLetters, wouldAffect: count) { write in
            let order = try DiscardOrder(write)
            return .record(["discarded": .whole(control.history.discard(where: order.includes))])
        }
    }
}

/// The pushes that an operator looks for.
struct PushFilter: Sendable {
    /// The names of the query.
    static let names = [
        "match", "environment", "class", "outcome", "reason", "device", "fingerprint", "id", "before", "limit",
    ]

    var match: MatchID?
    var texts: [String: String] = [:]
    /// Only tries with a lower number.
    var before = Int64.max
    var limit = 50

    /// Reads the filter of a query.
    init(_ query: QueryFields) throws(ServiceProblem) {
        if let text = query["match"] {
            guard let id = MatchID(text) else { throw .invalid("match", "expected the id of a match") }
            match = id
        }
        for name in ["environment", "class", "outcome", "reason", "device", "fingerprint", "id"] {
            texts[name] = query[name]
        }
        before = try query.integer("before", 1...Int64.max) ?? .max
        limit = Int(try query.integer("limit", 1...ServerLimits.pushesPerPage) ?? 50)
    }

    /// The newest records that fit, and the number that begins the next page.
    func page(of samples: PushSamples) -> (records: [PushRecord], next: Int64?) {
        let fitting = samples.records { $0.number < before && includes($0.attempt) }
        let records = Array(fitting.prefix(limit))
        return (records, fitting.count > limit ? records.last?.number : nil)
    }

    /// The query of the next page.
    func query(before number: Int64) -> String {
        var pairs = texts.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
        if let match { pairs.append(("match", match.text)) }
        pairs.append(("before", "\(number)"))
        let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._"))
        return pairs.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: plain) ?? "")"
        }.joined(separator: "&")
    }

    private func includes(_ attempt: PushAttempt) -> Bool {
        func fits(_ name: String, _ value: @autoclosure () -> String?) -> Bool {
            texts[name].map { $0 == value() } ?? true
        }
        return (match ?? attempt.match) == attempt.match && fits("environment", attempt.environment.rawValue)
            && fits("class", attempt.operation.rawValue) && fits("outcome", attempt.outcome.label)
            && fits("reason", attempt.reason.rawValue) && fits("device", attempt.recipientDevice?.description)
            && fits("id", attempt.requestID) && fits("fingerprint", attempt.fingerprint?.text)
    }
}

/// The dead letters that an operator discards; a reason is required, so that an empty order discards nothing.
private struct DiscardOrder {
    let reason: String
    let environment: String?
    let operation: String?

    init(_ write: AdminWrite) throws(ServiceProblem) {
        (reason, environment, operation) = try write.read { fields in
            guard let reason = fields.required("apnsReason", .text(1...64)) else { return nil }
            return (reason, fields.optional("environment", .text(1...16)), fields.optional("class", .text(1...16)))
        }
    }

    func includes(_ answer: PushAnswer) -> Bool {
        answer.reason.rawValue == reason && (environment ?? answer.environment.rawValue) == answer.environment.rawValue
            && (operation ?? answer.operation.rawValue) == answer.operation.rawValue
    }
}
