// Every answer that a test receives over a socket is compared with openapi.yaml.

import ScoreTypes
import Testing

@testable import ScoreServer

/// Compares answers with a description of the API.
struct ContractChecker: Sendable {
    /// Statuses of every route that openapi.yaml describes by `default`; 403 is that of a blocked device.
    private static let common: Set<Int> = [400, 401, 403, 405, 408, 429, 431, 500, 503]
    /// Headers of the transport, which HTTP itself describes.
    private static let transport: Set<String> = [
        "content-type", "content-length", "content-encoding", "transfer-encoding", "connection", "date",
    ]

    private let schemas: SchemaChecker
    private let operations: [(method: String, segments: [Substring], value: JSONValue)]

    init(_ description: APIDescription) {
        schemas = SchemaChecker(description: description)
        operations = description.operations.map { ($0.method, $0.path.split(separator: "/"), $0.value) }
    }

    private static let embedded = APIDescription.embedded.map(ContractChecker.init)

    /// Fails the test for each difference between an answer and openapi.yaml.
    static func check(_ method: String, _ target: String, _ answer: WireAnswer) {
        do throws(YAMLSyntaxError) {
            for complaint in try embedded.get().complaints(method, target, answer) {
                Issue.record("\(method) \(target.prefix(120)) \(answer.status) differs from openapi.yaml: \(complaint)")
            }
        } catch {
            Issue.record("openapi.yaml, line \(error.line): expected \(error.expectation)")
        }
    }

    /// The differences; a body is compared unless it is a stream of events.
    func complaints(_ method: String, _ target: String, _ answer: WireAnswer) -> [String] {
        let path = target.split(separator: "?", omittingEmptySubsequences: false).first ?? ""
        // A browser's preflight request is answered beside the routes.
        if method == "OPTIONS" { return [204, 404, 405].contains(answer.status) ? [] : ["status"] }
        // The public listener has no internal path.
        let isOfOtherListener = answer.status == 404 && !path.hasPrefix("/v1/")
        guard !isOfOtherListener, let operation = operation(method == "HEAD" ? "GET" : method, path) else {
            let isRefusal = (400..<500).contains(answer.status)
            return isRefusal ? problems(answer, method) : ["no such operation"]
        }
        let responses = operation.member("responses")
        let stated = responses?.member("\(answer.status)")
        let common = Self.common.contains(answer.status) ? responses?.member("default") : nil
        guard let response = (stated ?? common).flatMap({ schemas.description.resolved($0) }) else {
            return ["the status \(answer.status) is not described"]
        }
        return headers(answer, response) + body(answer, response, isHead: method == "HEAD")
    }

    private func operation(_ method: String, _ path: Substring) -> JSONValue? {
        let segments = path.split(separator: "/")
        let found = operations.filter { operation in
            operation.method == method && operation.segments.count == segments.count
                && zip(operation.segments, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        return found.min { $0.segments.count { $0.hasPrefix("{") } < $1.segments.count { $0.hasPrefix("{") } }?.value
    }

    /// The answer to a request of no described operation: a problem with the general headers.
    private func problems(_ answer: WireAnswer, _ method: String) -> [String] {
        let response = schemas.description.resolved(.record(["$ref": .text("#/components/responses/Problem")]))
        guard let response else { return ["there is no response named Problem"] }
        return headers(answer, response) + body(answer, response, isHead: method == "HEAD")
    }

    private func headers(_ answer: WireAnswer, _ response: JSONValue) -> [String] {
        let document = schemas.description.document
        let general = document.member("components")?.member("headers")?.asMembers ?? []
        let own = response.member("headers")?.asMembers ?? []
        let described = Set((general + own).map { $0.name.lowercased() }).union(Self.transport)
        let unknown = answer.headers.keys.filter { !described.contains($0) }.sorted()
            .map { "the header \($0) is not described" }
        return unknown
            + (general + own).flatMap { header -> [String] in
                let rule = schemas.description.resolved(header.value) ?? .null
                guard let text = answer[header.name] else {
                    return rule.member("required") == .bool(true) ? ["the header \(header.name) is missing"] : []
                }
                let schema = rule.member("schema") ?? .bool(false)
                let isNumber = schemas.description.resolved(schema)?.member("type")?.asText == "integer"
                let value = (isNumber ? Int64(text).map(JSONValue.integer) : nil) ?? .text(text)
                return schemas.complaints(about: value, schema, at: header.name)
            }
    }

    private func body(_ answer: WireAnswer, _ response: JSONValue, isHead: Bool) -> [String] {
        let contents = response.member("content")?.asMembers ?? []
        guard !contents.isEmpty else { return answer.body.isEmpty ? [] : ["a body is not described"] }
        let media = answer["Content-Type"]?.split(separator: ";").first.map { String($0) } ?? "none"
        guard let content = contents.first(where: { $0.name == media }) else {
            return ["the media type \(media) is not described"]
        }
        // A packed body is unpacked by the tests of packing alone.
        guard !isHead, media.hasSuffix("json"), answer["Content-Encoding"] == nil,
            let schema = content.value.member("schema")
        else { return [] }
        guard let value = try? JSONValue(parsing: answer.body) else { return ["the body is not JSON"] }
        return schemas.complaints(about: value, schema, at: "")
    }
}
