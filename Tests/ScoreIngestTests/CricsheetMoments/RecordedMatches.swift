// Takes recorded matches out of their archives for a test, and puts nothing of them into the project.

import Foundation
import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// The folder of recorded data, as the environment names it.
enum RecordedMatches {
    static let data = ProcessInfo.processInfo.environment["SCORE_DATA"]
    static let missing: Comment = "SCORE_DATA is not set: recorded matches are not checked"

    /// Unpacks an archive's matches into a folder of their own, and reads them all.
    ///
    /// - Parameters:
    ///   - archive: `special` or `matches`.
    ///   - ids: Those wanted; all when empty. Those that are not there are not read.
    /// - Returns: The matches by id.
    /// - Throws: When there is no archive, or nothing to unpack it with.
    static func read(_ archive: String, ids: Set<String> = []) throws -> [String: MatchSnapshot] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recorded-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let tar = Process()
        tar.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let path = try #require(data) + "/cricsheet/\(archive).tar.xz"
        let wanted = ids.isEmpty ? [] : ["--wildcards"] + ids.sorted().map { "*/\($0).json" }
        tar.arguments = ["tar", "xJf", path, "-C", folder.path] + wanted
        tar.standardError = FileHandle.nullDevice
        try tar.run()
        tar.waitUntilExit()
        var found: [String: MatchSnapshot] = [:]
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "json" {
            let id = file.deletingPathExtension().lastPathComponent
            found[id] = try CricsheetAdapter().snapshot(Array(try Data(contentsOf: file)))
        }
        try #require(!found.isEmpty || !ids.isEmpty, "tar with xz is needed to unpack \(archive).tar.xz")
        return found
    }

    /// A file of a feed's recorded replies, as plain JSON.
    static func feed(_ path: String) throws -> [String: Any] {
        let body = try Data(contentsOf: URL(fileURLWithPath: try #require(data) + "/feeds/" + path))
        return try #require(JSONSerialization.jsonObject(with: body) as? [String: Any])
    }
}

extension MatchSnapshot {
    /// The match after its first `count` deliveries, by its frame and its balls alone.
    func replica(through count: Int) -> MatchReplica {
        var replica = MatchReplica()
        var changes: [Change] = [.info(info)]
        let balls = deliveries.prefix(count)
        let begun = balls.last?.innings ?? 0
        for var frame in innings where frame.ordinal <= begun {
            // What closes an innings is told after its last ball.
            if frame.ordinal == begun && count < deliveries.count { frame.isClosed = false }
            changes.append(.innings(frame))
        }
        replica.apply(changes + balls.map(Change.inserted))
        return replica
    }

    /// All of it.
    var replica: MatchReplica {
        var replica = MatchReplica()
        replica.apply(
            [.info(info)] + innings.map(Change.innings) + deliveries.map(Change.inserted)
                + [.status(status), .result(result)]
        )
        return replica
    }
}
