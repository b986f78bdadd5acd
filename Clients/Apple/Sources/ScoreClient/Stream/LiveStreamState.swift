// One live stream as a value: when to connect, what to deliver, when to wait, poll or stop.

internal import Foundation
internal import LiveSurface

/// The decisions of a live stream.
struct LiveStreamState: Sendable {
    /// An event of the network or of time.
    enum Event: Sendable {
        case started
        case opened(status: Int, retryAfterSeconds: Int64?)
        case bytes([UInt8])
        /// The connection has ended or could not be opened; nil for a clean end.
        case closed(TransportError?)
        /// The result of a poll of one match.
        case polled(match: String, Result<MatchDetail, ClientError>)
        case timer
    }

    /// An action of the iterator.
    enum Action: Sendable, Hashable {
        case connect(ClientRequest)
        case disconnect
        case deliver(LiveMatchEvent)
        /// Reads a match; a state that is not newer is not delivered.
        case poll(match: String)
        /// Ends the sequence; the error is nil when all matches are over.
        case finish(ClientError?)
    }

    enum Phase: Sendable, Hashable { case idle, opening, streaming, waiting, polling, finished }

    let matches: [String]
    let settings: ClientSettings
    var phase = Phase.idle
    var parser = EventStreamParser()
    var newest: [String: Position] = [:]
    var ended: Set<String> = []
    var held: Set<String> = []
    var stale: Set<String> = []
    var backOff = BackOff()
    var failures = 0
    /// Whether the server has answered one of these attempts, so that only its stream fails.
    var wasAnswered = false
    var heartbeat = ClientLimits.assumedHeartbeat
    var pollingEnds: Duration?
    var polls: [String] = []
    var pollWait = ClientLimits.pollIntervals.upperBound
    /// The uptime before which nothing is sent, as the answer to a poll requests.
    var busyUntil: Duration = .zero
    /// The matches that had ended when the server refused the stream; nil outside the round of polls that follows.
    var endedBeforeRefusal: Int?
    var byeWait: Duration?
    var hasHello = false
    /// The uptime at which a `timer` event is due; nil for none.
    var deadline: Duration?

    struct Position: Sendable {
        var epoch: String
        var rev: Int64
    }

    /// Begins a stream of one to ten matches.
    init(matches: [String], settings: ClientSettings) {
        self.matches = matches
        self.settings = settings
    }

    /// Reacts to an event.
    mutating func handle(
        _ event: Event,
        at now: ClientInstant,
        using random: inout some RandomNumberGenerator
    ) -> [Action] {
        switch (event, phase) {
        case (_, .finished): return []
        case (.started, _): return settings.sseEnabled ? connect(at: now) : beginPolling(for: nil, at: now)
        case (.opened(let status, let wait), .opening): return opened(status, wait, at: now, using: &random)
        case (.bytes(let bytes), .streaming): return read(bytes, at: now, using: &random)
        // A closed body has no more bytes: reading it again during the wait would not pause.
        case (.closed, .opening), (.closed, .streaming): return [.disconnect] + lost(at: now, using: &random)
        case (.timer, _): return expired(at: now, using: &random)
        case (.polled(let match, let result), .polling): return polled(match, result, at: now, using: &random)
        case (.opened, _), (.bytes, _), (.closed, _), (.polled, _): return []
        }
    }

    /// The matches that are not over.
    var openMatches: [String] { matches.filter { !ended.contains($0) } }

    mutating func connect(at now: ClientInstant) -> [Action] {
        phase = .opening
        (hasHello, byeWait) = (false, nil)
        deadline = now.uptime + ClientLimits.firstEventTime
        parser = EventStreamParser(lastEventID: parser.lastEventID)
        var request: ClientRequest
        if matches.count == 1, let match = matches.first {
            request = ClientRequest(.get, "/v1/matches/\(ClientRequest.segment(match))/stream")
        } else {
            // Also for a last open match: the route of one match has another form of ids.
            let query = [URLQueryItem(name: "matches", value: openMatches.joined(separator: ","))]
            request = ClientRequest(.get, "/v1/stream", query: query)
        }
        request.headers["accept"] = "text/event-stream"
        if !parser.lastEventID.isEmpty { request.headers["last-event-id"] = parser.lastEventID }
        return [.connect(request)]
    }

