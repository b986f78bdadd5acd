// Metrics of the process, read from /proc at each scrape.

import Foundation

/// Memory, descriptors and start time of the process.
enum ProcessGauges {
    /// Lines in the text format of a scrape, without values that cannot be read.
    static func render(startedAtSeconds: Int64) -> String {
        var text = "# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds \(startedAtSeconds)\n"
        if let pages = residentPages() {
            let bytes = pages.multipliedReportingOverflow(by: Int(sysconf(Int32(_SC_PAGESIZE)))).partialValue
            text += "# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes \(bytes)\n"
        }
        if let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
            text += "# TYPE process_open_fds gauge\nprocess_open_fds \(open)\n"
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            text += "# TYPE process_max_fds gauge\nprocess_max_fds \(limit.rlim_cur)\n"
        }
        return text
    }

    private static func residentPages() -> Int? {
        guard let data = FileManager.default.contents(atPath: "/proc/self/statm") else { return nil }
        let fields = String(decoding: data, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? Int(fields[1]) : nil
    }
}
