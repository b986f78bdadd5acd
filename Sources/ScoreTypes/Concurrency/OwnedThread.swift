// Blocking C functions get a thread of their own, so that the threads of Swift's concurrency pool never block.

internal import CLinux
internal import Glibc

/// A named thread that runs one closure to its end.
public enum OwnedThread {
    /// Starts the thread; objects that must not be shared are created inside the closure.
    ///
    /// - Parameters:
    ///   - name: Name of the thread; the system shows at most 15 bytes.
    ///   - body: Runs once, on the new thread.
    public static func start(name: String, _ body: @escaping @Sendable () -> Void) {
        let context = Unmanaged.passRetained(Body(name: String(name.prefix(TypeLimits.threadNameBytes)), run: body))
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
            // The process cannot work without its threads.
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
