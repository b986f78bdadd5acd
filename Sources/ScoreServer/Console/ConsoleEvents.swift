// An open page is shown again when a match changes, and every few seconds for the figures that have no event.

import HTTPTypes
import Hummingbird
import NIOCore
import ScoreTypes

/// `GET /admin/api/v1/events`: a stream with one event for each change; several changes share an event.
struct ConsoleEvents: Sendable {
    let matches: MatchCache
    let clock: ServiceClock

    /// Adds the route.
    func add(to router: InternalRouter) {
        router.read(.consoleEvents) { _ in answer() }
    }

    private func answer() -> Response {
        let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        let (matches, clock) = (matches, clock)
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody { writer in
                var sent = matches.version
                try await writer.write(ByteBuffer(string: "retry: 2000\ndata: \(sent)\n\n"))
                let end = clock.monotonic + ServerLimits.consoleStreamAge
                var due = clock.monotonic + ServerLimits.consoleRefresh
                while clock.monotonic < end {
                    try await Task.sleep(for: ServerLimits.consoleLook)
                    let version = matches.version
                    guard version != sent || clock.monotonic >= due else { continue }
                    (sent, due) = (version, clock.monotonic + ServerLimits.consoleRefresh)
                    try await writer.write(ByteBuffer(string: "data: \(version)\n\n"))
                }
                try await writer.finish(nil)
            }
        )
    }
}
