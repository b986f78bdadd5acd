// Whole phones: what they show, how an alert arrives, and that nothing of them leaves the screen.

import Foundation
import LiveSurface
import ScoreTypes
import Testing

@testable import SurfaceImages

@Suite struct SurfacePhoneTests {
    private static let quiet = ImageFixtures.content(ImageFixtures.chase(), alert: nil)
    private static let alerting = ImageFixtures.content(ImageFixtures.chase())

    @Test func aLockedPhoneShowsItsCardAndAnAlertAboveIt() throws {
        let (quiet, alert) = (SurfacePhone.locked.svg(Self.quiet), SurfacePhone.locked.svg(Self.alerting))
        #expect(quiet.contains("MI need 83 from 45 balls") && !quiet.contains("Wicket!"))
        #expect(alert.contains("MI need 83 from 45 balls") && alert.contains("Wicket!"))
        #expect(alert.contains("<animateTransform") && !quiet.contains("<animateTransform"))
        for svg in [quiet, alert] { try SurfaceImageTests.check(svg) }
    }

    @Test func anAlertExpandsTheIslandOfAPhoneInUse() throws {
        let (quiet, alert) = (SurfacePhone.inUse.svg(Self.quiet), SurfacePhone.inUse.svg(Self.alerting))
        #expect(quiet.contains(">83 off<") && quiet.contains(">45<") && !quiet.contains("Jasprit Bumrah"))
        #expect(alert.contains("Jasprit Bumrah 3/17") && alert.contains("<animateTransform"))
        for svg in [quiet, alert] { try SurfaceImageTests.check(svg) }
    }

    @Test(arguments: SurfacePhone.allCases)
    func everyAppearanceAndScreenIsWellFormed(phone: SurfacePhone) throws {
        for screen in SurfaceScreen.allCases {
            for scheme in SurfaceScheme.allCases {
                let svg = phone.svg(Self.alerting, SurfaceImageOptions(screen: screen, scheme: scheme))
                try SurfaceImageTests.check(svg)
                #expect(svg.contains("width=\"\((screen.width + 2 * SurfacePhone.bezel).svg)\""))
            }
        }
    }

    @Test func anAnimationShowsEachStateOnceInItsPartOfTheLoop() throws {
        let svg = SurfaceAnimation([Self.quiet, Self.alerting, Self.quiet], seconds: 1, SurfaceImageOptions()).svg
        try SurfaceImageTests.check(svg)
        // An alert is shown four times as long: the parts of 6 s begin at 0, 1 and 5.
        #expect(svg.contains("keyTimes=\"0;0.16667;0.83333\""))
        #expect(svg.components(separatedBy: "repeatCount=\"indefinite\"").count == 7)
        #expect(svg.components(separatedBy: "<g visibility=\"visible\">").count == 3)
    }

    /// The last over before a wicket of the demo's match, the wicket and the balls after it.
    @Test func theImagesOfTheMatchAreUpToDate() throws {
        let states = try ImageFixtures.demoMatch()
        let wicket = try #require(states.lastIndex { $0.alert != nil && $0.state?.expanded.event?.kind == "wicket" })
        let frames = Array(states[max(0, wicket - 9)..<min(states.count, wicket + 6)])
        let svg = SurfaceAnimation(frames, seconds: 1, SurfaceImageOptions()).svg
        try SurfaceImageTests.check(svg)
        #expect(svg.utf8.count < 150_000)
        try ImageFixtures.compare(svg, with: "docs/pictures/match.svg")
    }
}
