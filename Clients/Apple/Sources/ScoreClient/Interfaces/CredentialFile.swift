// On systems without a Keychain the credential is in a file that only its owner can read.

public import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A credential in a file with mode 0600.
public struct CredentialFile: CredentialStore {
    private let path: String

    /// Names the file; its folder has to exist.
    public init(_ url: URL) { path = url.path }

    /// The stored credential; nil when there is no file.
    ///
    /// - Throws: `CredentialStoreError.failed` when the file cannot be read.
    public func read() throws(CredentialStoreError) -> String? {
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            return data.isEmpty ? nil : String(decoding: data, as: UTF8.self)
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        } catch {
            // Not nil: an absent credential makes the client register a second device.
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            throw .failed(cause.map { Int32(truncatingIfNeeded: $0.code) } ?? EIO)
        }
    }

    /// Replaces the file in one step, so that a crash leaves the old or the new credential.
    ///
    /// - Throws: `CredentialStoreError.failed` when nothing was stored.
    public func write(_ credential: String) throws(CredentialStoreError) {
        let next = path + ".new"
        _ = unlink(next)
        let file = open(next, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard file >= 0 else { throw .failed(errno) }
        let bytes = Array(credential.utf8)
        let written = bytes.withUnsafeBytes { PlatformFile.write(file, $0) }
        let isSynced = fsync(file) == 0
        let isClosed = close(file) == 0
        guard written == bytes.count, isSynced, isClosed, rename(next, path) == 0 else {
            let code = errno
            _ = unlink(next)
            throw .failed(code)
        }
    }

    /// Removes the file.
    ///
    /// - Throws: `CredentialStoreError.failed` when it is still there.
    public func remove() throws(CredentialStoreError) {
        if unlink(path) != 0, errno != ENOENT { throw .failed(errno) }
    }
}

/// Calls whose names methods of the same file have.
private enum PlatformFile {
    static func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(file, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
            Musl.write(file, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(file, bytes.baseAddress, bytes.count)
        #endif
    }
}
