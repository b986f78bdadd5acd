// Tests of recorded matches find the data outside the project; without it they are skipped, and the run counts them.

public import Foundation
public import Testing

/// The folder of recorded data that the variable SCORE_DATA names.
public enum RecordedData {
    private static let root = ProcessInfo.processInfo.environment["SCORE_DATA"].flatMap { path in
        path.isEmpty ? nil : URL(filePath: path)
    }

    /// Whether SCORE_DATA names a folder.
    static var isPresent: Bool { root != nil }

    /// Finds a file or folder of the data.
    ///
    /// - Parameter path: The path from the folder of the data.
    /// - Returns: Its URL, whether or not it exists.
    /// - Throws: An issue when SCORE_DATA is not set.
    public static func url(_ path: String) throws -> URL { try #require(root).appending(path: path) }

    /// Reads a file of the data.
    ///
    /// - Parameter path: The path from the folder of the data.
    /// - Returns: Its bytes.
    /// - Throws: An issue when SCORE_DATA is not set, or the error of the file system.
    public static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: url(path))) }

    /// Reads a CSV file of the data.
    ///
    /// - Parameter path: The path from the folder of the data.
    /// - Returns: Its lines without the heading.
    /// - Throws: An issue when SCORE_DATA is not set, or the error of the file system.
    public static func rows(_ path: String) throws -> [Substring] {
        Array(try String(contentsOf: url(path), encoding: .utf8).split(whereSeparator: \.isNewline).dropFirst())
    }

    /// Reads a JSON file of the data.
    ///
    /// - Parameter path: The path from the folder of the data.
    /// - Returns: Its top-level object.
    /// - Throws: An issue when SCORE_DATA is not set or the file is no JSON object, or the error of the file system.
    public static func object(_ path: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(contentsOf: url(path))) as? [String: Any])
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test or a suite without SCORE_DATA; `deploy/run-tests.sh` counts the skipped tests by the comment.
    public static var needsRecordedMatches: Self { .enabled(if: RecordedData.isPresent, "SCORE_DATA is not set") }
}
