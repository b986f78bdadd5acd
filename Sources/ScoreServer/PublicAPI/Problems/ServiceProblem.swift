// All error answers are made here, so that none exposes internal details.

import HTTPTypes
import Hummingbird
import NIOCore
import ScoreTypes

/// A problem detail (RFC 9457) on its way to a client.
struct ServiceProblem: Error, Sendable, Hashable {
    let kind: ProblemKind
    /// The cause in this case; safe to show to any client.
    var detail: String?
    /// Further members, named as in the catalogue.
    var extras: [JSONValue.Member] = []
    /// Time to wait before a retry.
    var retryAfter: Duration?
    /// Further header fields.
    var headers: HTTPFields = [:]

    init(_ kind: ProblemKind, _ detail: String? = nil, extras: KeyValuePairs<String, JSONValue?> = [:]) {
        self.kind = kind
        self.detail = detail
        self.extras = JSONValue.Member.list(extras)
    }

    /// The status code.
    var status: Int { kind.status }

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

    /// There is no such match, which may be one of several in the request.
    static func missing(_ match: MatchID) -> ServiceProblem {
        ServiceProblem(.notFound, "There is no such match.", extras: ["match": .text(match.text)])
    }

    /// The provider of a match has removed it.
    static func removed(_ match: MatchID, at time: Instant) -> ServiceProblem {
        ServiceProblem(.matchRemoved, extras: ["match": .text(match.text), "removedAt": .text(time.rfc3339)])
    }

    /// An operator blocks the device; its app keeps everything and calls again later.
    static var blocked: ServiceProblem {
        var problem = ServiceProblem(.deviceBlocked)
        problem.retryAfter = ServerLimits.blockedRetry
        return problem
    }

    /// The order needs pushes, and this node sends none.
    static var noSigningKey: ServiceProblem {
        ServiceProblem(.conflict, "This node has no signing key; call a node with one.")
    }

    /// A dependency does not answer; Retry-After is random, so that clients do not return at once.
    static func unavailable(_ cause: String, seconds: ClosedRange<Int> = 1...5) -> ServiceProblem {
        var problem = ServiceProblem(.temporarilyUnavailable, extras: ["cause": .text(cause)])
        problem.retryAfter = .seconds(Int.random(in: seconds))
        return problem
    }

    /// The body.
    func bytes(instance: String) -> [UInt8] {
        JSONWriter.document { json in
            json.field("type", "/v1/problems/\(kind.rawValue)")
            json.field("title", kind.title)
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
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
        if let retryAfter { headers[.retryAfter] = String(retryAfter.secondsRoundedUp) }
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
            errors.prefix(ServerLimits.fieldErrors).map { error in
                .record(["pointer": .text(error.pointer), "code": .text(error.code), "detail": .text(error.detail)])
            }
        )
    }
}

extension Duration {
    /// Seconds for a header, rounded up; 1 or more.
    var secondsRoundedUp: Int64 { max(1, (milliseconds + 999) / 1000) }
}
