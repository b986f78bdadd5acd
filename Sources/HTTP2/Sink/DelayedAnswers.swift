// A client that waits for a network round trip needs more open requests; a sink on the same machine has to imitate it.

/// Answers that leave a sink a fixed time after their requests came, in order.
struct DelayedAnswers {
    private struct Batch {
        let due: Duration
        let requests: Int
        let bytes: [UInt8]
    }

    private var batches: [Batch] = []
    /// The batches before it have left.
    private var first = 0
    /// Bytes that wait.
    private(set) var count = 0

    /// When the oldest batch is due; nil if none waits.
    var due: Duration? { first < batches.count ? batches[first].due : nil }

    mutating func add(_ bytes: UnsafeRawBufferPointer, of requests: Int, due: Duration) {
        batches.append(Batch(due: due, requests: requests, bytes: Array(bytes)))
        count += bytes.count
    }

    /// Appends the batches that are due to the output; returns the number of requests that they answer.
    mutating func release(at now: Duration, to answers: ByteBuffer) -> Int {
        var requests = 0
        while first < batches.count, batches[first].due <= now {
            let batch = batches[first]
            batch.bytes.withUnsafeBytes { answers.append($0) }
            requests += batch.requests
            count -= batch.bytes.count
            first += 1
        }
        if first == batches.count {
            batches.removeAll(keepingCapacity: true)
            first = 0
        } else if first > batches.count / 2 {
            batches.removeFirst(first)
            first = 0
        }
        return requests
    }
}
