// Whoever tests a sender of their own has no phones here, so the simulator holds one up for each token that it meets.

import ScoreTypes
import Synchronization

/// The Lock Screens behind tokens that nobody registered, by the rules of ActivityKit.
final class SimulatedScreens: Sendable {
    /// Screens that are kept; pushes to further tokens are accepted and shown to nobody.
    static let countMax = 100_000

    /// What one phone has shown.
    struct Screen: Sendable {
        var live = PhoneScreen()
        var starts = 0
        var alerts = 0
        var pushes = 0
    }

    private let screens = Mutex<[[UInt8]: Screen]>([:])
    private let payloads = PushPayloadCache()
    private let clock: ServiceClock

    init(clock: ServiceClock) { self.clock = clock }

    /// Shows a push on the phone behind a token.
    func show(_ push: DeliveredPush, on token: [UInt8]) {
        let isLive = push.event != .alert && push.event != .background
        let payload = isLive ? payloads.payload(of: push.body) : nil
        screens.withLock { screens in
            guard screens.count < Self.countMax || screens[token] != nil else { return }
            var screen = screens[token] ?? Screen()
            screen.pushes += 1
            if push.event == .start { screen.starts += 1 }
            if push.hasAlert { screen.alerts += 1 }
            if isLive { screen.live.receive(payload, at: clock.monotonic) }
            screens[token] = screen
        }
    }

    /// What the phone behind a token has shown; nil when nothing came for it.
    func screen(of token: [UInt8]) -> Screen? { screens.withLock { $0[token] } }

    /// Tokens met, and how often any of them was brought back to an older state.
    var totals: (phones: Int, wentBack: Int) {
        screens.withLock { screens in (screens.count, screens.values.reduce(0) { $0 + $1.live.wentBack }) }
    }
}
