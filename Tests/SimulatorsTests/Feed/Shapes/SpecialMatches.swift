// Unpacks the recorded matches that have special cases, and puts nothing of them into the project.

import Foundation
import Providers
import ScoreIngest
import Testing

/// The matches of `special.tar.xz`.
enum SpecialMatches {
    static let data = ProcessInfo.processInfo.environment["SCORE_DATA"]
    static let missing: Comment = "SCORE_DATA is not set: recorded matches are not checked"
    /// Whether all matches are wanted, and not the few that a normal run has time for.
    static let wantsAll = ProcessInfo.processInfo.environment["FEEDS_ALL"] != nil
    /// Matches of a normal run.
    static let fewMax = 30

    /// Reads the documents by id.
    ///
    /// - Parameter ids: Those wanted; when empty, all of them or an even choice of thirty.
    /// - Returns: The documents in order of their ids.
    /// - Throws: When there is no archive, or nothing to unpack it with.
    static func read(ids: Set<String> = []) throws -> [(id: String, document: CricsheetDocument)] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("special-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let tar = Process()
        tar.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        tar.arguments = ["tar", "xJf", try #require(data) + "/cricsheet/special.tar.xz", "-C", folder.path]
        try tar.run()
        tar.waitUntilExit()
        let paths = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var files: [(id: String, url: URL)] = []
        for case let url as URL in paths where url.pathExtension == "json" {
            files.append((url.deletingPathExtension().lastPathComponent, url))
        }
        try #require(!files.isEmpty, "tar with xz is needed to unpack special.tar.xz")
        files.sort { $0.id < $1.id }
        if !ids.isEmpty {
            files = files.filter { ids.contains($0.id) }
        } else if !wantsAll {
            let stride = max(1, files.count / fewMax)
            files = files.enumerated().filter { $0.offset.isMultiple(of: stride) }.prefix(fewMax).map(\.element)
        }
        return try files.map { ($0.id, try CricsheetDocument(json: Array(try Data(contentsOf: $0.url)))) }
    }
}
