// Verifications read thousands of match files on all cores, each core one file at a time.

import ArgumentParser
import Foundation
import Providers

/// The match files of a command.
enum MatchFile {
    /// The match's id: the name of its file.
    static func id(_ path: String) -> String {
        let name = path.split(separator: "/").last ?? Substring(path)
        return String(name.hasSuffix(".json") ? name.dropLast(5) : name)
    }

    /// The bytes of a file; nil when it cannot be read or is too large.
    static func bytes(_ path: String) -> [UInt8]? {
        guard let data = FileManager.default.contents(atPath: path), data.count <= LabLimits.matchFileBytes else {
            return nil
        }
        return Array(data)
    }

    /// Reads a recorded match, and makes something of it.
    static func read<Value>(
        _ path: String,
        _ make: (CricsheetDocument) throws -> Value
    ) throws(ValidationError) -> Value {
        guard let bytes = bytes(path) else {
            throw ValidationError("Cannot read \(path); give the path of a Cricsheet JSON file.")
        }
        do { return try make(CricsheetDocument(json: bytes)) } catch {
            throw ValidationError("\(path) is no Cricsheet match: \(error)")
        }
    }

    /// Why a file has no bytes.
    static let unreadable = "cannot be read, or is larger than \(LabLimits.matchFileBytes >> 20) MiB"

    /// Finds the files of the paths given: `.json` files, and all of them below folders, in order of name.
    static func files(at paths: [String]) throws(ValidationError) -> [String] {
        var found: [String] = []
        for path in paths {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw ValidationError(
                    "There is no file or folder \(path); give Cricsheet JSON files or folders of them."
                )
            }
            guard isFolder.boolValue else {
                found.append(path)
                continue
            }
            let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
            found += names.filter { $0.hasSuffix(".json") }.sorted().map { "\(path)/\($0)" }
        }
        guard !found.isEmpty else {
            throw ValidationError("There is no .json file in \(paths.joined(separator: ", ")).")
        }
        return found
    }

    /// Does pieces of work side by side, begun in order; `join` gets the result of each.
    static func work<Part: Sendable>(
        on count: Int,
        workers: Int,
        _ work: @escaping @Sendable (Int) -> Part,
        join: (Part) -> Void
    ) async {
        await withTaskGroup(of: Part.self) { group in
            for index in 0..<count {
                if index >= max(1, workers), let part = await group.next() { join(part) }
                group.addTask { work(index) }
            }
            for await part in group { join(part) }
        }
    }
}
