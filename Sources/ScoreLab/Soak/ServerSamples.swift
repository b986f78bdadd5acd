// A leak shows in what the kernel counts for the process, whatever the server says of itself.

import Foundation
import ScoreTypes
import Synchronization

/// Samples of one server process.
final class ServerSamples: Sendable {
    /// The resources of the process at one time since the beginning.
    struct Sample: Sendable, Hashable {
        let at: Duration
        let residentBytes: Int
        let descriptors: Int
        /// The work of the server until then.
        var work = SoakWork()
    }

    private let process: Int32
    private let work: @Sendable () async throws -> SoakWork
    private let start = ContinuousClock.now
    private let taken = Mutex<[Sample]>([])

    /// - `work`: Counts the server's work so far.
    init(of process: Int32, work: @escaping @Sendable () async throws -> SoakWork) {
        (self.process, self.work) = (process, work)
    }

    var all: [Sample] { taken.withLock { $0 } }

    /// Samples until cancelled.
    ///
    /// - Throws: `MeasurementFailure` when the process is gone, and the errors of the count of its work.
    func run() async throws {
        while !Task.isCancelled {
            let bytes = ProcessMeter.residentBytes(of: process)
            let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd"))?.count
            guard bytes > 0, let files else { throw MeasurementFailure("the server has ended during the soak") }
            let sample = Sample(
                at: ContinuousClock.now - start,
                residentBytes: bytes,
                descriptors: files,
                work: try await work()
            )
            taken.withLock { $0.append(sample) }
            try? await Task.sleep(for: LabLimits.soakSampling)
        }
    }
}
