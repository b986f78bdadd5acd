// A phone that loses its network sends neither FIN nor RST; a filter on the socket drops all that arrives.

import CLinux
import Glibc
import NIOCore
import NIOPosix

/// A client of this machine that can stop answering on the level of TCP.
struct VanishingClient: Sendable {
    private let channel: any Channel

    /// Connects and sends a request.
    init(port: Int, request: [UInt8]) async throws {
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(ByteBuffer(bytes: request)).get()
    }

    /// Drops all further packets of the server, so that nothing is acknowledged.
    func vanish() async throws {
        try await channel.eventLoop.submit {
            _ = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
                // BPF_RET | BPF_K: accept no byte.
                var filter = sock_filter(code: 0x06, jt: 0, jf: 0, k: 0)
                let descriptor = $0
                withUnsafeMutablePointer(to: &filter) { filter in
                    var program = sock_fprog(len: 1, filter: filter)
                    let size = socklen_t(MemoryLayout<sock_fprog>.size)
                    setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, size)
                }
            }
        }.get()
    }

    /// Closes the socket.
    func close() { channel.close(promise: nil) }
}
