// After the head of its answer a stream needs a socket and nothing else of the HTTP connection.

import CLinux
import Glibc
import NIOCore
import ScoreTypes

/// The non-blocking socket of one open stream; closed when its last holder releases it.
final class StreamSocket: Sendable {
    /// The result of a system call that sends.
    enum Sending: Sendable {
        case sent(Int)
        case wouldBlock
        case failed
    }

    let descriptor: Int32

    /// Owns a descriptor of a non-blocking socket from here on.
    ///
    /// A peer that acknowledges nothing for so long counts as vanished.
    init(owning descriptor: Int32, acknowledgement: Duration) {
        self.descriptor = descriptor
        // A socket that refuses an option only buffers more than it should, or is given up later.
        set(SOL_SOCKET, SO_SNDBUF, ServerLimits.streamSocketBytes)
        set(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, ServerLimits.streamUnsentBytes)
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, Int32(clamping: acknowledgement.milliseconds))
    }

    deinit { close(descriptor) }

    /// Takes the socket from an HTTP connection and closes the connection, which sends nothing more.
    ///
    /// Throws when the connection is closed, or still has output, which would be lost.
    static func take(from channel: any Channel, acknowledgement: Duration) async throws -> StreamSocket {
        try await channel.eventLoop.submit {
            guard let options = channel.syncOptions, try options.getOption(.bufferedWritableBytes) == 0 else {
                throw ChannelError.inappropriateOperationForState
            }
            let copy = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
                of: NIOBSDSocket.Handle.self
            ) { descriptor in
                fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            }
            guard let copy, copy >= 0 else { throw ChannelError.inappropriateOperationForState }
            channel.close(promise: nil)
            return StreamSocket(owning: copy, acknowledgement: acknowledgement)
        }.get()
    }

    /// Sends as many bytes as the kernel takes.
    func send(_ bytes: ByteBuffer) -> Sending {
        bytes.withUnsafeReadableBytes { bytes in
            while true {
                let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                if count >= 0 { return .sent(count) }
                switch errno {
                case EINTR: continue
                case EAGAIN: return .wouldBlock
                default: return .failed
                }
            }
        }
    }

    /// Makes the close reset the connection, so that the kernel frees what a slow reader has not taken.
    func abandonOutput() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Whether the peer acknowledges nothing, so that the kernel sends the same bytes again.
    ///
    /// A slow reader acknowledges what was sent, and allows no more.
    var isUnacknowledged: Bool {
        var (info, size) = (tcp_info(), socklen_t(MemoryLayout<tcp_info>.size))
        guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &size) == 0 else { return false }
        return info.tcpi_retransmits > 0
    }

    /// Whether the kernel has given the peer up.
    var hasTimedOut: Bool {
        var (code, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        return code == ETIMEDOUT
    }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
