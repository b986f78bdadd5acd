// For one reader at most the newest state of each match waits, however slowly it reads.

import MatchEngine
import NIOCore
import ScoreTypes

/// Why a stream is over.
enum StreamEnd: String, Sendable, Hashable {
    case client, maxAge, draining, slow, overload, revoked, writeError, matchOver

    /// Whether the reader receives a `bye`.
    var hasBye: Bool { self != .client && self != .writeError && self != .matchOver && self != .slow }
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

    private(set) var positions: StreamPositions
    private var pending: [StreamFrame] = []
    private var notice: ByteBuffer?
    private var end: (reason: StreamEnd, bye: ByteBuffer?)?
    private var open: Set<MatchID>

    init(matches: [MatchID], positions: StreamPositions) {
        self.positions = positions
        open = Set(matches)
    }

    /// Whether there is something to take.
    var isEmpty: Bool { pending.isEmpty && notice == nil && end == nil }
    /// Whether the final state of every match has been sent.
    var hasSentAllEnds: Bool { open.isEmpty }
    /// Why it is closing; nil while it is not.
    var endReason: StreamEnd? { end?.reason }

    /// Marks a state as sent by the opening, and drops waiting ones that are not newer.
    mutating func markSent(_ frame: StreamFrame) {
        positions[frame.match] = frame.revision
        pending.removeAll { $0.match == frame.match && $0.revision.number <= frame.revision.number }
        if frame.isEnd { open.remove(frame.match) }
    }

    /// The bytes of a state that need not wait: nothing else waits, and they are the same for all streams of the match.
    mutating func pass(_ frame: StreamFrame) -> ByteBuffer? {
        guard isEmpty, positions.isSingle, !frame.isEnd, frame.revision.number > positions[frame.match]?.number ?? -1
        else { return nil }
        positions[frame.match] = frame.revision
        return frame.singleChunk
    }

    /// Adds a state in the place of an older one of its match, and returns whether one was skipped.
    mutating func offer(_ frame: StreamFrame) -> Bool {
        guard end == nil, frame.revision.number > positions[frame.match]?.number ?? -1 else { return false }
        if let index = pending.firstIndex(where: { $0.match == frame.match }) {
            guard pending[index].revision.number < frame.revision.number else { return false }
            pending[index] = frame
            return true
        }
        pending.append(frame)
        return false
    }

    /// Adds an event without a position; the newest one wins, and a ping never takes the place of anything.
    mutating func notify(_ event: ByteBuffer, isPing: Bool = false) {
        guard end == nil else { return }
        if isPing && !isEmpty { return }
        notice = event
    }

    /// Ends the stream after the events that wait; the first reason holds.
    mutating func close(_ reason: StreamEnd, bye: ByteBuffer?) {
        if end == nil { end = (reason, reason.hasBye ? bye : nil) }
    }

    /// Takes all that waits; nil when nothing does.
    mutating func take() -> Delivery? {
        guard !isEmpty else { return nil }
        var delivery = Delivery(end: end?.reason)
        let frames = pending
        for frame in frames {
            markSent(frame)
            delivery.buffers += frame.buffers(positions: positions)
            delivery.buffers += frame.isEnd ? [Self.endEvent(of: frame, positions)] : []
            delivery.frameCount += 1
        }
        if let notice { delivery.buffers.append(notice) }
        if let bye = end?.bye { delivery.buffers.append(bye) }
        pending = []
        notice = nil
        return delivery
    }

    /// `end`: the match is over, and this was its last state.
    static func endEvent(of frame: StreamFrame, _ positions: StreamPositions) -> ByteBuffer {
        let data = JSONWriter.document { json in
            json.field("matchId", frame.match.text)
            json.field("result", ifPresent: frame.result)
        }
        var buffer = EventText.lines(event: "end", data: data)
        var ending = EventText.ending(id: positions.text)
        buffer.writeBuffer(&ending)
        return buffer
    }
}
