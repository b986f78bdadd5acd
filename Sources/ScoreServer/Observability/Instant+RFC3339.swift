// Dates are written as RFC 3339 in UTC without fractions, which Apple's JSON decoders read without options.

import Foundation
import ScoreTypes

extension Instant {
    /// `2026-03-01T12:00:00Z`.
    var rfc3339: String {
        var moment = time_t(seconds)
        var parts = tm()
        gmtime_r(&moment, &parts)
        let fields = [parts.tm_mon &+ 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec].map { field in
            field < 10 ? "0\(field)" : "\(field)"
        }
        let year = Int(parts.tm_year) &+ 1900
        return "\(year)-\(fields[0])-\(fields[1])T\(fields[2]):\(fields[3]):\(fields[4])Z"
    }
}
