// Thousands of files on all cores: each worker holds one file at a time, so memory does not grow with the corpus.

import Foundation
import Synchronization

/// Verifies files side by side.
struct VerifyRun: Sendable {
    /// Largest file that is read, in bytes: thirty times the longest match on record.
    static let fileBytesMax = 64 << 20

    let files: [String]
    let totals: InningsTotals?
    let faults: KnownFaults
    let workers: Int

    /// Finds the files of the paths given: `.json` files, and all of them below folders, in order of name.
    ///
    /// - Throws: `VerifyError.noFiles` when there is none.
    static func files(at paths: [String]) throws(VerifyError) -> [String] {
        var found: [String] = []
        for path in paths {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw .notFound(path: path)
            }
            guard isFolder.boolValue else {
                found.append(path)
                continue
            }
            let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
            found += names.filter { $0.hasSuffix(".json") }.sorted().map { "\(path)/\($0)" }
        }
        guard !found.isEmpty else { throw .noFiles(paths: paths) }
        return found
    }

    /// Verifies all; `progress` hears how many are done.
    func run(progress: @escaping @Sendable (Int) -> Void) async -> VerifyReport {
        let cursor = Cursor()
        let start = ContinuousClock.now
        var report = VerifyReport()
        await withTaskGroup(of: VerifyReport.self) { group in
            for _ in 0..<max(1, workers) {
                group.addTask { work(cursor, progress) }
            }
            for await part in group { report.add(part) }
        }
        report.seconds = (ContinuousClock.now - start) / .seconds(1)
        return report
    }

    private func work(_ cursor: Cursor, _ progress: @Sendable (Int) -> Void) -> VerifyReport {
        var report = VerifyReport()
        while true {
            let index = cursor.take()
            guard index < files.count else { return report }
            report.add(findings(files[index]), faults: faults)
            progress(index + 1)
        }
    }

    private func findings(_ path: String) -> MatchFindings {
        let name = path.split(separator: "/").last ?? Substring(path)
        let id = String(name.hasSuffix(".json") ? name.dropLast(5) : name)
        guard let data = FileManager.default.contents(atPath: path), data.count <= Self.fileBytesMax else {
            let reason = "file: cannot be read, or is larger than \(Self.fileBytesMax >> 20) MiB"
            return MatchFindings(id: id, format: "unreadable", deliveries: 0, reasons: [reason])
        }
        return .verify(Array(data), id: id, totals: totals)
    }
}

/// The next file that no worker has taken.
private final class Cursor: Sendable {
    private let next = Mutex(0)

    func take() -> Int {
        next.withLock { index in
            defer { index += 1 }
            return index
        }
    }
}

/// Why there is nothing to verify.
enum VerifyError: Error, CustomStringConvertible {
    case notFound(path: String)
    case noFiles(paths: [String])

    var description: String {
        switch self {
        case .notFound(let path): "There is no file or folder \(path); give Cricsheet JSON files or folders of them."
        case .noFiles(let paths): "There is no .json file in \(paths.joined(separator: ", "))."
        }
    }
}
