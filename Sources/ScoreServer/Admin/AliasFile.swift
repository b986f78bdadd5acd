// People keep tables of ids elsewhere and import them as a file; a file with a mistake changes nothing.

import Foundation
import Providers
import ScoreTypes

/// Reads aliases from lines of `kind,provider,provider_id,our_id`.
///
/// Empty lines, lines that begin with `#`, that heading and blanks around a field are ignored.
enum AliasFile {
    /// The fields of a line, in their order.
    static let fields = ["kind", "provider", "provider_id", "our_id"]

    /// The mistakes in a file.
    struct Mistakes: Error, CustomStringConvertible {
        /// One sentence for each, with its line and field.
        let sentences: [String]

        var description: String { sentences.joined(separator: "\n") }
    }

    /// Reads the contents of a file; throws at most `ServerLimits.aliasFileMistakes` mistakes.
    static func read(_ text: String) throws(Mistakes) -> [Alias] {
        var aliases: [Alias] = []
        var meanings: [Alias: Int] = [:]
        var mistakes: [String] = []
        let lines = text.trimmingPrefix("\u{feff}").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() where mistakes.count < ServerLimits.aliasFileMistakes {
            let values = line.split(separator: ",", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            if values == [""] || values[0].hasPrefix("#") || values == fields { continue }
            do throws(Mistake) {
                let alias = try alias(values)
                let id = Alias(alias.kind, alias.provider, alias.providerID, means: "")
                if let first = meanings[id], aliases[first].ourID != alias.ourID {
                    throw Mistake("provider_id", "expected one meaning, but another line says \(aliases[first].ourID)")
                }
                meanings[id] = aliases.count
                aliases.append(alias)
            } catch {
                mistakes.append("line \(index + 1): \(error.field): \(error.expected)")
            }
        }
        guard mistakes.isEmpty else { throw Mistakes(sentences: mistakes) }
        return aliases
    }

    private struct Mistake: Error {
        let field: String
        let expected: String

        init(_ field: String, _ expected: String) { (self.field, self.expected) = (field, expected) }
    }

    private static func alias(_ values: [String]) throws(Mistake) -> Alias {
        guard values.count == fields.count else {
            let name = values.count < fields.count ? fields[values.count] : "our_id"
            throw Mistake(name, "expected \(fields.joined(separator: ",")), but there are \(values.count) fields")
        }
        let kinds = AliasKind.allCases.map(\.rawValue).joined(separator: ", ")
        guard let kind = AliasKind(rawValue: values[0]) else { throw Mistake("kind", "expected one of \(kinds)") }
        let providers = Provider.allCases.map(\.rawValue).joined(separator: ", ")
        guard let provider = Provider(rawValue: values[1]) else {
            throw Mistake("provider", "expected one of \(providers)")
        }
        for place in 2...3 where !isPlain(values[place]) {
            let range = AliasRoutes.idLength
            let length = "\(range.lowerBound) to \(range.upperBound) characters"
            throw Mistake(fields[place], "expected an id of \(length), without quotes and control characters")
        }
        if kind == .match && MatchID(values[3]) == nil {
            throw Mistake("our_id", "expected 1 to 64 of A-Z a-z 0-9 . _ -")
        }
        return Alias(kind, provider, values[2], means: values[3])
    }

    /// No provider's id contains a quote; a quote means another form of table.
    private static func isPlain(_ id: String) -> Bool {
        AliasRoutes.idLength.contains(id.unicodeScalars.count)
            && id.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f && $0 != 0x22 }
    }
}
