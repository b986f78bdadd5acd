// Work that blocks in C gets a thread of its own, so that Swift's two pool threads never wait for it.

internal import CLinux
internal import Glibc

/// A named thread that runs one body to its end.
public enum OwnedThread {
    /// Starts the thread; what the body needs and must not share is made inside the body.
    ///
    /// - Parameters:
    ///   - name: At most 15 bytes are shown by the system.
    ///   - body: Runs once, on the new thread.
    public static func start(name: String, _ body: @escaping @Sendable () -> Void) {
        let context = Unmanaged.passRetained(Body(name: String(name.prefix(15)), run: body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            nil,
            { pointer in
                guard let pointer else { return nil }
                let body = Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue()
                _ = pthread_setname_np(pthread_self(), body.name)
                body.run()
                return nil
            },
            context.toOpaque()
        )
        guard code == 0 else {
            // Out of threads: nothing that the process promised could be kept from here on.
            context.release()
            abort()
        }
        pthread_detach(thread)
    }

    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }
}
