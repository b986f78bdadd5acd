// Widgets of a phone: their token, and reloads by push within the budget of a day.

import ScoreTypes
import Testing

@testable import Simulators

@Suite struct PhoneWidgetTests {
    private static func rig() throws -> (PhoneStateRig, PushToken) {
        var rig = PhoneStateRig(.ios26)
        rig.run { $0.addWidget(at: $1) }
        let token = try #require(rig.registered.first { $0.kind == .widget }?.token)
        return (rig, token)
    }

    @Test func aWidgetHasATokenWhileItIsOnAScreen() throws {
        var (rig, token) = try Self.rig()
        rig.run { $0.addWidget(at: $1) }
        #expect(rig.widgets == [.token(token.hexForPath)], "two widgets of an app have one token")
        rig.run { $0.removeWidgets(at: $1) }
        #expect(rig.widgets.last == .token(nil))
        rig.push(PushBody.widgets, to: token)
        #expect(rig.drops == [.noRecipient: 1])
    }

    @Test func aPushReloadsTheWidgetsOfAKilledApp() throws {
        var (rig, token) = try Self.rig()
        rig.openOnce()
        rig.run { $0.killApp(at: $1) }
        rig.push(PushBody.widgets, to: token)
        #expect(rig.widgets.last == .reload && rig.signals.last == .ended)
        // The token for notifications reloads nothing.
        rig.push(PushBody.widgets, to: rig.state.alertToken)
        #expect(rig.widgets.count == 2 && rig.drops == [.noRecipient: 1])
    }

    @Test func aDayHasAFewReloads() throws {
        var (rig, token) = try Self.rig()
        for _ in 0..<50 {
            rig.push(PushBody.widgets, to: token)
            rig.advance(.seconds(900))
        }
        #expect(rig.widgets.count { $0 == .reload } == SimulatorLimits.widgetReloadsPerDay)
        #expect(rig.drops == [.overBudget: 50 - SimulatorLimits.widgetReloadsPerDay])
        rig.advance(SimulatorLimits.widgetBudgetSpan)
        rig.push(PushBody.widgets, to: token)
        #expect(rig.widgets.last == .reload)
    }

    @Test(arguments: [IOSRelease.ios16, .ios17, .ios18]) func anOlderSystemHasNoToken(release: IOSRelease) {
        var rig = PhoneStateRig(release)
        rig.run { $0.addWidget(at: $1) }
        #expect(rig.widgets.isEmpty && rig.registered.isEmpty)
    }
}
