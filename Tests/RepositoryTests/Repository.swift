// Reads the project's own files, for the rules that no compiler checks.

import Foundation

/// One source file and its lines.
struct SourceFile: Sendable, CustomStringConvertible {
    /// Path from the root of the repository.
    let path: String
    let lines: [String]

    /// The target of the file: the folder below the last Sources or Tests of its path.
    var target: String {
        let folders = path.split(separator: "/")
        let top = folders.lastIndex { $0 == "Sources" || $0 == "Tests" }
        return top.flatMap { folders.indices.contains($0 + 1) ? String(folders[$0 + 1]) : nil } ?? ""
    }
    var description: String { path }
}

enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The files below a folder whose names have a suffix, sorted by path; none when there is no such folder.
    static func files(below folder: String, ending suffix: String) -> [SourceFile] {
        let top = root.appending(path: folder)
        guard let walker = FileManager.default.enumerator(at: top, includingPropertiesForKeys: nil) else { return [] }
        return walker.compactMap { $0 as? URL }
            .filter { $0.lastPathComponent.hasSuffix(suffix) }
            .compactMap { url in
                guard let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
                let path = String(url.path.dropFirst(root.path.count + 1))
                return SourceFile(path: path, lines: text.components(separatedBy: "\n"))
            }
            .sorted { $0.path < $1.path }
    }

    /// Folders of the packages that the tests read: the server's, and the client's for Apple platforms.
    static let packages = ["", "Clients/Apple/"]

    static let sources = packages.flatMap { files(below: "\($0)Sources", ending: ".swift") }
    static let tests = packages.flatMap { files(below: "\($0)Tests", ending: ".swift") }

    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
