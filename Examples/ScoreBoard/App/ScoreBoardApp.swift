// The scenes of the app, and the links into it.

import ScoreClient
import SwiftUI

@main
struct ScoreBoardApp: App {
    @UIApplicationDelegateAdaptor private var delegate: AppDelegate
    @Environment(\.scenePhase) private var phase
    @State private var path: [String] = []

    var body: some Scene {
        WindowGroup {
            NavigationStack(path: $path) {
                MatchList(
                    client: delegate.client,
                    messages: delegate.messages,
                    registerAgain: delegate.registerAgain
                )
                .navigationDestination(for: String.self) { MatchScreen(client: delegate.client, match: $0) }
            }
            .onOpenURL { url in
                if let link = MatchLink(url) { path = [link.match] }
            }
        }
        .onChange(of: phase) { _, phase in
            if phase == .active { Task { await delegate.client.enterForeground() } }
        }
    }
}
