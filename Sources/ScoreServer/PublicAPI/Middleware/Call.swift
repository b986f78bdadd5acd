// Handlers receive an admitted request: its device, its address and its parameters.

import HTTPTypes
import Hummingbird
import NIOCore
import ScoreTypes

/// One admitted request.
struct Call: Sendable {
    let request: Request
    let context: ServiceContext
    let address: ClientAddress
    /// The device of the request's credential; nil without one.
    let device: DeviceID?
    let deadlines: RequestDeadlines

    /// The query.
    var query: QueryFields { QueryFields(request.uri.query) }

    /// The device; routes that require one have checked it before.
    func owner() throws(ServiceProblem) -> DeviceID {
        guard let device else { throw ServiceProblem(.unauthenticated) }
        return device
    }

    /// An id in the path.
    func parameter<ID: TextID>(_ name: String, as type: ID.Type) throws(ServiceProblem) -> ID {
        guard let text = context.parameters.get(name), let id = ID(text) else {
            throw .invalid(name, "expected 1 to 64 of A-Z a-z 0-9 . _ -")
        }
        return id
    }

    /// A whole number in the path, in digits without a sign.
    func integer(_ name: String, _ range: ClosedRange<Int64>) throws(ServiceProblem) -> Int64 {
        let digits = word(name)
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(digits), range.contains(number)
        else { throw .invalid(name, "expected a whole number from \(range.lowerBound) to \(range.upperBound)") }
        return number
    }

    /// A parameter of the path; empty when absent.
    func word(_ name: String) -> String { context.parameters.get(name) ?? "" }

    /// The body; throws `unsupported-media-type`, `payload-too-large` or `request-timeout`.
    func bodyBytes(max: Int, types: Set<String> = ["application/json"]) async throws -> [UInt8] {
        let type = request.headers[.contentType]?.split(separator: ";").first?.lowercased() ?? ""
        guard types.contains(type) else { throw ServiceProblem(.unsupportedMediaType) }
        let tooLarge = ServiceProblem(.payloadTooLarge, extras: ["limitBytes": .whole(max)])
        if let announced = request.headers[.contentLength].flatMap({ Int($0) }), announced > max { throw tooLarge }
        let body = request.body
        return try await Deadline.runToEnd(deadlines.body, ServiceProblem(.requestTimeout)) {
            do {
                return [UInt8](buffer: try await body.collect(upTo: max))
            } catch is NIOTooManyBytesError {
                throw tooLarge
            } catch is CancellationError {
                throw ServiceProblem(.requestTimeout)
            } catch {
                // The framing of the body is broken, or the client is gone.
                throw ServiceProblem.invalid("", "the body cannot be read")
            }
        }
    }

    /// The body of at most so many bytes as JSON.
    func json(max: Int) async throws -> JSONElement { try Self.parse(await bodyBytes(max: max)) }

    /// Parses a body; throws `invalid-request` that names the rule and the byte.
    static func parse(_ bytes: [UInt8]) throws(ServiceProblem) -> JSONElement {
        do {
            return try JSONElement(parsing: bytes, .strict)
        } catch {
            let detail = "not acceptable JSON at byte \(error.offset)"
            throw .invalid([FieldError(pointer: "", code: error.rule.rawValue, detail: detail)])
        }
    }
}
