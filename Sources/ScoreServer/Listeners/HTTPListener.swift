// A listener runs as a service, tells the port it got, and says in one sentence why it got none.

import Glibc
import Hummingbird
import Logging
import NIOCore
import ScoreTypes
import ServiceLifecycle
import Synchronization

/// Why a listener could not bind; the sentence is for the one who starts the server.
struct ListenFailure: Error, Sendable, Hashable, CustomStringConvertible {
    let description: String

    init(_ error: any Error, address: ListenAddress, hostKey: String, portKey: String) {
        let place = "\(address.host):\(address.port)"
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            description = "\(place) is taken by another program; set \(portKey) to a free port, or 0 for any."
        case EACCES: description = "\(place) needs more rights than this user has; set \(portKey) above 1023."
        case EADDRNOTAVAIL: description = "\(address.host) is not an address of this machine; correct \(hostKey)."
        default: description = "\(place) cannot be listened on: \(error)"
        }
    }
}

/// One bound HTTP application.
struct HTTPListener: Service {
    private let application: Application<RouterResponder<ServiceContext>>
    private let address: ListenAddress
    private let keys: (host: String, port: String)
    private let bound: BoundPort
    /// The routes behind the listener.
    let routes: RouteTable

    /// How long a connection may be silent between requests, and how long a request's head may take to arrive.
    static let idle: TimeAmount = .seconds(10)
    /// Connections that wait to be accepted.
    static let backlog = 1024

    init(
        _ router: Router<ServiceContext>,
        address: ListenAddress,
        keys: (host: String, port: String),
        services: [any Service],
        logger: Logger
    ) {
        let bound = BoundPort()
        self.address = address
        self.keys = keys
        self.bound = bound
        routes = RouteTable(router)
        application = Application(
            router: router,
            server: .http1(
                configuration: .init(
                    idleTimeout: Self.idle,
                    // Twice the front door's limits, so that it can answer 431 itself before the decoder gives up.
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 2 * FrontDoor.headerBytesMax,
                        maxHeaderListSize: 2 * FrontDoor.headerBytesMax,
                        maxHeaderFieldCount: 2 * FrontDoor.headerFieldsMax
                    )
                )
            ),
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port),
                backlog: Self.backlog
            ),
            services: services,
            onServerRunning: { channel in bound.settle(.success(channel.localAddress?.port ?? address.port)) },
            logger: logger
        )
    }

    /// Listens until shutdown.
    ///
    /// - Throws: `ListenFailure` when the address cannot be had.
    func run() async throws {
        do {
            try await application.run()
            bound.settle(.failure(ListenFailure(CancellationError(), address: address, keys)))
        } catch {
            let failure = ListenFailure(error, address: address, keys)
            bound.settle(.failure(failure))
            if error is IOError { throw failure }
            throw error
        }
    }

    /// The port, once the listener is bound.
    ///
    /// - Throws: `ListenFailure` when it cannot be.
    func port() async throws -> Int { try await bound.value().get() }
}

extension ListenFailure {
    fileprivate init(_ error: any Error, address: ListenAddress, _ keys: (host: String, port: String)) {
        self.init(error, address: address, hostKey: keys.host, portKey: keys.port)
    }
}

/// Settled once: with a port, or with the reason why there is none.
private final class BoundPort: Sendable {
    private struct State {
        var result: Result<Int, ListenFailure>?
        var waiters: [CheckedContinuation<Result<Int, ListenFailure>, Never>] = []
    }
    private let state = Mutex(State())

    func settle(_ result: Result<Int, ListenFailure>) {
        let waiters = state.withLock { state in
            guard state.result == nil else { return [CheckedContinuation<Result<Int, ListenFailure>, Never>]() }
            state.result = result
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }

    func value() async -> Result<Int, ListenFailure> {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state in
                if state.result == nil { state.waiters.append(continuation) }
                return state.result
            }
            if let known { continuation.resume(returning: known) }
        }
    }
}
