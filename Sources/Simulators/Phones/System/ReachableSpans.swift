// A phone confirms only while its app runs and its network works, so that delays are judged within such times.

/// The times at which the app of a phone could send requests, in milliseconds since 1970 by the right clock.
struct ReachableSpans: Sendable {
    private struct Span: Sendable {
        let from: Int64
        /// Nil while it lasts.
        var until: Int64?
    }

    private var spans: [Span] = []

    /// Notes whether the app can send now.
    mutating func observe(_ canSend: Bool, at now: Int64) {
        let isOpen = spans.last.map { $0.until == nil } ?? false
        guard canSend != isOpen else { return }
        guard canSend else {
            spans[spans.count - 1].until = now
            return
        }
        if spans.count >= SimulatorLimits.reachableSpans { spans.removeFirst() }
        spans.append(Span(from: now))
    }

    /// Whether the app could send during a whole time that is over.
    func cover(_ from: Int64, until: Int64) -> Bool {
        spans.contains { $0.from <= from && $0.until ?? .max >= until }
    }

    /// The first time, not before a given one, at which the app could send; nil for none so far.
    func next(from: Int64) -> Int64? {
        spans.first { $0.until ?? .max > from }.map { max($0.from, from) }
    }
}
