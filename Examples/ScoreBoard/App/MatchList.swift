// The list of matches, and the person's settings.

import LiveSurface
import ScoreClient
import SwiftUI

struct MatchList: View {
    let client: LiveScoreClient
    let messages: Messages
    let registerAgain: @MainActor () async -> Void
    @State private var matches: [ListedMatch] = []

    var body: some View {
        List {
            if let text = messages.text { Text(text) }
            ForEach(matches, id: \.id) { match in
                NavigationLink(match.teams.map(\.abbr).joined(separator: " v "), value: match.id)
            }
            NavigationLink("Settings") { SettingsScreen(client: client, registerAgain: registerAgain) }
        }
        .task {
            for status in ["live", "upcoming"] {
                var page = try? await client.matches(status: status)
                while let read = page {
                    matches += read.items
                    guard let cursor = read.nextCursor else { break }
                    page = try? await client.matches(status: status, cursor: cursor)
                }
            }
        }
    }
}

struct SettingsScreen: View {
    let client: LiveScoreClient
    let registerAgain: @MainActor () async -> Void
    @State private var isQuiet = false
    @State private var waiting = 0

    var body: some View {
        List {
            Toggle("Quiet from 22:30 until 07:00", isOn: $isQuiet)
                .onChange(of: isQuiet) { _, isQuiet in Task { await setQuiet(isQuiet) } }
            Text("\(waiting) changes wait for the server")
            Button("Replace the credential") { Task { await client.rotateCredential() } }
            Button("Erase this phone at the server") { Task { await erase() } }
            Button("Register this phone again") { Task { await registerAgain() } }
        }
        .task {
            isQuiet = await client.device?.quietHours != nil
            waiting = await client.pendingChanges.count
        }
    }

    /// The next start of the app must not register the phone again, so that the choice is stored first.
    private func erase() async {
        Consent.isGiven = false
        await client.erase()
    }

    private func setQuiet(_ isQuiet: Bool) async {
        guard var device = await client.device else { return }
        device.quietHours = isQuiet ? .init(from: "22:30", until: "07:00") : nil
        await client.describe(device)
    }
}
