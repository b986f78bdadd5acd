// The pages of problems and traps are those of docs/problems.md, which the binary contains: one text for both.

import CDocuments
import PushDispatcher

/// A problem of the API or a trap of Apple's push service: its symptom, its cause and its fix.
struct ProblemPage: Sendable, Hashable {
    /// The last part of its address.
    let slug: String
    /// The status of a problem; nil for a trap.
    let status: Int?
    let title: String
    private(set) var symptom = ""
    private(set) var cause = ""
    private(set) var fix = ""
    /// The answers of APNs that show the trap.
    private(set) var reasons: [APNsReason] = []
    /// Ids of the rules of the snapshot contract that it breaks, such as `MS011`.
    private(set) var rules: [String] = []
    /// The name of a runbook.
    private(set) var runbook: String?

    /// The path of the page.
    var path: String { "/v1/problems/\(slug)" }

    var document: JSONValue {
        .record([
            "type": .text(path), "status": status.map { .whole($0) }, "title": .text(title),
            "symptom": .text(symptom), "cause": .text(cause), "fix": .text(fix),
            "reasons": reasons.isEmpty ? nil : .array(reasons.map { .text($0.rawValue) }),
            "rules": rules.isEmpty ? nil : .array(rules.map { .text($0) }),
            "runbook": runbook.map { .text("/admin/runbooks/\($0)") },
        ])
    }

    /// All pages, in the order of the file.
    static let all: [ProblemPage] = {
        var count = 0
        let bytes = problems_document(&count)
        return pages(of: String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
    }()

    static let bySlug = Dictionary(all.map { ($0.slug, $0) }) { first, _ in first }

    /// The page of an answer of APNs; nil for one that is no problem.
    static func page(of reason: APNsReason) -> ProblemPage? { byReason[reason] }

    private static let byReason = Dictionary(all.flatMap { page in page.reasons.map { ($0, page) } }) { $1 }
}

extension ProblemPage {
    /// Reads the pages of a text: each begins with a heading of the third level.
    static func pages(of markdown: String) -> [ProblemPage] {
        var pages: [ProblemPage] = []
        // A paragraph or list item may have several lines.
        var block = ""
        func end() {
            if !pages.isEmpty { pages[pages.count - 1].take(block) }
            block = ""
        }
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("#") {
                end()
                if let page = ProblemPage(heading: line) { pages.append(page) }
            } else if line.isEmpty || line.hasPrefix("- ") {
                end()
                block = String(line)
            } else {
                block += (block.isEmpty ? "" : " ") + line.drop { $0 == " " }
            }
        }
        end()
        return pages
    }

    /// Reads a heading such as ``### `not-found` 404: Not found``; nil for any other one.
    private init?(heading: Substring) {
        guard let parts = heading.wholeMatch(of: #/### `([a-z0-9-]+)`(?: (\d{3}))?: (.+)/#)?.output else { return nil }
        (slug, status, title) = (String(parts.1), parts.2.flatMap { Int($0) }, String(parts.3))
    }

    private mutating func take(_ block: String) {
        if let text = Self.text(of: block, behind: "- **Symptom.** ") { symptom = text }
        if let text = Self.text(of: block, behind: "- **Cause.** ") { cause = text }
        if let text = Self.text(of: block, behind: "- **Fix.** ") { fix = text }
        guard ["Reasons: ", "Rules: ", "Runbook: "].contains(where: { block.hasPrefix($0) }) else { return }
        reasons = block.matches(of: #/`(\w+)`/#).compactMap { APNsReason(rawValue: String($0.output.1)) }
        rules = block.matches(of: #/MS\d{3}/#).map { String($0.output) }
        runbook = block.firstMatch(of: #/\(runbooks\/([a-z0-9-]+)\.md\)/#).map { String($0.output.1) }
    }

    private static func text(of block: String, behind label: String) -> String? {
        block.hasPrefix(label) ? String(block.dropFirst(label.count)) : nil
    }
}
