// The figures of two sizes stand side by side, so that what grows faster than the audience is seen.

import ScoreTypes

/// One figure of an audience.
struct AudienceFigure: Sendable {
    /// Whether a greater value is better, worse, or neither.
    enum Sense: Sendable { case more, less, fact }

    /// The key in the JSON object.
    let key: String
    /// The quantity with its unit, for people.
    let title: String
    let value: Double
    let sense: Sense

    /// By how much it is worse than a figure of a smaller audience, as a part of that; nil for a fact.
    func degradation(from smaller: AudienceFigure) -> Double? {
        guard smaller.value > 0, value > 0 else { return nil }
        switch sense {
        case .more: return 1 - value / smaller.value
        case .less: return value / smaller.value - 1
        case .fact: return nil
        }
    }
}

/// The result of `bench audience`: the figures of each size, in the order in which they were taken.
struct AudienceFigures: Report, Sendable {
    /// A part by which a figure may be worse at the greater size, before it is marked.
    static let tolerance = 0.2

    var sizes: [(devices: Int, figures: [AudienceFigure])] = []

    var json: [UInt8] {
        JSONWriter.document { json in
            json.objects("sizes", sizes) { size, json in
                json.field("devices", size.devices)
                for figure in size.figures {
                    json.key(dynamic: figure.key)
                    json.number(figure.value.rounded(to: 3))
                }
            }
            json.array("worse") { list in for key in worse { list.string(key) } }
        }
    }

    /// The keys of figures that are worse at the greatest size than at the least, beyond the tolerance.
    var worse: [String] {
        guard let least = sizes.first, let most = sizes.last, sizes.count > 1 else { return [] }
        return most.figures.filter { figure in
            guard let smaller = least.figures.first(where: { $0.key == figure.key }) else { return false }
            return figure.degradation(from: smaller) ?? 0 > Self.tolerance
        }.map(\.key)
    }

    var text: String {
        guard let first = sizes.first else { return "" }
        let width = (first.figures.map(\.title.count).max() ?? 0) + 2
        let heads = sizes.map { "\($0.devices)".leftPadded(to: Self.column) }.joined()
        var lines = ["devices".padded(to: width) + heads]
        let worse = Set(worse)
        for figure in first.figures {
            let values = sizes.map { size in
                size.figures.first { $0.key == figure.key }.map { Self.text($0.value) } ?? "–"
            }
            let mark = worse.contains(figure.key) ? "  worse" : ""
            lines.append(figure.title.padded(to: width) + values.map { $0.leftPadded(to: Self.column) }.joined() + mark)
        }
        return lines.joined(separator: "\n")
    }

    /// Characters of a column.
    private static let column = 14

    private static func text(_ value: Double) -> String {
        value >= 1_000 ? "\(Int(value))" : "\(value.rounded(to: value >= 10 ? 1 : 3))"
    }
}

extension String {
    /// Filled with spaces on the left up to a width in characters.
    fileprivate func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
