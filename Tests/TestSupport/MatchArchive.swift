// Recorded matches are in archives outside the project; the test process unpacks them into its own folder.

public import Foundation
import Synchronization
import Testing

/// An archive of Cricsheet documents below `cricsheet` in the recorded data.
public enum MatchArchive: String, Sendable {
    /// 287 matches with special cases.
    case special
    /// All recorded matches; 2.7 GB when unpacked.
    case matches

    /// The folder of the process, removed when it ends; the archives are unpacked below it.
    private static let folder: URL = {
        let folder = FileManager.default.temporaryDirectory.appending(path: "recorded-\(UUID().uuidString)")
        atexit { try? FileManager.default.removeItem(at: MatchArchive.folder) }
        return folder
    }()

    private static let unpackedSpecial = Result { try special.unpack(named: special.rawValue, members: []) }

    /// The folder of all special matches, unpacked once for the process.
    ///
    /// - Throws: An issue when SCORE_DATA is not set, or tar with xz is not installed.
    public static func specialFolder() throws -> URL { try unpackedSpecial.get() }

    /// The documents of an archive.
    ///
    /// - Parameter ids: Cricsheet ids of the wanted matches, all when empty; an id without a match is left out.
    /// - Returns: The files in the order of their ids.
    /// - Throws: An issue when SCORE_DATA is not set, or tar with xz is not installed.
    public func files(ids: Set<String> = []) throws -> [(id: String, url: URL)] {
        let folder =
            self == .special
            ? try Self.specialFolder()
            : try unpack(named: UUID().uuidString, members: ids.sorted().map { "*/\($0).json" })
        let paths = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var found: [(id: String, url: URL)] = []
        for case let url as URL in paths where url.pathExtension == "json" {
            let id = url.deletingPathExtension().lastPathComponent
            if ids.isEmpty || ids.contains(id) { found.append((id, url)) }
        }
        try #require(!found.isEmpty || !ids.isEmpty, "tar with xz is needed to unpack \(rawValue).tar.xz")
        return found.sorted { $0.id < $1.id }
    }

    private func unpack(named name: String, members: [String]) throws -> URL {
        let target = Self.folder.appending(path: name)
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        let tar = Process()
        tar.executableURL = URL(filePath: "/usr/bin/env")
        let archive = try RecordedData.url("cricsheet/\(rawValue).tar.xz").path
        tar.arguments = ["tar", "xJf", archive, "-C", target.path] + (members.isEmpty ? [] : ["--wildcards"] + members)
        // tar reports each member that the archive lacks.
        tar.standardError = FileHandle.nullDevice
        try tar.run()
        tar.waitUntilExit()
        return target
    }
}
