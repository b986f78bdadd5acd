// A proxy that loses a connection after the server has committed and before the client receives the answer.

import Glibc
import Postgres
import ScoreTypes
import Synchronization

/// A proxy between client and Postgres on a unix socket, which hangs up on the answer to a COMMIT when it is armed.
final class CommitThief: Sendable {
    let info: ConnectionInfo
    private let armed = Atomic(false)
    private let stolen = Atomic(0)
    private let listener: Int32
    private let server: String
    private let directory: String

    /// Number of answers that were lost.
    var stolenCount: Int { stolen.load(ordering: .acquiring) }

    init(server: String, database: String, directory: String) throws {
        (self.server, self.directory) = (server, directory)
        mkdir(directory, 0o700)
        listener = try Self.socket(at: "\(directory)/.s.PGSQL.5432") { Glibc.bind($0, $1, $2) }
        listen(listener, 16)
        info = ConnectionInfo("host=\(directory) dbname=\(database) user=score")
        OwnedThread.start(name: "thief") { [self] in
            while case let client = accept(listener, nil, nil), client >= 0 { serve(client) }
        }
    }

    deinit {
        close(listener)
        unlink("\(directory)/.s.PGSQL.5432")
        rmdir(directory)
    }

    /// Loses the next answer to a COMMIT.
    func arm() { armed.store(true, ordering: .releasing) }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve(_ client: Int32) {
        guard let upstream = try? Self.socket(at: server, using: { Glibc.connect($0, $1, $2) }) else {
            close(client)
            return
        }
        let pair = Pair(client: client, upstream: upstream)
        OwnedThread.start(name: "thief-up") { pair.pump(from: pair.client, to: pair.upstream) { _ in true } }
        OwnedThread.start(name: "thief-down") { [self] in
            pair.pump(from: pair.upstream, to: pair.client) { answer in
                guard answer.contains("COMMIT\0"), armed.exchange(false, ordering: .acquiringAndReleasing) else {
                    return true
                }
                stolen.add(1, ordering: .releasing)
                return false
            }
        }
    }

    /// Both ends of a connection, closed when neither direction uses them: a descriptor that is closed earlier is soon
    /// reused, and the other direction would close the wrong connection.
    private final class Pair: Sendable {
        let client: Int32
        let upstream: Int32

        init(client: Int32, upstream: Int32) {
            self.client = client
            self.upstream = upstream
        }

        deinit {
            close(client)
            close(upstream)
        }

        func pump(from source: Int32, to target: Int32, unless passes: (String) -> Bool) {
            var buffer = [UInt8](repeating: 0, count: 65536)
            while case let count = read(source, &buffer, buffer.count), count > 0 {
                guard passes(String(decoding: buffer.prefix(count), as: UTF8.self)) else { break }
                guard send(target, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
            }
            shutdown(source, Int32(SHUT_RDWR))
            shutdown(target, Int32(SHUT_RDWR))
        }
    }

    private struct SocketError: Error {}

    private static func socket(
        at path: String,
        using call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> Int32 {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0 else { throw SocketError() }
        return descriptor
    }
}
