// The cost of a measurement for this process, as the kernel counts it.

import CLinux
import Foundation
import Glibc
import ScoreTypes

/// Processor time and memory of this process.
enum ProcessMeter {
    /// User and system time of all threads so far.
    static var processorTime: Duration {
        var usage = rusage()
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        return duration(usage.ru_utime) + duration(usage.ru_stime)
    }

    /// Bytes of memory in use now.
    static var residentBytes: Int { statusBytes("VmRSS:") }
    /// Bytes of memory that another process uses now; 0 when it is gone.
    static func residentBytes(of process: Int32) -> Int { statusBytes("VmRSS:", of: "\(process)") }
    /// The most there ever were.
    static var peakResidentBytes: Int { statusBytes("VmHWM:") }

    /// Pins all threads of this process, and so all that they start later, to one core.
    static func pin(to core: Int) throws(MeasurementFailure) {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        guard !threads.isEmpty, threads.compactMap({ Int32($0) }).allSatisfy({ pin_thread($0, Int32(core)) == 0 })
        else {
            throw MeasurementFailure("no thread can be pinned to core \(core)")
        }
    }

    /// Raises the number of descriptors that this process and its children may have to the most, and returns it.
    static func raiseDescriptorLimit() throws(MeasurementFailure) -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { throw MeasurementFailure("the limit of descriptors is unknown") }
        limit.rlim_cur = limit.rlim_max
        guard setrlimit(resource, &limit) == 0 else { throw MeasurementFailure("the limit of descriptors is fixed") }
        return Int(clamping: limit.rlim_cur)
    }

    private static func statusBytes(_ name: String, of process: String = "self") -> Int {
        guard let data = FileManager.default.contents(atPath: "/proc/\(process)/status") else { return 0 }
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") where line.hasPrefix(name) {
            return (line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0)
                * 1024
        }
        return 0
    }

    private static func duration(_ time: timeval) -> Duration {
        .seconds(time.tv_sec) + .microseconds(Int64(time.tv_usec))
    }
}
