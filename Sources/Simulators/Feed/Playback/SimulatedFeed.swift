// A provider with everything that goes wrong at one, as far as it goes without a wire.

public import ScoreTypes
import Synchronization

/// Answers requests in one provider's terms, and spoils some answers as its plan says.
public final class SimulatedFeed: Sendable {
    private let shape: any FeedShape
    private let plan: FaultPlan
    private let matches: [PlaybackMatch]
    private let clock: ServiceClock
    private let state = Mutex(State())

    private struct State {
        /// Domain time at which the feed was opened; nil before.
        var opening: Opening?
        /// Answers given, sign-in left out.
        var replies = 0
        /// The last contents of each match, by the count of its changes.
        var shown: [Int: RecentValues<Int, ShownMatch>] = [:]
        /// Cached answers of the last contents, by the counts of the matches' changes.
        var answers = RecentValues<[Int], [ShapeRequest: ServedAnswer]>()
        /// A copy that goes on being served for some replies, by its time in the feed.
        var stuck: (at: Duration, left: Int)?
        /// When each ball was first in a reply about its match, on the real monotonic clock.
        var firstServed: [Duration] = []
    }

    /// When the feed was opened, by both clocks.
    private struct Opening {
        let domain: Duration
        let wall: Instant
    }

    /// Replies for which a stuck copy is served, the first of them included.
    private static let stuckReplies = 3

    /// Prepares a feed whose matches advance by a clock.
    public init(matches: [PlaybackMatch], shape: any FeedShape, plan: FaultPlan = FaultPlan(), clock: ServiceClock) {
        self.matches = matches
        self.shape = shape
        self.plan = plan
        self.clock = clock
    }

    /// Lets time pass in the feed from now on; opening it twice changes nothing.
    public func open() {
        state.withLock { state in
            guard state.opening == nil else { return }
            state.opening = Opening(domain: clock.domain, wall: clock.wall)
        }
    }

    /// Time in the feed.
    public var time: Duration { state.withLock { $0.opening }.map { clock.domain - $0.domain } ?? .zero }

    /// Whether the results of all matches are known.
    public var isFinished: Bool { matches.allSatisfy { time >= $0.resultAt } }

    /// When each ball was first in a reply about its match, on the real monotonic clock, in the order of the replies.
    public var firstServed: [Duration] { state.withLock { $0.firstServed } }

    /// The content of all matches at a time in the feed.
    public func shown(at time: Duration) -> [ShownMatch] {
        let (opening, known) = state.withLock { ($0.opening, $0.shown) }
        let wall = (opening?.wall ?? clock.wall) + plan.clockSkew
        let time = max(.zero, time)
        return matches.enumerated().map { index, match in
            let count = match.changeCount(at: time)
            if let shown = known[index]?.value(for: count) { return shown }
            var shown = match.shown(at: time) { at in (wall + clock.real(at)).seconds }
            shown.isStartFixed = opening != nil
            // Before it is opened, a feed's times move with the clock.
            if opening != nil { state.withLock { $0.shown[index, default: .init()].keep(shown, for: count) } }
            return shown
        }
    }

    /// Answers a request; every call counts as a reply and may be spoilt, and during a spell every one is.
    public func answer(_ request: ShapeRequest) -> ServedAnswer {
        let now = time
        if let spell = plan.spell(at: now) {
            // A removed match is neither found by its id nor listed.
            if spell.fault == .vanished, !matches.isEmpty {
                var shown = shown(at: now)
                shown.remove(at: spell.part % matches.count)
                return made(request, of: shown)
            }
            return spell.spoil(plain(request, at: now))
        }
        let fault = nextFault(now)
        if fault?.fault == .reused { return made(request, of: shown(at: now).map { $0.ofOthers() }) }
        let then = now - (fault?.age ?? .zero)
        let answer = plain(request, at: then)
        return fault?.spoil(answer) ?? answer
    }

    /// Answers a request as it should be at a time in the feed.
    public func plain(_ request: ShapeRequest, at time: Duration) -> ServedAnswer {
        let counts = matches.map { $0.changeCount(at: max(.zero, time)) }
        let known = state.withLock {
            $0.opening != nil ? $0.answers.value(for: counts)?[request] : nil
        }
        if let known { return known }
        let answer = made(request, of: shown(at: time))
        state.withLock { state in
            // Before it is opened, a feed's times move with the clock.
            guard state.opening != nil else { return }
            state.answers.change(counts, from: [:]) { answers in
                if answers.count >= SimulatorLimits.cachedAnswers { answers = [:] }
                answers[request] = answer
            }
        }
        return answer
    }

    private func made(_ request: ShapeRequest, of shown: [ShownMatch]) -> ServedAnswer {
        // A list has no balls.
        let named = shown.filter { request.segments.contains($0.id.text) }
        let balls = named.reduce(0) { $0 + $1.ballIDs.count }
        state.withLock { state in
            let new = max(0, balls - state.firstServed.count)
            state.firstServed += Array(repeating: clock.monotonic, count: new)
        }
        return shape.answer(request, of: shown) ?? .refusal(404, retryAfter: nil)
    }

    /// The fault of the next reply; a stuck copy is served several times.
    private func nextFault(_ now: Duration) -> ReplyFault? {
        state.withLock { state in
            defer { state.replies += 1 }
            if let stuck = state.stuck {
                state.stuck = stuck.left > 0 ? (stuck.at, stuck.left - 1) : nil
                // A cache whose copy is over is filled with what there is now.
                return stuck.left > 0 ? ReplyFault(fault: .stuck, age: now - stuck.at) : nil
            }
            let fault = plan.reply(state.replies)
            if let fault, fault.fault == .stuck { state.stuck = (now - fault.age, Self.stuckReplies - 1) }
            return fault
        }
    }
}
