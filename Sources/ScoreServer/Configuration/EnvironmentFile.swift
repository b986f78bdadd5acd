// Unknown names in a `.env` file are refused with their line, so that a typing error is noticed.

import Foundation

/// The `NAME=value` lines of a `.env` file.
enum EnvironmentFile {
    /// The values by name; the last of equal names wins, quotes around a value are taken off.
    static func values(in text: String) -> [String: String] {
        Dictionary(lines(of: text).compactMap { split($0.text) }) { _, last in last }
    }

    /// Mistakes in the lines: no `=`, or an unknown name.
    static func complaints(about text: String, named file: String) -> [String] {
        lines(of: text).compactMap { line in
            guard let (name, _) = split(line.text) else {
                return "\(file) line \(line.number) must have the form NAME=value"
            }
            return EnvironmentNames.isSetting(name)
                ? nil : EnvironmentNames.complaint(about: name, in: "\(file) line \(line.number)")
        }
    }

    private static func lines(of text: String) -> [(number: Int, text: String)] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            let trimmed = line.trimmingCharacters(in: .whitespacesAndNewlines)
            return trimmed.isEmpty || trimmed.hasPrefix("#") ? nil : (index + 1, trimmed)
        }
    }

    private static func split(_ line: String) -> (String, String)? {
        guard let equals = line.firstIndex(of: "=") else { return nil }
        let name = line[..<equals].trimmingCharacters(in: .whitespacesAndNewlines)
        var value = line[line.index(after: equals)...].trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty else { return nil }
        for quote in ["\"", "'"] where value.count >= 2 && value.hasPrefix(quote) && value.hasSuffix(quote) {
            value = String(value.dropFirst().dropLast())
        }
        return (name, value)
    }
}
