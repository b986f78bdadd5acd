// The actions of controls; the system runs them in the app's process, which has the only client.

import AppIntents
import Foundation
import ScoreClient
import SwiftUI

/// Follows a match or ends the follow; a `LiveActivityIntent` runs in the app.
struct FollowMatchIntent: SetValueIntent, LiveActivityIntent {
    static let title: LocalizedStringResource = "Follow match"

    @Parameter(title: "Followed") var value: Bool
    @Parameter(title: "Match") var match: String
    @Dependency private var client: LiveScoreClient

    init() {}
    init(match: String) { self.match = match }

    func perform() async throws -> some IntentResult {
        guard !match.isEmpty else { return .result() }
        if value { await client.follow(match) } else { await client.unfollow(match) }
        // The system suspends the app after the return: wait until the server has the change.
        _ = await client.receiveBackgroundPush()
        return .result()
    }
}

/// Opens a match in the app.
struct OpenMatchIntent: AppIntent {
    static let title: LocalizedStringResource = "Open match"
    static let openAppWhenRun = true

    @Parameter(title: "Link") var link: URL

    init() {}
    init(link: URL) { self.link = link }

    /// `OpenURLIntent` opens universal links only, no links of an own scheme.
    @MainActor func perform() async throws -> some IntentResult {
        EnvironmentValues().openURL(link)
        return .result()
    }
}
