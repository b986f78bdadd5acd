// The format rules of iOS for `loc-args`: every argument is a string, named by its order or by its position.

/// Formats of localized texts.
enum NotificationFormat {
    /// Replaces `%@` by the next argument, `%2$@` by the second one and `%%` by a percent sign.
    ///
    /// A placeholder without an argument stays as it is; arguments are not formatted again.
    static func text(_ format: String, _ arguments: [String]) -> String {
        let bytes = format.utf8
        var text = ""
        var next = 0
        var (copied, place) = (bytes.startIndex, bytes.startIndex)
        while let percent = bytes[place...].firstIndex(of: UInt8(ascii: "%")) {
            text += format[copied..<percent]
            let start = bytes.index(after: percent)
            if bytes[start...].first == UInt8(ascii: "%") {
                (copied, place) = (start, bytes.index(after: start))
                continue
            }
            let (position, specifier) = position(in: format, from: start, next: next)
            guard bytes[specifier...].first == UInt8(ascii: "@"), arguments.indices.contains(position) else {
                (copied, place) = (percent, start)
                continue
            }
            if specifier == start { next += 1 }
            text += arguments[position]
            copied = bytes.index(after: specifier)
            place = copied
        }
        return text + format[copied...]
    }

    /// The argument's index, and the place of `@`.
    private static func position(
        in format: String,
        from start: String.Index,
        next: Int
    ) -> (Int, String.Index) {
        let rest = format.utf8[start...]
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard rest[digits.endIndex...].first == UInt8(ascii: "$"), let number = Int(Substring(digits)) else {
            return (next, start)
        }
        return (number - 1, rest.index(after: digits.endIndex))
    }

    /// Converts `{team} need {runs}` to `%1$@ need %2$@`, with the names in the order of their first use.
    static func named(_ pattern: String) -> (format: String, names: [String]) {
        var format = ""
        var names: [String] = []
        var rest = pattern[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            if !names.contains(name) { names.append(name) }
            format += rest[..<open] + "%\((names.firstIndex(of: name) ?? 0) + 1)$@"
            rest = rest[rest.index(after: close)...]
        }
        return (format + rest, names)
    }
}
