// The list of matches, and one match while its screen is visible.

import LiveSurface
import ScoreClient
import SwiftUI

struct MatchList: View {
    let client: LiveScoreClient
    @State private var matches: [ListedMatch] = []

    var body: some View {
        NavigationStack {
            List(matches, id: \.id) { match in
                NavigationLink(match.teams.map(\.abbr).joined(separator: " v ")) {
                    MatchScreen(client: client, match: match.id)
                }
            }
            .task { matches = (try? await client.matches(status: "live").items) ?? [] }
        }
    }
}

struct MatchScreen: View {
    let client: LiveScoreClient
    let match: String
    @Environment(\.scenePhase) private var phase
    @State private var display: LiveActivityAttributes.ContentState?
    @State private var isFollowed = false

    var body: some View {
        VStack(spacing: 12) {
            if let display {
                Text("\(display.compactLeading.teamAbbr) \(display.compactLeading.score)").font(.largeTitle)
                Text(display.lockScreen.line)
            }
            Toggle("Follow", isOn: $isFollowed).onChange(of: isFollowed) { _, isFollowed in
                Task { await follow(isFollowed) }
            }
        }
        .padding()
        .task { isFollowed = await client.follows.keys.contains(match) }
        // The task ends with the screen and when the app goes to the background, and the connection with it.
        .task(id: phase) {
            guard phase == .active, let live = try? await client.live([match]) else { return }
            do {
                for try await state in live.states { display = state.display }
            } catch {}
        }
    }

    private func follow(_ isFollowed: Bool) async {
        guard isFollowed else { return await client.unfollow(match) }
        await client.follow(match, FollowChoices(moments: [.wicket, .result]))
        // A refused start is no failure here: the server starts the activity by push.
        _ = try? await client.startActivity(of: match)
    }
}
