// The format rules of iOS for `loc-args`: every argument is a string, named by its order or by its position.

/// Formats of localized texts.
enum NotificationFormat {
    /// Replaces `%@` by the next argument, `%2$@` by the second one and `%%` by a percent sign.
    ///
    /// A placeholder without an argument stays as it is; arguments are not formatted again.
    static func text(_ format: String, _ arguments: [String]) -> String {
        var text = ""
        var next = 0
        var rest = format[...]
        while let percent = rest.firstIndex(of: "%") {
            text += rest[..<percent]
            rest = rest[percent...].dropFirst()
            if rest.first == "%" {
                text += "%"
                rest = rest.dropFirst()
                continue
            }
            let (position, specifier) = position(rest, next: next)
            guard specifier.first == "@", arguments.indices.contains(position) else {
                text += "%"
                continue
            }
            if specifier.startIndex == rest.startIndex { next += 1 }
            text += arguments[position]
            rest = specifier.dropFirst()
        }
        return text + rest
    }

    /// The argument's index, and the text from `@` on.
    private static func position(_ rest: Substring, next: Int) -> (Int, Substring) {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        let after = rest.dropFirst(digits.count)
        guard after.first == "$", let number = Int(digits) else { return (next, rest) }
        return (number - 1, after.dropFirst())
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
