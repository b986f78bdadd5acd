// Every answer that is not what was asked for is made here, so that none can show what only we should see.

import HTTPTypes
import Hummingbird
import NIOCore
import ScoreTypes

/// A problem detail (RFC 9457) on its way to a client.
struct ServiceProblem: Error, Sendable, Hashable {
    let kind: ProblemKind
    /// What happened this time, in words that may be shown to anybody.
    var detail: String?
    /// Further members, as the catalogue names them.
    var extras: [JSONValue.Member] = []
    /// When to come back.
    var retryAfter: Duration?
    /// Methods for `Allow`.
    var allow: [String] = []
    /// What else the answer's head says.
    var headers: HTTPFields = [:]

    init(_ kind: ProblemKind, _ detail: String? = nil, extras: KeyValuePairs<String, JSONValue> = [:]) {
        self.kind = kind
        self.detail = detail
        self.extras = extras.map { JSONValue.Member(name: $0.key, value: $0.value) }
    }

    /// The slug in `type`.
    var slug: String { kind.rawValue }
    /// The status code.
    var status: Int { kind.status }
    /// The title of the kind.
    var title: String { kind.title }

    /// Values that cannot be accepted.
    static func validation(_ errors: [FieldError]) -> ServiceProblem {
        ServiceProblem(.validationFailed, extras: ["errors": list(errors)])
    }

    /// A request that cannot be read.
    static func invalid(_ errors: [FieldError]) -> ServiceProblem {
        ServiceProblem(.invalidRequest, extras: ["errors": list(errors)])
    }

    /// One part of the request cannot be read.
    static func invalid(_ pointer: String, _ detail: String) -> ServiceProblem {
        invalid([FieldError(pointer: pointer, code: "format", detail: detail)])
    }

    /// Something that we need does not answer; comes back with a spread, so that not all return at once.
    static func unavailable(_ cause: String, seconds: ClosedRange<Int> = 1...5) -> ServiceProblem {
        var problem = ServiceProblem(.temporarilyUnavailable, extras: ["cause": .text(cause)])
        problem.retryAfter = .seconds(Int.random(in: seconds))
        return problem
    }

    /// The body.
    func bytes(instance: String) -> [UInt8] {
        JSONWriter.document { json in
            json.field("type", "/v1/problems/\(slug)")
            json.field("title", title)
            json.field("status", status)
            json.field("detail", ifPresent: detail)
            json.field("instance", instance)
            for extra in extras {
                json.key(dynamic: extra.name)
                extra.value.write(into: &json)
            }
        }
    }

    /// The whole answer.
    func response(instance: String) -> Response {
        var headers = headers
        headers[.contentType] = "application/problem+json"
        headers[.cacheControl] = "no-store"
        if let retryAfter { headers[.retryAfter] = String(retryAfter.secondsRoundedUp) }
        if !allow.isEmpty { headers[.allow] = allow.joined(separator: ", ") }
        switch kind {
        case .unauthenticated: headers[.wwwAuthenticate] = "Bearer"
        case .invalidCredential: headers[.wwwAuthenticate] = "Bearer error=\"invalid_token\""
        default: break
        }
        let body = ByteBuffer(bytes: bytes(instance: instance))
        return Response(status: .init(code: status), headers: headers, body: ResponseBody(byteBuffer: body))
    }

    private static func list(_ errors: [FieldError]) -> JSONValue {
        .array(
            errors.prefix(errorsMax).map { error in
                .record(["pointer": .text(error.pointer), "code": .text(error.code), "detail": .text(error.detail)])
            }
        )
    }

    /// Most mistakes named in one answer; a body full of them would be answered with a larger one.
    private static let errorsMax = 32
}

extension Duration {
    /// Whole seconds as headers tell them: never less than the time itself, and never none.
    var secondsRoundedUp: Int64 { max(1, (milliseconds + 999) / 1000) }
}
