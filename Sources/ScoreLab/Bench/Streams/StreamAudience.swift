// The readers are in several processes, one for each node, and their observations are added up here.

import Foundation
import ScoreTypes
import Synchronization

/// All readers of the benchmark of streams.
final class StreamAudience: Sendable {
    private let processes: [Process]
    private let inputs: [FileHandle]
    private let statuses: Mutex<[StreamCrowd.Status]>
    private let latency = Mutex(StreamLatency())

    /// Starts a process for each node with its share of the readers; they do not connect yet.
    init(prompt: Int, slow: Int, vanishing: Int, ports: [Int], path: String) throws {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        var (processes, inputs, outputs): ([Process], [FileHandle], [FileHandle]) = ([], [], [])
        for (index, port) in ports.enumerated() {
            func share(_ count: Int) -> String { "\(Self.share(of: count, index, ports.count))" }
            let (process, input, output) = (Process(), Pipe(), Pipe())
            process.executableURL = program
            process.arguments = [
                "bench", "stream-readers", "--port", "\(port)", "--path", path, "--prompt", share(prompt), "--slow",
                share(slow), "--vanishing", share(vanishing),
            ]
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
            processes.append(process)
            inputs.append(input.fileHandleForWriting)
            outputs.append(output.fileHandleForReading)
        }
        (self.processes, self.inputs) = (processes, inputs)
        statuses = Mutex(Array(repeating: StreamCrowd.Status(), count: ports.count))
        for (index, output) in outputs.enumerated() {
            // Not a `readabilityHandler`: libdispatch crashed when a handle was released after its last event.
            OwnedThread.start(name: "stream-figures") { [weak self] in
                var lines = LineBuffer()
                while case let data = output.availableData, !data.isEmpty {
                    for line in lines.append(data) { self?.take(line, from: index) }
                }
            }
        }
    }

    /// The status of all readers until about a tenth of a second ago, without arrivals.
    var status: StreamCrowd.Status {
        statuses.withLock { statuses in
            statuses.reduce(into: StreamCrowd.Status()) { sum, status in
                sum.open += status.open
                sum.refused += status.refused
                sum.ended += status.ended
                sum.slowCut += status.slowCut
            }
        }
    }

    /// Prompt readers that showed a state or a newer one until about a tenth of a second ago.
    func readers(showing revision: Int64) -> Int {
        statuses.withLock { statuses in
            statuses.flatMap(\.showing).filter { $0.revision >= revision }.reduce(0) { $0 + $1.readers }
        }
    }

    /// Connects all readers, at most so many a second.
    func open(perSecond: Int) { post(.open(perSecond: max(1, perSecond / processes.count))) }

    /// Closes all sockets.
    func leave() { post(.leave) }

    /// Ends the processes.
    func stop() {
        for input in inputs { try? input.close() }
        for process in processes { process.waitUntilExit() }
    }

    /// Forgets the commits and arrivals so far.
    func measure() { latency.withLock { $0 = StreamLatency() } }

    /// Notes the commit of a state.
    func commit(_ revision: Int64, at time: Duration) { latency.withLock { $0.commit(revision, at: time) } }

    /// From the commit of each state to its last reader, for states that reached so many readers.
    func untilLast(readers: Int) -> DurationSet { latency.withLock { $0.untilLast(readers: readers) } }

    /// The newest state whose commit was noted; 0 for none.
    var newestCommit: Int64 { latency.withLock { $0.newest } }

    /// The states up to one: all, and those that reached fewer readers.
    func states(through revision: Int64, readers: Int) -> (all: Int, incomplete: Int) {
        latency.withLock { $0.states(through: revision, readers: readers) }
    }

    /// The part of a number that one of several processes has.
    static func share(of count: Int, _ index: Int, _ processes: Int) -> Int {
        count / processes + (index < count % processes ? 1 : 0)
    }

    private func post(_ order: StreamCrowd.Order) {
        // A process that has ended is missed in the number of open streams.
        for input in inputs { try? input.write(contentsOf: Data("\(order.line)\n".utf8)) }
    }

    private func take(_ line: Data, from index: Int) {
        guard var status = try? JSONDecoder().decode(StreamCrowd.Status.self, from: line) else { return }
        latency.withLock { $0.add(status.arrivals) }
        status.arrivals = []
        statuses.withLock { $0[index] = status }
    }
}

/// The complete lines of a pipe.
private struct LineBuffer {
    private var rest = Data()

    /// Adds bytes, and returns the lines that they complete.
    mutating func append(_ data: Data) -> [Data] {
        rest.append(data)
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Data($0) }
        rest = lines.popLast() ?? Data()
        return lines
    }
}
