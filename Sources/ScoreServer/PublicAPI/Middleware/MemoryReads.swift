// Most requests read a match that is in memory; a task of the framework for each would cost twice the read.

import Glibc
import HTTPTypes
import Logging
import NIOCore
import ScoreTypes
import Synchronization

/// Answers reads from memory for clients without a credential, with the rules of the routes.
///
/// A request that it does not answer takes the ordinary way, which also makes each refusal.
struct MemoryReads: Sendable {
    private let matches: MatchRoutes
    private let admission: PublicAdmission
    private let requests: RequestMiddleware
    private let crossOrigin: CrossOriginPolicy
    private let logger: Logger
    private let dates = DateText()

    init(
        _ matches: MatchRoutes,
        by admission: PublicAdmission,
        _ requests: RequestMiddleware,
        _ crossOrigin: CrossOriginPolicy,
        _ logger: Logger
    ) {
        (self.matches, self.admission, self.requests) = (matches, admission, requests)
        (self.crossOrigin, self.logger) = (crossOrigin, logger)
    }

    /// The head and the body of the answer; nil when the routes must answer.
    func answer(_ request: HTTPRequest, from peer: SocketAddress?) -> (head: HTTPResponse, body: ByteBuffer?)? {
        let headers = request.headerFields
        guard request.method == .get, let target = request.path, let known = matches.known(at: target),
            !headers.contains(.authorization), !headers.contains(.contentLength), !headers.contains(.transferEncoding),
            RequestMiddleware.isWithinLimits(target, headers),
            let quota = admission.useRead(headers, from: peer, logger)
        else { return nil }
        let started = requests.clock.monotonic
        var (head, body) = known.answer.parts(for: headers, cacheControl: known.cacheControl)
        requests.complete(&head.headerFields, id: RequestMiddleware.identifier(headers), quota: quota)
        for field in crossOrigin.headers(for: headers[.origin]) { head.headerFields.append(field) }
        head.headerFields.append(HTTPField(name: .date, value: dates.text(at: requests.clock.wall)))
        requests.metrics.count(.get, known.route, head.status, took: requests.clock.monotonic - started)
        return (head, body)
    }
}

/// The date of answers as text, made once for each second (RFC 9110, section 6.6.1).
private final class DateText: Sendable {
    private let last = Mutex<(second: Int64, text: String)>((.min, ""))

    func text(at now: Instant) -> String {
        last.withLock { last in
            if last.second != now.seconds { last = (now.seconds, Self.made(at: now)) }
            return last.text
        }
    }

    private static func made(at now: Instant) -> String {
        var (moment, parts) = (time_t(now.seconds), tm())
        gmtime_r(&moment, &parts)
        return String(unsafeUninitializedCapacity: 30) { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                // The program sets no locale, so the names are the English ones that the rule requires.
                strftime($0.baseAddress, $0.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            }
        }
    }
}
