// Tests of feeds play recorded matches that have special cases: a few in a normal run, all on demand.

import Foundation
import Providers
import ScoreIngest
import TestSupport

/// The matches of `special.tar.xz`.
enum SpecialMatches {
    /// Whether all matches are played; a normal run has no time for them.
    static let wantsAll = ProcessInfo.processInfo.environment["FEEDS_ALL"] != nil
    /// Matches of a normal run.
    static let fewMax = 30

    /// Reads the documents by id.
    ///
    /// - Parameter ids: The wanted matches; when empty, all of them or an even choice of thirty.
    /// - Returns: The documents in order of their ids.
    /// - Throws: When there is no archive, it cannot be unpacked, or a document cannot be read.
    static func read(ids: Set<String> = []) throws -> [(id: String, document: CricsheetDocument)] {
        var files = try MatchArchive.special.files(ids: ids)
        if ids.isEmpty, !wantsAll {
            let stride = max(1, files.count / fewMax)
            files = files.enumerated().filter { $0.offset.isMultiple(of: stride) }.prefix(fewMax).map(\.element)
        }
        return try files.map { ($0.id, try CricsheetDocument(json: Array(try Data(contentsOf: $0.url)))) }
    }
}
