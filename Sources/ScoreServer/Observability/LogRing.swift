// The newest warnings are kept in memory, so that a report about a node has them without its log files.

import Synchronization

/// The newest lines at level warning and above, redacted, in their order.
final class LogRing: Sendable {
    private struct State {
        var lines: [[UInt8]] = []
        /// The place of the oldest line once the ring is full.
        var oldest = 0
    }

    private let state = Mutex(State())

    /// Adds a line in place of the oldest one; a long one is cut.
    func put(_ line: [UInt8]) {
        let kept = Array(line.prefix(ServerLimits.keptLogLineBytes))
        state.withLock { state in
            if state.lines.count < ServerLimits.keptLogLines {
                state.lines.append(kept)
            } else {
                state.lines[state.oldest] = kept
                state.oldest = (state.oldest + 1) % ServerLimits.keptLogLines
            }
        }
    }

    /// The lines, the oldest first, without their line feeds.
    var lines: [String] {
        let (lines, oldest) = state.withLock { ($0.lines, $0.oldest) }
        return (lines[oldest...] + lines[..<oldest]).map { line in
            String(decoding: line.last == UInt8(ascii: "\n") ? line.dropLast() : line[...], as: UTF8.self)
        }
    }
}
