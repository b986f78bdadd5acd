// A request for one addressee that no walk would find: a start, an end, a notification, a broadcast.

internal import HTTP2
internal import ScoreTypes

/// One request outside the fan-out.
struct DirectedPush: Sendable {
    enum Target: Sendable {
        case device(DeviceID, generation: Int32, token: PushToken)
        case channel(ChannelID)
    }

    /// Given back with the result.
    let ticket: UInt64
    let kind: PayloadKind
    let match: MatchID
    let target: Target
    let body: BodyBytes
    let priority: PushPriority
    /// `apns-expiration`, seconds since 1970; 0 stores nothing.
    let expiration: Int64
    let seed: RequestSeed
    /// Whether it is sent again when nobody knows its fate; a start or an alert would be doubled.
    let repeatsWhenAmbiguous: Bool
    /// Whether the lane tries again by itself; the owner of a channel's states would rather send something newer.
    let repeatsWhenFailed: Bool
    /// `apns-collapse-id` of a notification; nil for none.
    var collapseID: String?
    /// When the lane took it.
    var queuedAt: Duration = .zero
    var attempt: UInt8 = 0
    var firstSentAt: Duration?

    var isBroadcast: Bool { if case .channel = target { true } else { false } }

    /// Whether APNs would not keep it any more; what is not to be stored has no deadline.
    func isExpired(at second: Int64) -> Bool { expiration > 0 && second >= expiration }
}

/// What became of a directed request.
struct DirectedResult: Sendable {
    let ticket: UInt64
    let kind: PayloadKind
    let environment: PushEnvironment
    let match: MatchID
    let target: DirectedPush.Target
    let outcome: PushOutcome
    let reason: APNsReason
    let apnsTimestampMilliseconds: Int64?
    /// How long APNs asked to wait; nil when it did not say.
    var retryAfter: Duration?
    /// Its deadline passed while it waited; trying it once more would help nobody.
    var isExpired = false
}

/// Requests that wait for a stream: in order, or for their time.
struct DirectedQueue {
    /// Requests that may wait in one environment of a lane; a tenth of a second of work.
    static let countMax = 50_000

    private var ready: [DirectedPush] = []
    private var head = 0
    private var delayed = DueHeap<DirectedPush>(countMax: countMax)
    /// No request that waits has an earlier deadline; most of the time that is all there is to know.
    private(set) var earliestExpiration: Int64 = .max

    var count: Int { ready.count - head + delayed.count }

    mutating func append(_ push: DirectedPush) -> Bool {
        guard count < Self.countMax else { return false }
        ready.append(push)
        expect(push)
        return true
    }

    mutating func delay(_ push: DirectedPush, until due: Duration) -> Bool {
        expect(push)
        return delayed.insert(push, due: due)
    }

    /// Takes out what APNs would not keep any more at a second since 1970, whatever it waits for.
    mutating func removeExpired(at second: Int64) -> [DirectedPush] {
        guard second >= earliestExpiration else { return [] }
        earliestExpiration = .max
        var expired = ready[head...].filter { $0.isExpired(at: second) }
        ready = ready[head...].filter { !$0.isExpired(at: second) }
        head = 0
        ready.forEach { expect($0) }
        for (push, due) in delayed.removeAllWithDue() {
            if push.isExpired(at: second) { expired.append(push) } else { _ = delay(push, until: due) }
        }
        return expired
    }

    private mutating func expect(_ push: DirectedPush) {
        if push.expiration > 0 { earliestExpiration = min(earliestExpiration, push.expiration) }
    }

    mutating func next(at now: Duration, where fits: (DirectedPush) -> Bool) -> DirectedPush? {
        while let push = delayed.popDue(at: now) { ready.append(push) }
        guard head < ready.count, fits(ready[head]) else { return nil }
        defer {
            head += 1
            if head == ready.count {
                ready.removeAll(keepingCapacity: true)
                head = 0
            }
        }
        return ready[head]
    }
}
