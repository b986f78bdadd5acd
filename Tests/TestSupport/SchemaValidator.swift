// The committed schemas are checked by a validator that is no part of this project: Debian's python3-jsonschema.

public import Foundation
public import Testing

/// `docs/schema/validate.py`, run by Python.
public enum SchemaValidator {
    /// The folder of the schemas and of the script.
    public static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/schema")

    /// The package knows the draft from version 4 on.
    static let isInstalled = (try? python(["-c", "from jsonschema import Draft202012Validator"], nil)) == ""

    /// Validates JSON documents.
    ///
    /// - Parameters:
    ///   - documents: JSON texts, each on one line.
    ///   - schema: The file of the schema.
    /// - Returns: `valid` or a fault for each document, in order.
    /// - Throws: The error of the file system, or of a Python that cannot be run.
    public static func verdicts(of documents: [[UInt8]], by schema: URL) throws -> [Substring] {
        let file = FileManager.default.temporaryDirectory.appending(path: "documents-\(UUID().uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(documents.joined(separator: Array("\n".utf8))).write(to: file)
        return try python([folder.appending(path: "validate.py").path, schema.path], file).split(separator: "\n")
    }

    /// The output of Python, both streams.
    private static func python(_ arguments: [String], _ input: URL?) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        let output = Pipe()
        process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test when python3-jsonschema is not installed.
    public static var needsSchemaValidator: Self {
        .enabled(if: SchemaValidator.isInstalled, "python3-jsonschema is not installed")
    }
}
