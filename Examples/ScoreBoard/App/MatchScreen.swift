// One match: its live state while the screen is visible, and what the person chooses for it.

import LiveSurface
import ScoreClient
import SwiftUI

struct MatchScreen: View {
    let client: LiveScoreClient
    let match: String
    @Environment(\.scenePhase) private var phase
    @State private var detail: MatchDetail?
    @State private var display: LiveActivityAttributes.ContentState?
    @State private var note: String?
    @State private var shared: String?
    @State private var isFollowed = false
    @State private var choices = FollowChoices()

    var body: some View {
        List {
            if let display = display ?? detail?.display {
                Text("\(display.compactLeading.teamAbbr) \(display.compactLeading.score)").font(.largeTitle)
                Text(display.lockScreen.line)
            }
            if let note { Text(note) }
            if let shared { ShareLink(item: shared) }
            Toggle("Follow", isOn: $isFollowed)
            if isFollowed { ChoiceRows(teams: detail?.teams ?? [], choices: $choices) }
        }
        .onChange(of: isFollowed) { _, _ in Task { await follow() } }
        .onChange(of: choices) { _, _ in Task { await follow() } }
        .task {
            detail = try? await client.match(match)
            if let known = await client.follows[match]?.choices { (isFollowed, choices) = (true, known) }
            ScoreBoard.reload(ScoreBoard.surfaces.select(match: match))
            if case .notification(let text)? = try? await client.surface(.notification, of: match).slice {
                shared = "\(text.subtitle ?? text.title): \(text.body)"
            }
        }
        // The task ends with the screen and when the app goes to the background, and the connection with it.
        .task(id: phase) { if phase == .active { await watch() } }
    }

    // begin follow
    private func follow() async {
        guard isFollowed else { return await client.unfollow(match) }
        guard await client.follows[match]?.choices != choices else { return }
        await client.follow(match, choices)
        await start()
    }

    private func start() async {
        do throws(ActivityStartError) {
            // A match that has not begun: iOS 26 starts its activity at that time, and earlier ones by a push.
            let begins = detail?.display.matchDisplayState == .scheduled ? detail?.startTime : nil
            _ = try await client.startActivity(of: match, at: begins)
        } catch {
            switch error {
            case .denied: note = "Live Activities are switched off in Settings"
            case .tooManyOfApp: note = "At most \(await client.settings.maxActivities) matches at once"
            default: break  // The server starts the activity by a push.
            }
        }
    }
    // end follow

    // begin live
    private func watch() async {
        do {
            for try await event in try await client.live([match]) {
                switch event {
                case .state(let state): display = state.display
                case .held(_, let isHeld, _): note = isHeld ? "The score is being checked" : nil
                case .stale(_, let isStale): note = isStale ? "No news from the ground" : nil
                case .ended(_, let result): note = result
                case .connection(let connection): note = connection == .waiting ? "No connection" : nil
                case .unreadable: note = "Update the app to see this match"
                }
            }
        } catch {
            if (error as? ClientError)?.advice == .removeMatch { note = "The match was removed" }
        }
    }
    // end live
}

/// The moments that alert, and the team whose moments they are.
struct ChoiceRows: View {
    let teams: [LiveActivityAttributes.Team]
    @Binding var choices: FollowChoices

    var body: some View {
        Picker("Team", selection: $choices.teamIntent) {
            Text("Both").tag(String?.none)
            ForEach(teams, id: \.id) { Text($0.name).tag(String?.some($0.id)) }
        }
        ForEach(FollowChoices.Moment.allCases, id: \.self) { moment in
            Toggle(moment.rawValue, isOn: $choices[alerts: moment])
        }
    }
}

extension FollowChoices {
    /// Whether a moment alerts.
    fileprivate subscript(alerts moment: Moment) -> Bool {
        get { moments.contains(moment) }
        set { if newValue { moments.insert(moment) } else { moments.remove(moment) } }
    }
}
