// Each state goes to all streams of its match; a slow reader delays no other.

import HTTPTypes
import MatchJournal
import NIOCore
import ScoreTypes
import ServiceLifecycle
import Synchronization

/// All open streams of this node.
final class StreamHub: Service {
    let timing: StreamTiming
    let metrics = StreamMetrics()
    /// The newest changes of each match, from which streams resume.
    let history: ChangeHistory
    private let clock: ServiceClock
    private let admission: StreamAdmission
    private let loops: [StreamLoop]
    private let isAccepting = Atomic<Bool>(true)
    private let isDrained = Atomic<Bool>(false)

    init(caps: StreamCaps = StreamCaps(), timing: StreamTiming = StreamTiming(), clock: ServiceClock) {
        self.timing = timing
        self.clock = clock
        admission = StreamAdmission(caps: caps, metrics: metrics)
        history = ChangeHistory(clock: clock)
        loops = (1...ServerLimits.streamLoops).map { [metrics, history] number in
            StreamLoop(
                number: number,
                history: history,
                timing: timing,
                unsentMax: caps.unsentBytes / ServerLimits.streamLoops,
                metrics: metrics,
                clock: clock
            )
        }
    }

    /// How many streams are open.
    var connectionCount: Int { admission.count }

    /// How many streams watch each match.
    var watcherCounts: [MatchID: Int] { admission.watchers }

    /// Counts a new stream; throws 503 on a full or draining node, 429 for too many of a client, whose oldest one ends.
    ///
    /// - `factor`: Times by which an address may have more streams, since many phones share it.
    func enter(_ matches: [MatchID], party: ClientParty, factor: Int = 1) throws(ServiceProblem) -> StreamTicket {
        guard isAccepting.load(ordering: .relaxed) else { throw .unavailable("streams-off", seconds: 30...60) }
        if isDrained.load(ordering: .relaxed) { throw .unavailable("draining") }
        let refusal: StreamAdmission.Refusal
        do { return try admission.enter(matches, party, factor: factor) } catch { refusal = error }
        switch refusal {
        case .draining: throw .unavailable("draining")
        case .full: throw .unavailable("overload", seconds: 5...30)
        case .client(let oldest, let cap):
            if let oldest { loop(of: oldest).post(.close(oldest, .overload)) }
            throw Self.tooMany(cap)
        }
    }

    /// The answer to a client that has as many streams as it may have; a place is free once the oldest has ended.
    private static func tooMany(_ cap: Int) -> ServiceProblem {
        var problem = ServiceProblem(.quotaExceeded, extras: ["violatedPolicies": .array([.text("streams")])])
        problem.retryAfter = .seconds(1)
        problem.headers[.rateLimitPolicy] = "\"streams\";q=\(cap);qu=\"concurrent-requests\""
        problem.headers[.remainingQuota] = "\"streams\";r=0;t=1"
        return problem
    }

    /// Writes to a stream from its opening to its end.
    func open(_ stream: NewStream) { loop(of: stream.ticket.id).post(.open(stream)) }

    /// Ends the streams of a device whose credential is no longer valid.
    func revoke(_ device: DeviceID) {
        for stream in admission.streams(of: .device(device)) { loop(of: stream).post(.close(stream, .revoked)) }
    }

    /// How many streams of a device are open.
    func streamCount(of device: DeviceID) -> Int { admission.streams(of: .device(device)).count }

    /// The open streams of a match, or all.
    func streams(of match: MatchID?) async -> [StreamView] {
        var described: [StreamDescription] = []
        for loop in loops { described += await loop.streams(of: match) }
        let parties = admission.parties
        return described.compactMap { stream in parties[stream.id].map { StreamView(stream, of: $0) } }
    }

    /// Ends streams; their clients reconnect at random times within a time.
    func disconnect(_ streams: [StreamID], within spread: Duration) {
        let shortest = ServerLimits.streamReturnMilliseconds.lowerBound
        for stream in streams {
            let wait = Int64.random(in: shortest...max(shortest, spread.milliseconds))
            loop(of: stream).post(.close(stream, .adminDisconnect, reconnectAfter: .milliseconds(wait)))
        }
    }

    /// Offers a match's newest state, and the changes since the one before it, to all of its streams.
    func publish(_ view: MatchView, changes: [JournalEntry] = []) {
        let batch = history.append(view, changes)
        guard admission.hasWatchers(of: view.match) else { return }
        for loop in loops { loop.post(.publish(batch)) }
    }

    /// Sends the hold of a match, or its release, to the streams of the match.
    func publishHeld(_ match: MatchID, _ hold: MatchHold?) {
        notify(StreamNotice(match: match, kind: .held, event: EventText.held(match, hold)))
    }

    /// Sends to the streams of a match that no feed reports it, or that one does again.
    func publishStale(_ match: MatchID, since: Instant?) {
        let event = EventText.stale(match, since: since, now: clock.wall)
        notify(StreamNotice(match: match, kind: .stale, event: event))
    }

    /// Accepts streams from now on, or ends all of them and accepts no more until the next call.
    func accept(_ isAccepting: Bool) {
        self.isAccepting.store(isAccepting, ordering: .relaxed)
        if !isAccepting { endAll() }
    }

    /// Accepts no streams while an operator has drained the node.
    func setDrained(_ isDrained: Bool) { self.isDrained.store(isDrained, ordering: .relaxed) }

    /// Ends the open streams one after another over a time, until cancelled; their clients reconnect to other nodes.
    func shed(over spread: Duration) async {
        var open = admission.all.shuffled()
        var steps = max(1, Int(spread / ServerLimits.shedInterval))
        while !open.isEmpty, !Task.isCancelled {
            let count = (open.count + steps - 1) / steps
            for id in open.suffix(count) { loop(of: id).post(.close(id, .draining)) }
            open.removeLast(count)
            steps = max(1, steps - 1)
            if !open.isEmpty { try? await Task.sleep(for: ServerLimits.shedInterval) }
        }
    }

    /// Ends all streams and accepts no more; the clients reconnect to other nodes at random times within two ms each.
    func drain() {
        admission.drain()
        endAll()
    }

    private func endAll() {
        let spread = Duration.milliseconds(max(1_000, Int64(connectionCount) * 2))
        for loop in loops { loop.post(.drain(within: spread)) }
    }

    /// Ends all streams at shutdown, those of slow readers after ``ServerLimits/streamDrain``.
    func run() async throws {
        try? await gracefulShutdown()
        drain()
        let admission = admission
        // A reader that takes nothing is cut by the end of the loops.
        try? await Deadline.run(ServerLimits.streamDrain, .unavailable("draining")) { await admission.emptied.value() }
        for loop in loops { loop.post(.stop) }
    }

    private func notify(_ notice: StreamNotice) {
        for loop in loops { loop.post(.notify(notice)) }
    }

    private func loop(of id: StreamID) -> StreamLoop { loops[Int(id.number % UInt64(loops.count))] }
}
