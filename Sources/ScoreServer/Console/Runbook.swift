// Operators read the runbooks of their version in the console; each is a small Markdown file of docs/runbooks.

import CDocuments

/// One runbook: paragraphs and lists below headings.
struct Runbook: Sendable {
    /// A piece of text; code when it is between backticks, linked when it names another runbook.
    struct Span: Sendable, Equatable {
        let text: String
        var isCode = false
        /// The name of a runbook.
        var runbook: String?
    }

    /// The elements of a runbook, in their order.
    enum Block: Sendable, Equatable {
        case heading(String)
        case paragraph([Span])
        case list([[Span]], isOrdered: Bool)
    }

    /// The name of its file, without the ending.
    let name: String
    private(set) var title = ""
    /// Names of alerts.
    private(set) var alerts: [String] = []
    private(set) var blocks: [Block] = []

    /// Reads headings, paragraphs, and lists whose further lines are indented; anything else is a paragraph.
    init(name: String, markdown: String) {
        self.name = name
        var (lines, items, isOrdered): ([Substring], [Substring], Bool) = ([], [], false)
        var entries: [[Substring]] = []
        func flush(_ blocks: inout [Block]) {
            if !items.isEmpty { entries.append(items) }
            if !entries.isEmpty {
                blocks.append(.list(entries.map { Self.spans($0.joined(separator: " ")) }, isOrdered: isOrdered))
            }
            if !lines.isEmpty { blocks.append(.paragraph(Self.spans(lines.joined(separator: " ")))) }
            (lines, items, entries) = ([], [], [])
        }
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("# ") {
                title = String(line.dropFirst(2))
            } else if line.hasPrefix("Alerts: ") {
                alerts = line.dropFirst(8).split(separator: ", ").map { name in String(name.filter { $0 != "`" }) }
            } else if line.hasPrefix("## ") {
                flush(&blocks)
                blocks.append(.heading(String(line.dropFirst(3))))
            } else if let item = Self.item(of: line) {
                if !items.isEmpty { entries.append(items) }
                (items, isOrdered) = ([item.text], item.isOrdered)
            } else if line.isEmpty {
                flush(&blocks)
            } else if items.isEmpty {
                lines.append(line)
            } else {
                items.append(line.drop { $0 == " " })
            }
        }
        flush(&blocks)
    }

    private static func item(of line: Substring) -> (text: Substring, isOrdered: Bool)? {
        if line.hasPrefix("- ") { return (line.dropFirst(2), false) }
        let digits = line.prefix { $0.isNumber }
        guard !digits.isEmpty, line.dropFirst(digits.count).hasPrefix(". ") else { return nil }
        return (line.dropFirst(digits.count + 2), true)
    }

    /// The pieces of a text: code between backticks, links without their targets, and plain text.
    static func spans(_ text: String) -> [Span] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().flatMap { index, part -> [Span] in
            index % 2 == 1 ? [Span(text: String(part), isCode: true)] : links(part)
        }
    }

    private static func links(_ text: Substring) -> [Span] {
        var (spans, rest): ([Span], Substring) = ([], text)
        while let link = rest.firstMatch(of: #/\[([^\]]*)\]\(([^)]*)\)/#) {
            let before = rest[..<link.range.lowerBound]
            if !before.isEmpty { spans.append(Span(text: String(before))) }
            let target = link.output.2
            let isRunbook = target.hasSuffix(".md") && !target.contains("/")
            spans.append(Span(text: String(link.output.1), runbook: isRunbook ? String(target.dropLast(3)) : nil))
            rest = rest[link.range.upperBound...]
        }
        if !rest.isEmpty { spans.append(Span(text: String(rest))) }
        return spans
    }

    /// All runbooks of this version, by name.
    static let all: [Runbook] = {
        var (all, index): ([Runbook], Int) = ([], 0)
        var (name, count): (UnsafePointer<CChar>?, Int) = (nil, 0)
        while let bytes = runbook_file(index, &name, &count), let file = name.map({ String(cString: $0) }) {
            let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
            all.append(Runbook(name: file, markdown: text))
            index += 1
        }
        return all
    }()
}
