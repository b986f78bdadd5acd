// A signing key is replaced without a restart: its file becomes a link to another one, or has other content.

import Foundation
import Logging
import PushDispatcher
import ScoreTypes

/// Watches the key's file, and passes its key on.
///
/// Apple names its files `AuthKey_<key id>.p8`; `APNS_KEY_FILE` is a link to one, or its name or content is changed in
/// place.
final class SigningKeyWatch: Sendable {
    private let file: String
    private let interval: Duration
    private let use: @Sendable (SigningKey, String) async -> Bool
    private static let log = Logger(label: "score.signing")

    /// - Parameters:
    ///   - file: The key's file, or a link to it.
    ///   - interval: Real time between two looks.
    ///   - use: Signs with a key and its id from now on; false, without an effect, for the key in use.
    init(
        file: String,
        interval: Duration = ServerLimits.signingKeyInterval,
        use: @escaping @Sendable (SigningKey, String) async -> Bool
    ) {
        (self.file, self.interval, self.use) = (file, interval, use)
    }

    /// Watches until cancelled.
    func run() async {
        var refused: SigningError?
        while !Task.isCancelled {
            try? await Task.sleep(for: interval)
            // Without an id in its name the file can be read at the node's start only, which is no error.
            guard Self.keyID(in: Self.target(of: file)) != nil else { continue }
            do throws(SigningError) {
                _ = try await reload()
                refused = nil
            } catch {
                if refused != error { Self.log.error("signing key not replaced", metadata: ["error": "\(error)"]) }
                refused = error
            }
        }
    }

    /// Looks at the file now, and uses its key if it is another one.
    ///
    /// - Throws: `SigningError` when the file cannot be used; the key in use stays.
    func reload() async throws(SigningError) -> KeyReload {
        // The link is followed once: it may change before the file is opened.
        let target = Self.target(of: file)
        guard let id = Self.keyID(in: target) else { throw .nameWithoutID(path: file) }
        guard await use(try SigningKey(contentsOfFile: target.path), id) else { return .unchanged }
        Self.log.notice("signing key replaced", metadata: ["key.id": "\(id)"])
        return .replaced(id)
    }

    /// The file behind a path.
    private static func target(of path: String) -> URL { URL(filePath: path).resolvingSymlinksInPath() }

    /// The id in the name of a file; nil when the name has none.
    static func keyID(in file: URL) -> String? {
        file.lastPathComponent.wholeMatch(of: #/AuthKey_([0-9A-Z]{10})\.p8/#).map { String($0.1) }
    }
}
