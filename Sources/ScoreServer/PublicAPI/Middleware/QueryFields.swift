// The query's parameters are decoded once and checked by name.

import Foundation
import ScoreTypes

/// The query of a request.
struct QueryFields: Sendable {
    private let pairs: [(name: String, value: String)]

    init(_ query: String?) {
        let text = String(decoding: (query ?? "").utf8.prefix(ServerLimits.queryBytes), as: UTF8.self)
        pairs = text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
    }

    /// The names in order; repeated names are repeated.
    var names: [String] { pairs.map(\.name) }

    /// The first value of a name; nil when it is absent or empty.
    subscript(name: String) -> String? { value(name).flatMap { $0.isEmpty ? nil : $0 } }

    /// The first value of a name, also an empty one; nil when it is absent.
    func value(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// Throws `unknown-parameter` for a name that is not known.
    func allow(_ known: [String]) throws(ServiceProblem) {
        for name in names where !known.contains(name) {
            throw ServiceProblem(.unknownParameter, extras: ["parameter": .text(String(name.prefix(64)))])
        }
    }

    /// True or false, given once; false when absent.
    func flag(_ name: String) throws(ServiceProblem) -> Bool {
        let values = pairs.filter { $0.name == name }.map(\.value)
        switch values {
        case [], ["false"]: return false
        case ["true"]: return true
        default: throw .invalid(name, "expected true or false, once")
        }
    }

    /// A whole number in a range; nil when absent.
    func integer(_ name: String, _ range: ClosedRange<Int64>) throws(ServiceProblem) -> Int64? {
        guard let text = value(name) else { return nil }
        guard let value = Int64(text), range.contains(value) else {
            throw .invalid(name, "expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// A day of the calendar, `yyyy-mm-dd`; nil when it is absent.
    func day(_ name: String) throws(ServiceProblem) -> String? {
        guard let text = self[name] else { return nil }
        // The 31st of a shorter month is read as a day of the next one, whose text differs.
        guard let start = ISO8601.milliseconds("\(text)T00:00Z"), ISO8601.day(start / 86_400_000) == text else {
            throw .invalid(name, "expected a day as yyyy-mm-dd")
        }
        return text
    }

    /// Decodes as forms do: browsers and many clients write a space as `+`, and a plus as `%2B`.
    private static func decoded(_ text: Substring) -> String {
        let spaced = String(text.map { $0 == "+" ? " " : $0 })
        return spaced.removingPercentEncoding ?? spaced
    }
}
