// A metric is found by its label and dimensions, which costs more than a whole read; so those in use are kept.

import HTTPTypes
import Metrics
import Synchronization

/// The counters and durations of a listener's requests.
///
/// There is one entry for each route, method and status in use; all three come from the server.
final class RequestMetrics: Sendable {
    private struct Kind: Hashable {
        let method: HTTPRequest.Method
        let route: String
        let status: Int
    }

    private struct Series: Sendable {
        let requests: Counter
        let duration: Timer
    }

    private let listener: String
    private let series = Mutex<[Kind: Series]>([:])

    init(listener: String) { self.listener = listener }

    /// Counts an answer; `route` is the pattern of the route, nil or `NotFound` for none.
    func count(_ method: HTTPRequest.Method, _ route: String?, _ status: HTTPResponse.Status, took: Duration) {
        let route = route.map { $0 == "NotFound" ? "none" : $0 } ?? "none"
        let known = RouteTable.knownMethods.contains(method) ? method : Self.other
        let kind = Kind(method: known, route: route, status: status.code)
        let series = series.withLock { all in
            if let series = all[kind] { return series }
            let series = make(kind)
            all[kind] = series
            return series
        }
        series.requests.increment()
        series.duration.record(duration: took)
    }

    private func make(_ kind: Kind) -> Series {
        let name = kind.method == Self.other ? "other" : kind.method.rawValue
        let place = [("listener", listener), ("route", kind.route), ("method", name)]
        let code = ("code", String(kind.status))
        return Series(
            requests: Counter(label: "score_http_requests_total", dimensions: place + [code]),
            duration: Timer(label: "score_http_request_duration_seconds", dimensions: place)
        )
    }

    /// Stands for all methods that a client invents.
    private static let other = HTTPRequest.Method("OTHER") ?? .get
}
