// For one reader at most the newest state of each match waits, or a bounded queue of single events.

import MatchEngine
import NIOCore
import ScoreTypes

/// Why a stream is over.
enum StreamEnd: String, Sendable, Hashable, CaseIterable {
    case client, maxAge, draining, slow, overload, revoked, adminDisconnect, vanished, writeError, matchOver

    /// Whether the reader receives a `bye`.
    var hasBye: Bool {
        switch self {
        case .maxAge, .draining, .slow, .overload, .revoked, .adminDisconnect: true
        case .client, .vanished, .writeError, .matchOver: false
        }
    }
}

/// The effect of offering the events of a publication.
enum StreamOffer: Sendable, Hashable {
    /// They wait, or the reader has them.
    case kept
    /// The reader misses at least one of the match.
    case skipped
    /// The reader is too slow; its stream has to end.
    case slow
}

/// An event about the condition of a match, without a position.
struct StreamNotice: Sendable {
    /// The conditions of a match; a newer notice of a condition replaces the one that waits.
    enum Kind: Sendable, Hashable {
        case held, stale
    }

    let match: MatchID
    let kind: Kind
    let event: ByteBuffer
}

/// The pending events of one subscriber, as a value.
struct StreamMailbox: Sendable {
    /// The events that the writer takes at once.
    struct Delivery: Sendable {
        var buffers: [ByteBuffer] = []
        /// How many of the buffers' events are states.
        var frameCount = 0
        /// Set on the last delivery.
        var end: StreamEnd?
    }

    /// The events that wait, in the form of the mode.
    private enum Pending: Sendable {
        case states([StreamFrame])
        case balls(BallsQueue)

        var isEmpty: Bool {
            switch self {
            case .states(let frames): frames.isEmpty
            case .balls(let queue): queue.isEmpty
            }
        }
    }

    private(set) var positions: StreamPositions
    private var pending: Pending
    /// At most one of each kind for each match.
    private var notices: [StreamNotice] = []
    private var ping: ByteBuffer?
    private var end: (reason: StreamEnd, bye: ByteBuffer?)?
    private var open: Set<MatchID>

    init(matches: [MatchID], positions: StreamPositions, mode: StreamMode = .state) {
        self.positions = positions
        pending = mode == .state ? .states([]) : .balls(BallsQueue())
        open = Set(matches)
    }

    /// Whether there is something to take.
    var isEmpty: Bool { pending.isEmpty && notices.isEmpty && ping == nil && end == nil }
    /// Whether the final state of every match has been sent.
    var hasSentAllEnds: Bool { open.isEmpty }
    /// Why it is closing; nil while it is not.
    var endReason: StreamEnd? { end?.reason }

    /// Takes over what the opening sends, and drops waiting states that are not newer.
    mutating func begin(_ opening: StreamOpening) {
        for frame in opening.frames { markSent(frame) }
        guard case .balls(var queue) = pending else { return }
        for frame in opening.frames { queue.begin(frame.match, at: frame.revision) }
        for replay in opening.replays {
            positions[replay.match] = replay.after
            queue.begin(replay.match, at: replay.after, replay: replay.frames)
        }
        pending = .balls(queue)
    }

    /// Marks an event as sent, and drops waiting states that are not newer.
    mutating func markSent(_ frame: StreamFrame) {
        positions[frame.match] = frame.revision
        if frame.isEnd { open.remove(frame.match) }
        guard case .states(var frames) = pending, !frames.isEmpty else { return }
        frames.removeAll { $0.match == frame.match && $0.revision.number <= frame.revision.number }
        pending = .states(frames)
    }

    /// The bytes of a publication that need not wait: nothing else waits, and they are the same for all streams of the
    /// match.
    mutating func pass(_ batch: StreamBatch) -> ByteBuffer? {
        let position = positions[batch.match]
        guard isEmpty, positions.isSingle else { return nil }
        switch pending {
        case .states:
            let frame = batch.state
            guard !frame.isEnd, frame.revision.number > position?.number ?? -1, frame.isShared(after: position) else {
                return nil
            }
            positions[frame.match] = frame.revision
            return frame.singleChunk
        case .balls(var queue):
            guard let frame = queue.pass(batch) else { return nil }
            pending = .balls(queue)
            positions[frame.match] = frame.revision
            return frame.singleChunk
        }
    }

    /// Adds the events of a publication.
    mutating func offer(_ batch: StreamBatch) -> StreamOffer {
        guard case .balls(var queue) = pending else { return offer(batch.state) ? .skipped : .kept }
        guard end == nil else { return .kept }
        pending = .states([])
        let result = queue.offer(batch)
        pending = .balls(queue)
        return result
    }

    /// Adds a state in the place of an older one of its match, and returns whether one was skipped.
    mutating func offer(_ frame: StreamFrame) -> Bool {
        guard case .states(var frames) = pending, end == nil else { return false }
        guard frame.revision.number > positions[frame.match]?.number ?? -1 else { return false }
        defer { pending = .states(frames) }
        guard let index = frames.firstIndex(where: { $0.match == frame.match }) else {
            frames.append(frame)
            return false
        }
        guard frames[index].revision.number < frame.revision.number else { return false }
        frames[index] = frame
        return true
    }

    /// Adds a notice in the place of an older one of its match and kind.
    mutating func notify(_ notice: StreamNotice) {
        guard end == nil else { return }
        notices.removeAll { $0.match == notice.match && $0.kind == notice.kind }
        notices.append(notice)
    }

    /// Adds a ping unless another event waits.
    mutating func keepAlive(_ event: ByteBuffer) {
        if isEmpty { ping = event }
    }

    /// Ends the stream after the events that wait; the first reason holds.
    mutating func close(_ reason: StreamEnd, bye: ByteBuffer?) {
        if end == nil { end = (reason, reason.hasBye ? bye : nil) }
    }

    /// Takes what waits, of single events a few; nil when nothing does.
    mutating func take() -> Delivery? {
        guard !isEmpty else { return nil }
        let frames = takeFrames()
        var delivery = Delivery(end: pending.isEmpty ? end?.reason : nil)
        for frame in frames {
            let position = positions[frame.match]
            markSent(frame)
            delivery.buffers += frame.buffers(positions: positions, after: position)
            delivery.buffers += frame.isEnd ? [Self.endEvent(of: frame, positions)] : []
            delivery.frameCount += 1
        }
        delivery.buffers += notices.map(\.event) + (ping.map { [$0] } ?? [])
        if delivery.end != nil, let bye = end?.bye { delivery.buffers.append(bye) }
        (notices, ping) = ([], nil)
        return delivery
    }

    private mutating func takeFrames() -> ArraySlice<StreamFrame> {
        switch pending {
        case .states(let frames):
            pending = .states([])
            return frames[...]
        case .balls(var queue):
            pending = .states([])
            defer { pending = .balls(queue) }
            return queue.take()
        }
    }

    /// `end`: the match is over, and this was its last state.
    static func endEvent(of frame: StreamFrame, _ positions: StreamPositions) -> ByteBuffer {
        let data = JSONWriter.document { json in
            json.field("matchId", frame.match.text)
            json.field("result", ifPresent: frame.end?.result)
        }
        var buffer = EventText.lines(event: "end", data: data)
        var ending = EventText.ending(id: positions.text)
        buffer.writeBuffer(&ending)
        return buffer
    }
}