    private mutating func opened(
        _ status: Int,
        _ wait: Int64?,
        at now: ClientInstant,
        using random: inout some RandomNumberGenerator
    ) -> [Action] {
        wasAnswered = true
        switch status {
        case 200:
            phase = .streaming
            return []
        // The matches ended while there was no connection: a last read has their last states.
        case 204: return [.disconnect] + beginPolling(for: nil, at: now)
        case 404, 410:
            guard matches.count > 1 else { return [.disconnect] + finish(ClientError(ClientResponse(status: status))) }
            // The server refuses a stream for one missing match: polls find out which one it is.
            endedBeforeRefusal = ended.count
            return [.disconnect] + beginPolling(for: nil, at: now)
        default:
            let error = ClientError(ClientResponse(status: status))
            guard error.advice == .retry else { return [.disconnect] + finish(error) }
            return [.disconnect] + lost(waiting: wait.map { .seconds($0) }, at: now, using: &random)
        }
    }

    private mutating func read(
        _ bytes: [UInt8],
        at now: ClientInstant,
        using random: inout some RandomNumberGenerator
    ) -> [Action] {
        let events: [ServerSentEvent]
        do {
            events = try parser.read(bytes)
        } catch {
            return [.disconnect] + lost(at: now, using: &random)
        }
        // Padding and retry are no sign of life: a proxy that buffers passes them late, too.
        if hasHello { deadline = now.uptime + heartbeat * 5 / 2 }
        var actions: [Action] = []
        for event in events { actions += take(StreamMessage(event), at: now) }
        if ended.isSuperset(of: matches) { return actions + [.disconnect] + finish(nil) }
        if let byeWait {
            let jitter = Duration.milliseconds(Int64.random(in: 0...1000, using: &random))
            return actions + [.disconnect] + pause(byeWait + jitter, at: now)
        }
        return actions
    }

    private mutating func take(_ message: StreamMessage, at now: ClientInstant) -> [Action] {
        switch message {
        case .hello(let heartbeat):
            let range = ClientLimits.heartbeats
            self.heartbeat = min(max(heartbeat, range.lowerBound), range.upperBound)
            hasHello = true
            (failures, wasAnswered) = (0, false)
            backOff.reset()
            deadline = now.uptime + self.heartbeat * 5 / 2
            return [.deliver(.connection(.connected))] + clearFlags()
        case .event(.state(let state)): return deliver(state)
        case .event(let event):
            note(event)
            return [.deliver(event)]
        case .bye(let wait):
            byeWait = wait
            return []
        case .unreadable: return [.deliver(.unreadable)]
        case .ping, .unknown: return []
        }
    }

    /// The stream begins with the flags that are set; those of the connection before may have ended.
    private mutating func clearFlags() -> [Action] {
        defer { (held, stale) = ([], []) }
        return held.sorted().map { .deliver(.held(match: $0, false, reason: nil)) }
            + stale.sorted().map { .deliver(.stale(match: $0, false)) }
    }

    mutating func note(_ event: LiveMatchEvent) {
        switch event {
        case .ended(let match, _): ended.insert(match)
        case .held(let match, true, _): held.insert(match)
        case .held(let match, false, _): held.remove(match)
        case .stale(let match, true): stale.insert(match)
        case .stale(let match, false): stale.remove(match)
        case .state, .connection, .unreadable: break
        }
    }

    /// Delivers a state that is newer than the last one of its match; after a reset every state counts as newer.
    mutating func deliver(_ state: LiveMatchState) -> [Action] {
        var state = state
        if let last = newest[state.matchID] {
            if state.epoch != last.epoch { state.isReset = true }
            if !state.isReset, state.display.rev <= last.rev { return [] }
        }
        newest[state.matchID] = Position(epoch: state.epoch, rev: state.display.rev)
        return [.deliver(.state(state))]
    }

    mutating func finish(_ error: ClientError?) -> [Action] {
        phase = .finished
        deadline = nil
        return [.finish(error)]
    }
}
