// The app's half of the public HTTP API, with the retries that an app needs when a server restarts.

public import CurlTransfer
import Foundation
import ScoreTypes

/// Why a phone gave up on a call.
public enum PhoneError: Error, CustomStringConvertible {
    case refused(call: String, status: Int, body: String)
    case unanswered(call: String)

    /// One sentence that names the call.
    public var description: String {
        switch self {
        case .refused(let call, let status, let body): "\(call) was answered \(status): \(body)"
        case .unanswered(let call): "\(call) got no answer within \(SimulatorLimits.callPatience)."
        }
    }
}

/// Calls the server on behalf of phones.
public struct PhoneAPI: Sendable {
    private let base: String
    private let host: String
    private let driver: TransferDriver

    /// Calls a server over plain HTTP, as the demo does on loopback.
    public init(host: String, port: Int, driver: TransferDriver) {
        base = "http://\(host):\(port)"
        self.host = host
        self.driver = driver
    }

    /// Sends a call until the server answers it or `callPatience` is over; the body of a 2xx answer.
    func call(
        _ method: String,
        _ path: String,
        credential: String? = nil,
        idempotencyKey: String? = nil,
        body: [UInt8]
    ) async throws -> [UInt8] {
        var headers = [("Content-Type", "application/json")]
        if let credential { headers.append(("Authorization", "Bearer \(credential)")) }
        if let idempotencyKey { headers.append(("Idempotency-Key", idempotencyKey)) }
        let transfer = Transfer(
            method: method,
            url: base + path,
            headers: headers.map { (name: $0.0, value: $0.1) },
            body: body,
            security: .local([host])
        )
        let deadline = ContinuousClock.now + SimulatorLimits.callPatience
        var wait = SimulatorLimits.firstCallWait
        while ContinuousClock.now < deadline {
            if let reply = try? await driver.perform(transfer) {
                switch reply.status {
                case 200..<300: return reply.body
                case 429, 500..<600: break
                default:
                    let text = String(decoding: reply.body.prefix(500), as: UTF8.self)
                    throw PhoneError.refused(call: "\(method) \(path)", status: reply.status, body: text)
                }
            }
            try await Task.sleep(for: wait)
            wait = min(wait * 2, SimulatorLimits.longestCallWait)
        }
        throw PhoneError.unanswered(call: "\(method) \(path)")
    }
}
