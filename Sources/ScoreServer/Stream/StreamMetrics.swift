// The metrics of streams are looked up once, not for each ball and reader.

import Metrics

/// The metrics of all streams of a node.
struct StreamMetrics: Sendable {
    let connections = Meter(label: "score_sse_connections")
    /// From the first reader of a loop to its last.
    let fanOut = Timer(label: "score_sse_fanout_duration_seconds")
    /// States that a slow reader never saw.
    let conflated = Counter(label: "score_sse_conflated_frames_total")
    let frames = Counter(label: "score_sse_frames_total", dimensions: [("event", "state")])
    /// Events of balls mode.
    let changes = Counter(label: "score_sse_frames_total", dimensions: [("event", "change")])
    let bytes = Counter(label: "score_sse_bytes_total")
    /// Bytes that wait for slow readers; each loop adds its own changes.
    let unsent = Meter(label: "score_sse_unsent_bytes")

    /// Counts what a turn of a loop wrote.
    func count(_ turn: StreamTurn) {
        if turn.conflated > 0 { conflated.increment(by: turn.conflated) }
        if turn.frames > 0 { frames.increment(by: turn.frames) }
        if turn.changes > 0 { changes.increment(by: turn.changes) }
        if turn.bytes > 0 { bytes.increment(by: turn.bytes) }
    }

    /// Counts the opening of a stream.
    func opened(_ resume: StreamResume) {
        Counter(label: "score_sse_opens_total", dimensions: [("resume", resume.rawValue)]).increment()
    }

    /// Counts the end of a stream.
    func closed(_ end: StreamEnd) {
        Counter(label: "score_sse_closes_total", dimensions: [("reason", end.rawValue)]).increment()
    }
}
