// The first events of a stream: `hello`, then the state of each match that the client lacks.

import NIOCore
import ScoreTypes

/// The opening of one connection.
struct StreamOpening: Sendable {
    /// How the connection resumes; the worst of its matches counts.
    let resume: StreamResume
    /// The newest state of each match, which the opening covers and the mailbox therefore skips.
    let frames: [StreamFrame]
    /// The bytes to send, in order.
    let buffers: [ByteBuffer]
    /// In balls mode, the events that follow the bytes in pieces.
    let replays: [StreamReplay]

    /// Writes the opening for the newest views and the positions that the client sent; nil when it sent none.
    ///
    /// `balls` is how each match starts in balls mode, and the changes in memory; nil in state mode. `written` returns
    /// the event of a view, which many openings share.
    init(
        heads: [MatchView],
        claimed: StreamPositions?,
        balls: (starts: [BallsStart], history: ChangeHistory)?,
        isSingle: Bool,
        timing: StreamTiming,
        node: NodeID,
        now: Instant,
        frame written: (MatchView) -> StreamFrame
    ) {
        let parts =
            balls.map { Parts(heads, $0.starts, $0.history, isSingle: isSingle, now: now, frame: written) }
            ?? Self.states(heads, claimed, isSingle: isSingle, now: now, frame: written)
        (resume, frames, replays) = (Self.worst(parts.resumes), parts.frames, parts.replays)
        let resume = resume
        let hello = EventText.event("hello") { json in
            json.field("v", 1)
            json.field("node", node.text)
            json.field("connId", String(UInt32.random(in: .min ... .max), radix: 16))
            json.field("mode", (balls == nil ? StreamMode.state : .balls).rawValue)
            json.field("heartbeatMs", timing.heartbeat.milliseconds)
            json.field("maxAgeMs", timing.maxAge.milliseconds)
            json.field("resume", resume.rawValue)
            json.field("serverTimeMs", now.milliseconds)
            json.objects("matches", heads) { head, json in
                json.field("id", head.match.text)
                json.field("epoch", head.revision.epoch.text)
                json.field("head", head.revision.number)
            }
        }
        buffers = [EventText.opening(retry: .milliseconds(Int64.random(in: 1_000...5_000))), hello] + parts.events
    }

    /// The parts of an opening that depend on the mode.
    struct Parts: Sendable {
        var resumes: [StreamResume] = []
        var frames: [StreamFrame] = []
        var events: [ByteBuffer] = []
        var replays: [StreamReplay] = []
        var positions: StreamPositions

        /// Adds the event of a match, unless the client has it, and what is true of the match beside its state.
        mutating func add(_ frame: StreamFrame, of head: MatchView, isSent: Bool, now: Instant) {
            positions[head.match] = head.revision
            frames.append(frame)
            if isSent { events += frame.buffers(positions: positions, after: nil) }
            addNotices(of: head, now: now)
            if frame.isEnd { events.append(StreamMailbox.endEvent(of: frame, positions)) }
        }

        /// Adds the hold and the silence of a match.
        mutating func addNotices(of head: MatchView, now: Instant) {
            if let hold = head.news.hold { events.append(EventText.held(head.match, hold)) }
            if let since = head.news.staleSince { events.append(EventText.stale(head.match, since: since, now: now)) }
        }
    }

    private static func states(
        _ heads: [MatchView],
        _ claimed: StreamPositions?,
        isSingle: Bool,
        now: Instant,
        frame written: (MatchView) -> StreamFrame
    ) -> Parts {
        var parts = Parts(resumes: resumes(heads, claimed), positions: StreamPositions(isSingle: isSingle))
        for (head, resume) in zip(heads, parts.resumes) {
            let frame =
                resume == .reset
                ? StreamFrame(head, resetBecause: reason(claimed?[head.match], head)) : written(head)
            parts.add(frame, of: head, isSent: resume != .exact, now: now)
        }
        return parts
    }

    /// How a connection resumes from the positions that the client sent; nil when it sent none.
    static func resume(_ heads: [MatchView], from claimed: StreamPositions?) -> StreamResume {
        worst(resumes(heads, claimed))
    }

    private static func resumes(_ heads: [MatchView], _ claimed: StreamPositions?) -> [StreamResume] {
        heads.map { StreamResume.judge(claimed?[$0.match], claimed: claimed != nil, head: $0.revision) }
    }

    static func worst(_ resumes: [StreamResume]) -> StreamResume {
        let order: [StreamResume] = [.reset, .conflated, .fresh, .exact]
        return order.first { resumes.contains($0) } ?? .fresh
    }

    private static func reason(_ position: Revision?, _ head: MatchView) -> StreamReset {
        guard let position, position.epoch != head.revision.epoch else { return .unknownPosition }
        return .epochChanged
    }
}
