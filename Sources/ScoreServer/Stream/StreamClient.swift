// One reader of a stream, on the thread of its loop: a socket, a position and the output that waits.

import NIOCore
import ScoreTypes

/// An open stream; must not leave the thread of its loop.
final class StreamClient {
    let id: StreamID
    let matches: [MatchID]
    let socket: StreamSocket
    /// Why the stream is over; the loop removes it then.
    private(set) var over: StreamEnd?
    private let mode: StreamMode
    private let ticket: StreamTicket
    private let heartbeat: Duration
    private var mailbox: StreamMailbox
    /// Output that the kernel did not take; further output stays in the mailbox, where newer states replace older ones.
    private var unsent: ByteBuffer?
    /// The time of the last write, or since which the reader takes nothing.
    private var changedAt: Duration
    private let openedAt: Duration
    private var closesAt: Duration
    /// The reason in the last bytes; the stream is over once these are written.
    private var closing: StreamEnd?

    init(_ stream: NewStream, timing: StreamTiming, now: Duration) {
        (id, matches, socket, ticket) = (stream.ticket.id, stream.matches, stream.socket, stream.ticket)
        heartbeat = timing.heartbeat * Double.random(in: 0.9...1.1)
        let positions = StreamPositions(isSingle: stream.isSingle)
        mailbox = StreamMailbox(matches: matches, positions: positions, mode: stream.mode)
        mode = stream.mode
        (openedAt, changedAt) = (now, now)
        closesAt = now + timing.maxAge * Double.random(in: 0.8...1.2)
    }

    /// Bytes that the kernel did not take.
    var unsentBytes: Int { unsent?.readableBytes ?? 0 }

    /// The stream for operators.
    func description(at now: Duration) -> StreamDescription {
        StreamDescription(
            id: id,
            matches: matches,
            mode: mode,
            age: now - openedAt,
            positions: mailbox.positions,
            unsentBytes: unsentBytes
        )
    }

    /// Sends the first events, which cover these states.
    func open(_ opening: StreamOpening, _ turn: inout StreamTurn) {
        mailbox.begin(opening)
        write(EventText.chunk(opening.buffers), &turn)
        flush(&turn)
    }

    /// Sends the events of a publication, or keeps them while the reader is slow.
    func offer(_ batch: StreamBatch, _ turn: inout StreamTurn) {
        if unsent == nil, let bytes = mailbox.pass(batch) {
            turn.count(1, of: mode)
            return write(bytes, &turn)
        }
        switch mailbox.offer(batch) {
        case .kept: flush(&turn)
        case .skipped:
            turn.conflated += 1
            flush(&turn)
        case .slow: close(.slow, &turn)
        }
    }

    /// Sends an event that moves no position.
    func notify(_ notice: StreamNotice, _ turn: inout StreamTurn) {
        mailbox.notify(notice)
        flush(&turn)
    }

    /// Ends the stream after the events that wait.
    func close(_ reason: StreamEnd, reconnectAfter: Duration = .seconds(1), _ turn: inout StreamTurn) {
        let bye = EventText.event("bye") { json in
            json.field("reason", reason.rawValue)
            json.field("reconnectAfterMs", reconnectAfter.milliseconds)
        }
        mailbox.close(reason, bye: bye)
        flush(&turn)
    }

    /// Continues after the kernel has sent some of the output.
    func becameWritable(_ turn: inout StreamTurn) {
        guard let rest = unsent else { return }
        unsent = nil
        write(rest, isContinued: true, &turn)
        flush(&turn)
    }

    /// The peer has closed its side, or the connection is broken.
    func hungUp(_ reason: StreamEnd) { over = over ?? mailbox.endReason ?? reason }

    /// Sends a ping when idle, ends an old stream, and cuts a reader that takes nothing for the write deadline.
    func tick(ping: ByteBuffer, timing: StreamTiming, _ turn: inout StreamTurn) {
        if unsent != nil {
            guard turn.now - changedAt > timing.writeDeadline else { return }
            cutOff()
        } else if turn.now >= closesAt {
            let isOver = mailbox.hasSentAllEnds
            let wait = Duration.milliseconds(Int64.random(in: ServerLimits.streamReturnMilliseconds))
            close(isOver ? .matchOver : .maxAge, reconnectAfter: wait, &turn)
        } else if turn.now - changedAt >= heartbeat {
            mailbox.keepAlive(ping)
            flush(&turn)
        }
    }

    /// Ends the stream of a reader that takes nothing.
    func cutOff() {
        over = mailbox.endReason ?? (socket.isUnacknowledged ? .vanished : .slow)
        socket.abandonOutput()
    }

    private func flush(_ turn: inout StreamTurn) {
        while over == nil, unsent == nil, closing == nil, let delivery = mailbox.take() {
            turn.count(delivery.frameCount, of: mode)
            closing = delivery.end
            var bytes = EventText.chunk(delivery.buffers)
            if closing != nil { bytes.writeImmutableBuffer(EventText.lastChunk) }
            write(bytes, &turn)
        }
        afterWriting(&turn)
    }

    /// Shortens the life of a stream whose matches are all over.
    private func afterWriting(_ turn: inout StreamTurn) {
        guard unsent == nil, mailbox.hasSentAllEnds else { return }
        closesAt = min(closesAt, turn.now + turn.lingerAfterEnd)
    }

    private func write(_ bytes: ByteBuffer, isContinued: Bool = false, _ turn: inout StreamTurn) {
        var rest = bytes
        while rest.readableBytes > 0 {
            switch socket.send(rest) {
            case .sent(let count):
                rest.moveReaderIndex(forwardBy: count)
                turn.bytes += count
            case .wouldBlock:
                if !isContinued { changedAt = turn.now }
                unsent = rest
                return
            case .failed:
                over = over ?? mailbox.endReason ?? .writeError
                return
            }
        }
        changedAt = turn.now
        if let closing { over = over ?? closing }
    }
}

/// The output of one turn of a loop, and its time.
struct StreamTurn {
    let now: Duration
    let lingerAfterEnd: Duration
    /// States written.
    var frames = 0
    /// Events of balls mode written.
    var changes = 0
    var bytes = 0
    var conflated = 0

    /// Counts written events.
    mutating func count(_ events: Int, of mode: StreamMode) {
        if mode == .state { frames += events } else { changes += events }
    }
}
