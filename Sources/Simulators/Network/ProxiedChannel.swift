// A delay counts from the arrival of bytes, so that each piece has its time from the event loop.

internal import Glibc
internal import NIOCore

/// Bytes that one read has brought.
struct ArrivedBytes: Sendable {
    let bytes: ByteBuffer
    let at: ContinuousClock.Instant
}

/// One end of a connection of a link.
typealias ProxiedChannel = NIOAsyncChannel<ArrivedBytes, ByteBuffer>

extension NIOAsyncChannel where Inbound == ArrivedBytes, Outbound == ByteBuffer {
    /// Adds the handler of arrival times to a new channel.
    @Sendable static func wrap(_ channel: any Channel) -> EventLoopFuture<ProxiedChannel> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(ArrivalTimes())
            return try ProxiedChannel(
                wrappingChannelSynchronously: channel,
                configuration: ProxiedChannel.Configuration(
                    backPressureStrategy: .init(
                        lowWatermark: SimulatorLimits.waitingReads / 2,
                        highWatermark: SimulatorLimits.waitingReads
                    )
                )
            )
        }
    }

    /// Lets the close of a channel be a reset; unix sockets know none, and are closed.
    static func resetsOnClose(_ channel: any Channel) async {
        try? await (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    }
}

/// A connection of a client from its acceptance until the link takes it.
///
/// It is not yet a `ProxiedChannel`: NIO traps when one is dropped unused, as it happens to those that wait when a link
/// is cancelled. Nothing is read before it is taken.
struct PendingConnection: Sendable {
    private let channel: any Channel

    /// Lets a new connection end with its listener.
    @Sendable static func accept(_ channel: any Channel) -> EventLoopFuture<PendingConnection> {
        channel.parent?.closeFuture.whenComplete { _ in channel.close(promise: nil) }
        return channel.eventLoop.makeSucceededFuture(PendingConnection(channel: channel))
    }

    /// Begins to read; nil once the channel is closed.
    func take() async -> ProxiedChannel? {
        let taken = channel.eventLoop.flatSubmit {
            // The pipeline of a closed channel accepts no handler.
            channel.isActive ? ProxiedChannel.wrap(channel) : channel.eventLoop.makeFailedFuture(ChannelError.eof)
        }
        guard let taken = try? await taken.get() else { return nil }
        try? await channel.setOption(.autoRead, value: true).get()
        return taken
    }
}

/// Adds the time of arrival to each read.
private final class ArrivalTimes: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ArrivedBytes

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireChannelRead(wrapInboundOut(ArrivedBytes(bytes: unwrapInboundIn(data), at: .now)))
    }
}
