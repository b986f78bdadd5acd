// The first events of a stream: who we are, and what the client lacks.

import NIOCore
import ScoreTypes

/// The opening of one connection.
struct StreamGreeting: Sendable {
    /// How the whole connection goes on; the worst of its matches counts.
    let resume: StreamResume
    /// What the opening tells, so that nothing is told twice.
    let told: [StreamFrame]
    /// The bytes.
    let buffers: [ByteBuffer]

    /// Writes the opening; `claimed` is where the client says it stands, nil when it says nothing.
    init(
        heads: [MatchView],
        claimed: StreamPositions?,
        isSingle: Bool,
        timing: StreamTiming,
        node: NodeID,
        now: Instant
    ) {
        let verdicts = heads.map { head in
            StreamResume.judge(claimed?[head.match], claimed: claimed != nil, head: head.revision)
        }
        let order: [StreamResume] = [.reset, .conflated, .fresh, .exact]
        let resume = order.first { verdicts.contains($0) } ?? .fresh
        var told: [StreamFrame] = []
        var states: [ByteBuffer] = []
        var positions = StreamPositions(isSingle: isSingle)
        for (head, verdict) in zip(heads, verdicts) {
            let frame = StreamFrame(
                head,
                resetBecause: verdict == .reset ? Self.reason(claimed?[head.match], head) : nil
            )
            positions[head.match] = head.revision
            told.append(frame)
            if verdict != .exact { states += frame.buffers(positions: positions) }
            if let hold = head.news.hold { states.append(EventText.held(head.match, hold)) }
            if let since = head.news.staleSince { states.append(EventText.stale(head.match, since: since, now: now)) }
            if frame.isEnd { states.append(StreamMailbox.endEvent(of: frame, positions)) }
        }
        self.resume = resume
        self.told = told
        let hello = EventText.event("hello") { json in
            json.field("v", 1)
            json.field("node", node.text)
            json.field("connId", String(UInt32.random(in: .min ... .max), radix: 16))
            json.field("mode", "state")
            json.field("heartbeatMs", timing.heartbeat.milliseconds)
            json.field("maxAgeMs", timing.maxAge.milliseconds)
            json.field("resume", resume.rawValue)
            json.field("serverTimeMs", now.milliseconds)
            json.key("matches")
            json.array { json in
                for head in heads {
                    json.object { json in
                        json.field("id", head.match.text)
                        json.field("epoch", head.revision.epoch.text)
                        json.field("head", head.revision.number)
                    }
                }
            }
        }
        buffers = [EventText.opening(retry: .milliseconds(Int64.random(in: 1_000...5_000))), hello] + states
    }

    private static func reason(_ position: Revision?, _ head: MatchView) -> StreamReset {
        guard let position, position.epoch != head.revision.epoch else { return .unknownPosition }
        return .epochChanged
    }
}
