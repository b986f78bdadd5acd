// A listener runs as a service, reports its port, and explains in one sentence why it cannot bind.

import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ScoreTypes
import ServiceLifecycle

/// The reason why a listener cannot bind, in a sentence for the operator.
struct ListenFailure: Error, Sendable, Hashable, CustomStringConvertible {
    let description: String

    init(_ error: any Error, address: ListenAddress, _ keys: (host: String, port: String)) {
        let place = "\(address.host):\(address.port)"
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            description = "\(place) is taken by another program; set \(keys.port) to a free port, or 0 for any."
        case EACCES: description = "\(place) needs more rights than this user has; set \(keys.port) above 1023."
        case EADDRNOTAVAIL: description = "\(address.host) is not an address of this machine; correct \(keys.host)."
        default: description = "\(place) cannot be listened on: \(error)"
        }
    }
}

/// One bound HTTP application.
struct HTTPListener: Service {
    private let group: ServiceGroup
    private let address: ListenAddress
    private let keys: (host: String, port: String)
    private let bound: FirstValue<Result<Int, ListenFailure>>
    /// The routes behind the listener.
    let routes: RouteTable

    init(
        _ router: Router<ServiceContext>,
        reads: MemoryReads? = nil,
        address: ListenAddress,
        keys: (host: String, port: String),
        connections: ConnectionTable,
        services: [any Service],
        logger: Logger
    ) {
        let bound = FirstValue<Result<Int, ListenFailure>>()
        self.address = address
        self.keys = keys
        self.bound = bound
        routes = RouteTable(router)
        let application = Application(
            router: router,
            server: HTTPServerBuilder { responder in
                let http = HTTP1Channel(responder: responder, configuration: Self.configuration(reads))
                return GuardedHTTPChannel(base: http, connections: connections)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port),
                backlog: ServerLimits.acceptBacklog
            ),
            services: services,
            onServerRunning: { channel in bound.set(.success(channel.localAddress?.port ?? address.port)) },
            logger: logger
        )
        group = ServiceGroup(services: [application], logger: logger)
    }

    private static func configuration(_ reads: MemoryReads?) -> HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: reads.map { [MemoryReadHandler($0)] } ?? [],
            // Twice the limits of the middleware, so that it answers 431 before the decoder fails.
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 2 * ServerLimits.headerBytes,
                maxHeaderListSize: 2 * ServerLimits.headerBytes,
                maxHeaderFieldCount: 2 * ServerLimits.headerFields
            )
        )
    }

    /// Listens until shutdown; throws `ListenFailure` when the address cannot be had.
    func run() async throws {
        do {
            try await group.run()
            bound.set(.failure(ListenFailure(CancellationError(), address: address, keys)))
            // A service that was stopped before its turn must not end before it either.
            try? await gracefulShutdown()
        } catch {
            let failure = ListenFailure(error, address: address, keys)
            bound.set(.failure(failure))
            if error is IOError { throw failure }
            throw error
        }
    }

    /// Accepts no more connections and begins to end the open ones; `run` returns once they are closed.
    func stop() async { await group.triggerGracefulShutdown() }

    /// The port, once the listener is bound; throws `ListenFailure` when it cannot be.
    func port() async throws -> Int { try await bound.value().get() }
}
