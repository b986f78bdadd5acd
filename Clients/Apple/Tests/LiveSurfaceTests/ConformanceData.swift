// The published fixtures of the contract, read where they lie.

import Foundation
import LiveSurface
import Testing

/// The conformance set below `SCORE_DATA`.
enum ConformanceData {
    static let folder = ProcessInfo.processInfo.environment["SCORE_DATA"].map { $0 + "/surfaces" }
    static let isPresent = folder != nil
    static let absence: Comment = "SCORE_DATA is not set"

    /// Names of the JSON files of one folder, without its index; empty without data.
    static func names(in place: String) -> [String] {
        guard let folder else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(place)")) ?? []
        return names.filter { $0.hasSuffix(".json") && $0 != "index.json" }.sorted()
    }

    /// A file as JSON, an editor's `$schema` taken off.
    static func object(_ path: String) throws -> [String: Any] {
        let data = try Data(contentsOf: URL(fileURLWithPath: try #require(folder) + "/" + path))
        var object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        object["$schema"] = nil
        return object
    }

    static func list(_ path: String) throws -> [[String: Any]] {
        let data = try Data(contentsOf: URL(fileURLWithPath: try #require(folder) + "/" + path))
        return try #require(JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    }
}

/// Decodes and encodes by way of Foundation, as an app does.
enum Wire {
    static func snapshot(_ object: [String: Any]) throws -> SurfaceSnapshot {
        try JSONDecoder().decode(SurfaceSnapshot.self, from: JSONSerialization.data(withJSONObject: object))
    }

    static func snapshot(_ json: String) throws -> SurfaceSnapshot {
        try JSONDecoder().decode(SurfaceSnapshot.self, from: Data(json.utf8))
    }

    static func object(_ value: some Encodable) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? [String: Any])
    }

    /// Compact bytes with plain slashes.
    static func bytes(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return try encoder.encode(value)
    }

    static func equal(_ left: [String: Any], _ right: [String: Any]) -> Bool {
        left as NSDictionary == right as NSDictionary
    }

    /// The error of a body that has to fail.
    static func fault(_ body: () throws -> Void) -> SurfaceError? {
        do {
            try body()
            return nil
        } catch {
            return error as? SurfaceError
        }
    }
}
