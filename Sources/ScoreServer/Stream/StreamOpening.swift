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

    /// Writes the opening for the newest views and the positions that the client sent; nil when it sent none.
    ///
    /// `written` returns the event of a view, which many openings share.
    init(
        heads: [MatchView],
        claimed: StreamPositions?,
        isSingle: Bool,
        timing: StreamTiming,
        node: NodeID,
        now: Instant,
        frame written: (MatchView) -> StreamFrame
    ) {
        let resumes = Self.resumes(heads, claimed)
        resume = Self.worst(resumes)
        var frames: [StreamFrame] = []
        var states: [ByteBuffer] = []
        var positions = StreamPositions(isSingle: isSingle)
        for (head, resume) in zip(heads, resumes) {
            let frame =
                resume == .reset
                ? StreamFrame(head, resetBecause: Self.reason(claimed?[head.match], head)) : written(head)
            positions[head.match] = head.revision
            frames.append(frame)
            if resume != .exact { states += frame.buffers(positions: positions) }
            if let hold = head.news.hold { states.append(EventText.held(head.match, hold)) }
            if let since = head.news.staleSince { states.append(EventText.stale(head.match, since: since, now: now)) }
            if frame.isEnd { states.append(StreamMailbox.endEvent(of: frame, positions)) }
        }
        self.frames = frames
        let resume = resume
        let hello = EventText.event("hello") { json in
            json.field("v", 1)
            json.field("node", node.text)
            json.field("connId", String(UInt32.random(in: .min ... .max), radix: 16))
            json.field("mode", "state")
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
        buffers = [EventText.opening(retry: .milliseconds(Int64.random(in: 1_000...5_000))), hello] + states
    }

    /// How a connection resumes from the positions that the client sent; nil when it sent none.
    static func resume(_ heads: [MatchView], from claimed: StreamPositions?) -> StreamResume {
        worst(resumes(heads, claimed))
    }

    private static func resumes(_ heads: [MatchView], _ claimed: StreamPositions?) -> [StreamResume] {
        heads.map { StreamResume.judge(claimed?[$0.match], claimed: claimed != nil, head: $0.revision) }
    }

    private static func worst(_ resumes: [StreamResume]) -> StreamResume {
        let order: [StreamResume] = [.reset, .conflated, .fresh, .exact]
        return order.first { resumes.contains($0) } ?? .fresh
    }

    private static func reason(_ position: Revision?, _ head: MatchView) -> StreamReset {
        guard let position, position.epoch != head.revision.epoch else { return .unknownPosition }
        return .epochChanged
    }
}
