// The live events of matches as a sequence; leaving the loop or cancelling the task closes the connection.

internal import Foundation
internal import LiveSurface

/// A live stream of one to ten matches, which begins when it is iterated.
///
/// The sequence ends when all matches are over. It throws `ClientError` for what a repetition does not repair, and
/// `CancellationError` when the task is cancelled. Use it while the app is in the foreground.
public struct LiveMatches: AsyncSequence, Sendable {
    /// The elements.
    public typealias Element = LiveMatchEvent

    let matches: [String]
    let settings: ClientSettings
    let reads: MatchReads
    let clock: any ClientClock
    let random: @Sendable () -> any RandomNumberGenerator & Sendable

    /// Begins a stream.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            state: LiveStreamState(matches: matches, settings: settings),
            reads: reads,
            clock: clock,
            random: AnyRandomSource(base: random())
        )
    }

    /// Only the states, newest last; the match of each is in it.
    public var states: AsyncCompactMapSequence<LiveMatches, LiveMatchState> {
        compactMap { event in
            if case .state(let state) = event { state } else { nil }
        }
    }

    /// Performs the actions of the stream while the app waits for the next event.
    public struct Iterator: AsyncIteratorProtocol {
        private enum Incoming: Sendable {
            case bytes([UInt8])
            case closed(TransportError?)
            case due
        }

        private var state: LiveStreamState
        private let reads: MatchReads
        private let clock: any ClientClock
        private var random: AnyRandomSource
        private var connection = ConnectionHandle()
        private var ready: [LiveMatchEvent] = []
        private var outcome: Result<Void, ClientError>?
        private var hasStarted = false

        fileprivate init(state: LiveStreamState, reads: MatchReads, clock: any ClientClock, random: AnyRandomSource) {
            self.state = state
            self.reads = reads
            self.clock = clock
            self.random = random
        }

        /// The next event; nil when all matches are over.
        ///
        /// - Throws: `ClientError` for what a repetition does not repair, `CancellationError` after a cancellation.
        public mutating func next() async throws -> LiveMatchEvent? {
            if !hasStarted {
                hasStarted = true
                try await feed(.started)
            }
            while ready.isEmpty, outcome == nil {
                try Task.checkCancellation()
                switch try await incoming() {
                case .bytes(let bytes): try await feed(.bytes(bytes))
                case .closed(let error): try await feed(.closed(error))
                case .due: try await feed(.timer)
                }
            }
            if !ready.isEmpty { return ready.removeFirst() }
            try outcome?.get()
            return nil
        }

        private mutating func feed(_ event: LiveStreamState.Event) async throws {
            var events = [event]
            while !events.isEmpty {
                let actions = state.handle(events.removeFirst(), at: clock.now, using: &random)
                for action in actions {
                    if let next = try await perform(action) { events.append(next) }
                }
            }
        }

        private mutating func perform(_ action: LiveStreamState.Action) async throws -> LiveStreamState.Event? {
            switch action {
            case .deliver(let event): ready.append(event)
            case .disconnect: connection = ConnectionHandle()
            case .finish(let error):
                connection = ConnectionHandle()
                outcome = error.map { .failure($0) } ?? .success(())
            case .poll(let match):
                let result = await reads.poll(match)
                try Task.checkCancellation()
                return .polled(match: match, result)
            case .connect(let request): return try await connect(request)
            }
            return nil
        }

        /// Opens the connection; the deadline of the state ends the attempt.
        private mutating func connect(_ request: ClientRequest) async throws -> LiveStreamState.Event {
            let (reads, clock, deadline) = (reads, clock, state.deadline)
            let opened = try await clock.race(until: deadline) { () async throws(TransportError) in
                let response = try await reads.open(request)
                // The handle closes the connection also when the result comes too late.
                return (response, ConnectionHandle(response.body))
            }
            try Task.checkCancellation()
            switch opened {
            case .success((let response, let handle))?:
                connection = handle
                let wait = response.headers["retry-after"].flatMap { Int64($0) }
                return .opened(status: response.status, retryAfterSeconds: wait)
            case .failure(let error)?: return .closed(error)
            case nil: return .closed(.timedOut)
            }
        }

        /// Waits for bytes of the connection, or for the deadline of the state.
        private func incoming() async throws -> Incoming {
            let (body, clock, deadline) = (connection.body, clock, state.deadline)
            guard let body else {
                guard let deadline else { return .closed(nil) }
                try await clock.wait(until: deadline)
                return .due
            }
            let result = try await clock.race(until: deadline) { () async throws(TransportError) in
                try await body.next()
            }
            try Task.checkCancellation()
            switch result {
            case .success(let bytes?)?: return .bytes(bytes)
            case .success(nil)?: return .closed(nil)
            case .failure(let error)?: return .closed(error)
            case nil: return .due
            }
        }
    }
}

/// Closes its connection when the iterator drops it.
private final class ConnectionHandle: Sendable {
    let body: (any ByteStream)?

    init(_ body: (any ByteStream)? = nil) { self.body = body }

    deinit { body?.cancel() }
}

/// A random source of any type.
struct AnyRandomSource: RandomNumberGenerator, Sendable {
    var base: any RandomNumberGenerator & Sendable

    mutating func next() -> UInt64 { base.next() }
}
