// A test of another sender has no phones here, so the simulator keeps a Lock Screen for each token.

import ScoreTypes
import Synchronization

/// The Lock Screens of unregistered tokens, by the rules of ActivityKit.
final class SimulatedScreens: Sendable {
    /// The history of one phone.
    struct Screen: Sendable {
        var live = PhoneScreen()
        var starts = 0
        var alerts = 0
        var pushes = 0
    }

    private let screens = Mutex<[[UInt8]: Screen]>([:])
    private let reader = PhonePushReader()

    /// Shows a push on the phone behind a token.
    func show(_ push: DeliveredPush, on token: [UInt8]) {
        let isLive = [.start, .update, .end].contains(push.event)
        let read = isLive ? reader.read(push.body) : .background
        screens.withLock { screens in
            guard screens.count < SimulatorLimits.screens || screens[token] != nil else { return }
            var screen = screens[token] ?? Screen()
            screen.pushes += 1
            if push.event == .start { screen.starts += 1 }
            if push.hasAlert { screen.alerts += 1 }
            if isLive { screen.live.receive(read) }
            screens[token] = screen
        }
    }

    /// The history of the phone of a token; nil when it received no push.
    func screen(of token: [UInt8]) -> Screen? { screens.withLock { $0[token] } }

    /// Tokens met, and how often any of them was brought back to an older state.
    var totals: (phones: Int, wentBack: Int) {
        screens.withLock { screens in (screens.count, screens.values.reduce(0) { $0 + $1.live.wentBack }) }
    }
}
