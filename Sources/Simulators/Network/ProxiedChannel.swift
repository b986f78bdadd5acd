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

/// Adds the time of arrival to each read.
private final class ArrivalTimes: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ArrivedBytes

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireChannelRead(wrapInboundOut(ArrivedBytes(bytes: unwrapInboundIn(data), at: .now)))
    }
}
