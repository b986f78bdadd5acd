// The feed simulator cuts documents and serves them again, so they are read and written in one place.

internal import Foundation

extension CricsheetDocument {
    /// Reads a document.
    ///
    /// - Throws: `AdapterError` that names the place when the bytes are no document.
    public init(json body: [UInt8]) throws(AdapterError) {
        self = try AdapterError.decode(CricsheetDocument.self, from: body)
    }

    /// Writes the document with sorted keys, so that equal documents have equal bytes.
    ///
    /// - Throws: `AdapterError.contradiction` when a number is not finite.
    public func json() throws(AdapterError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(self))
        } catch {
            throw .contradiction(path: "body", expected: "finite numbers")
        }
    }
}
