// The server reads openapi.yaml itself, to serve it as JSON and as a page.

import ScoreTypes

/// A line that is not in the subset of YAML that the server reads.
struct YAMLSyntaxError: Error, Sendable, Hashable {
    /// Counted from 1.
    let line: Int
    let expectation: String
}

/// Reads the subset of YAML 1.2 in which openapi.yaml is written.
///
/// Block and flow collections, plain and quoted scalars, folded and literal text. Anchors, tags, several documents and
/// tabs are not read.
struct YAMLReader {
    private struct Line {
        let number: Int
        var indent: Int
        var text: Substring
    }

    private var lines: [Line]
    private var next = 0

    /// Reads a document; throws `YAMLSyntaxError` for what the subset does not have.
    static func read(_ bytes: [UInt8]) throws(YAMLSyntaxError) -> JSONValue {
        var reader = YAMLReader(bytes)
        let value = try reader.collection()
        guard reader.peek() == nil else { throw reader.expected("the end of the file") }
        return value
    }

    private init(_ bytes: [UInt8]) {
        let all = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        lines = all.enumerated().map { index, line in
            let text = line.drop { $0 == " " }
            return Line(number: index + 1, indent: line.utf8.count - text.utf8.count, text: text)
        }
    }

    private func expected(_ expectation: String) -> YAMLSyntaxError {
        YAMLSyntaxError(line: next < lines.count ? lines[next].number : lines.count, expectation: expectation)
    }

    /// The next line with content; blank lines and comments are skipped.
    private mutating func peek() -> Line? {
        while next < lines.count, lines[next].text.isEmpty || lines[next].text.hasPrefix("#") { next += 1 }
        return next < lines.count ? lines[next] : nil
    }

    /// The collection that begins in the next line.
    private mutating func collection() throws(YAMLSyntaxError) -> JSONValue {
        guard let line = peek() else { throw expected("a mapping or a sequence") }
        if line.text.hasPrefix("{") || line.text.hasPrefix("[") {
            next += 1
            return try flow(line.text, below: line.indent - 1)
        }
        return line.text.hasPrefix("- ") ? try sequence(line.indent) : try mapping(line.indent)
    }

    private mutating func sequence(_ indent: Int) throws(YAMLSyntaxError) -> JSONValue {
        var elements: [JSONValue] = []
        while let line = peek(), line.indent == indent, line.text.hasPrefix("- ") {
            let text = line.text.dropFirst(2).drop { $0 == " " }
            if YAMLScalar.member(of: text) != nil {
                // The first member stands in the line of the dash; the others are indented like it.
                let inner = indent + line.text.utf8.count - text.utf8.count
                lines[next] = Line(number: line.number, indent: inner, text: text)
                elements.append(try mapping(inner))
            } else {
                next += 1
                elements.append(try value(text, below: indent))
            }
        }
        return .array(elements)
    }

    private mutating func mapping(_ indent: Int) throws(YAMLSyntaxError) -> JSONValue {
        var members: [JSONValue.Member] = []
        while let line = peek(), line.indent >= indent {
            guard line.indent == indent, let (name, text) = YAMLScalar.member(of: line.text),
                !members.contains(where: { $0.name == name })
            else {
                throw expected("a new member, indented by \(indent)")
            }
            next += 1
            members.append(JSONValue.Member(name: name, value: try value(text, below: indent)))
        }
        return .object(members)
    }

    /// The value whose text begins after a colon or a dash; `indent` is that of its parent.
    private mutating func value(_ text: Substring, below indent: Int) throws(YAMLSyntaxError) -> JSONValue {
        switch text.first {
        case nil:
            guard let line = peek(), line.indent > indent || (line.indent == indent && line.text.hasPrefix("- ")) else {
                return .null
            }
            return try collection()
        case ">", "|":
            return .text(try block(text, below: indent))
        case "{", "[", "'", "\"":
            return try flow(text, below: indent)
        default:
            var whole = YAMLScalar.withoutComment(text)
            while let line = peek(), line.indent > indent {
                guard YAMLScalar.member(of: line.text) == nil else { throw expected("a text without members") }
                whole += " " + YAMLScalar.withoutComment(line.text)
                next += 1
            }
            return YAMLScalar.plain(whole)
        }
    }

    /// A flow collection or a quoted scalar, which may continue in further lines.
    private mutating func flow(_ text: Substring, below indent: Int) throws(YAMLSyntaxError) -> JSONValue {
        var whole = String(text)
        while true {
            var scanner = YAMLScalar(whole)
            do throws(YAMLScalar.Failure) {
                return try scanner.whole()
            } catch {
                guard error == .incomplete, next < lines.count, lines[next].indent > indent else {
                    next -= 1
                    throw expected("a flow collection or a quoted text")
                }
                whole += " " + lines[next].text
                next += 1
            }
        }
    }

    /// Text after `>` (folded) or `|` (literal); with `-` it ends without a line break.
    private mutating func block(_ header: Substring, below indent: Int) throws(YAMLSyntaxError) -> String {
        guard [">", ">-", "|", "|-"].contains(header) else {
            next -= 1
            throw expected("> or |, with or without -")
        }
        let isLiteral = header.hasPrefix("|")
        var (text, blanks, inner) = ("", 0, Int?.none)
        while next < lines.count, lines[next].text.isEmpty || lines[next].indent > indent {
            let line = lines[next]
            if line.text.isEmpty {
                blanks += 1
            } else {
                let first = inner ?? line.indent
                guard line.indent == first || (isLiteral && line.indent > first) else {
                    throw expected("text that is indented by \(first)")
                }
                if inner != nil {
                    text += String(repeating: "\n", count: isLiteral ? blanks + 1 : blanks)
                    if !isLiteral && blanks == 0 { text += " " }
                }
                text += String(repeating: " ", count: line.indent - first) + line.text
                (inner, blanks) = (first, 0)
            }
            next += 1
        }
        return header.hasSuffix("-") ? text : text + "\n"
    }
}
