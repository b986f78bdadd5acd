// The figures of a run, for people and for programs.

import ScoreTypes

/// The result of `bench reads`.
struct ReadFigures: Report, Sendable {
    private struct Column: Hashable, Sendable {
        let name: ReadServer.Name
        let isNotModified: Bool
    }

    let matches: Int
    private var rates: [Column: [Double]] = [:]

    init(matches: Int) { self.matches = matches }

    /// Adds the answers per second of one measurement.
    mutating func add(_ rate: Double, of name: ReadServer.Name, isNotModified: Bool = false) {
        rates[Column(name: name, isNotModified: isNotModified), default: []].append(rate)
    }

    private func median(_ name: ReadServer.Name, _ isNotModified: Bool) -> Double? {
        let sorted = (rates[Column(name: name, isNotModified: isNotModified)] ?? []).sorted()
        return sorted.isEmpty ? nil : sorted[sorted.count / 2]
    }

    var json: [UInt8] {
        JSONWriter.document { json in
            json.field("matches", matches)
            for name in ReadServer.Name.allCases {
                for (isNotModified, suffix) in [(false, "PerSecond"), (true, "NotModifiedPerSecond")] {
                    guard let rate = median(name, isNotModified) else { continue }
                    json.key(dynamic: name.rawValue + suffix)
                    json.integer(Int(rate))
                }
            }
        }
    }

    var text: String {
        let reads = [(false, "200"), (true, "304")].compactMap { isNotModified, status -> String? in
            guard let own = median(.own, isNotModified), let bare = median(.bare, isNotModified),
                let nginx = median(.nginx, isNotModified), let cached = median(.cached, isNotModified)
            else { return nil }
            return """
                \(status) of \(matches) matches: \(Int(own)) a second; bare route \(Int(bare)), \
                \((own / bare).rounded(to: 2)) of it; nginx \(Int(nginx)), \((own / nginx).rounded(to: 2)) of it; \
                through the cache \(Int(cached)), \((cached / nginx).rounded(to: 2)) of nginx
                """
        }
        let lists = [(false, "200"), (true, "304")].compactMap { isNotModified, status in
            median(.list, isNotModified).map { "\(status) of the list: \(Int($0)) a second" }
        }
        return (reads + lists).joined(separator: "\n")
    }
}
