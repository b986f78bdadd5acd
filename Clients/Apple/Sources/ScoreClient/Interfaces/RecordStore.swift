// Stores the encoded record of the client, which survives the end of the app.

public import Foundation

/// Reads and replaces the encoded record of the client.
public struct RecordStore: Sendable {
    /// The stored bytes; nil when there are none.
    ///
    /// It throws while they cannot be read, for instance before the first unlock of the phone. The client then sends
    /// and writes nothing, and reads them again at each event of the app.
    public var read: @Sendable () throws -> Data?
    /// Replaces the stored bytes in one step; after a failure the client writes them with its next event.
    public var write: @Sendable (Data) throws -> Void

    /// Makes a store from two functions.
    public init(read: @escaping @Sendable () throws -> Data?, write: @escaping @Sendable (Data) throws -> Void) {
        self.read = read
        self.write = write
    }

    /// A file of the app's Application Support folder, which is made where it is missing.
    public static func applicationSupport(_ name: String) -> RecordStore {
        let file: @Sendable () throws -> RecordStore = {
            let folder = try FileManager.default.url(
                for: .applicationSupportDirectory,
                in: .userDomainMask,
                appropriateFor: nil,
                create: true
            )
            return .file(folder.appendingPathComponent(name))
        }
        return RecordStore(read: { try file().read() }, write: { try file().write($0) })
    }

    /// A file that is replaced in one step; its folder has to exist.
    public static func file(_ url: URL) -> RecordStore {
        RecordStore(
            read: { FileManager.default.fileExists(atPath: url.path) ? try Data(contentsOf: url) : nil },
            write: { data in
                #if os(iOS) || os(watchOS)
                    // A start in the background by a push happens on a locked phone, too.
                    try data.write(to: url, options: [.atomic, .completeFileProtectionUntilFirstUserAuthentication])
                #else
                    try data.write(to: url, options: .atomic)
                #endif
            }
        )
    }
}
