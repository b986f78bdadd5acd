// The widget extension: the Live Activity with its presentations, and a widget from the App Group.

import ActivityKit
import LiveSurface
import ScoreClient
import SwiftUI
import WidgetKit

@main
struct ScoreWidgets: WidgetBundle {
    var body: some Widget {
        MatchActivity()
        MatchWidget()
    }
}

struct MatchActivity: Widget {
    var body: some WidgetConfiguration {
        ActivityConfiguration(for: LiveActivityAttributes.self) { context in
            MatchCard(state: context.state, isStale: context.isStale)
                .widgetURL(URL(string: context.attributes.deepLink))
        } dynamicIsland: { context in
            DynamicIsland {
                DynamicIslandExpandedRegion(.leading) { TeamScore(row: context.state.expanded.teams.first) }
                DynamicIslandExpandedRegion(.trailing) { TeamScore(row: context.state.expanded.teams.last) }
                DynamicIslandExpandedRegion(.bottom) {
                    Text(context.state.expanded.event?.text ?? context.state.expanded.line)
                }
            } compactLeading: {
                Text("\(context.state.compactLeading.teamAbbr) \(context.state.compactLeading.score)")
            } compactTrailing: {
                Text(context.state.compactTrailing.text)
            } minimal: {
                Text(context.state.minimal.flash ?? context.state.minimal.text).minimumScaleFactor(0.5)
            }
            .widgetURL(URL(string: context.attributes.deepLink))
        }
        .supplementalActivityFamilies([.small])
    }
}

/// The Lock Screen, and the small presentation of watch and CarPlay.
struct MatchCard: View {
    let state: LiveActivityAttributes.ContentState
    let isStale: Bool
    @Environment(\.activityFamily) private var family

    var body: some View {
        if family == .small {
            VStack(alignment: .leading) {
                Text(state.small.top).bold()
                Text(state.small.bottom)
                Text(state.small.line).font(.caption)
            }
        } else {
            VStack(alignment: .leading, spacing: 6) {
                HStack {
                    TeamScore(row: state.expanded.teams.first)
                    Spacer()
                    TeamScore(row: state.expanded.teams.last)
                }
                Text(state.lockScreen.line)
                if let sub = state.lockScreen.sub { Text(sub).font(.caption) }
                if isStale { Text("Waiting for news").font(.caption2) }
            }
            .padding()
        }
    }
}

struct TeamScore: View {
    let row: LiveActivityAttributes.TeamRow?

    var body: some View {
        if let row {
            VStack(alignment: .leading) {
                Text(row.abbr).font(.caption).bold()
                Text(row.score).font(.title3)
                if let overs = row.overs { Text(overs).font(.caption2) }
            }
        }
    }
}

struct MatchWidget: Widget {
    var body: some WidgetConfiguration {
        StaticConfiguration(kind: "Match", provider: MatchTimeline()) { entry in
            VStack(alignment: .leading) {
                Text(entry.surface?.entry.headline ?? "No match").font(.headline)
                Text(entry.surface?.entry.subhead ?? "")
                if entry.isOld { Text("Open the app for news").font(.caption2) }
            }
            .widgetURL(entry.surface.flatMap { URL(string: $0.entry.deepLink) })
            .containerBackground(.background, for: .widget)
        }
        .supportedFamilies([.systemMedium])
        .pushHandler(WidgetToken.self)
    }
}

/// Stores the token of the widgets for the app, whose client reports it.
struct WidgetToken: WidgetPushHandler {
    func pushTokenDidChange(_ info: WidgetPushInfo, widgets: [WidgetInfo]) {
        let token = info.token.map { String(format: "%02x", $0) }.joined()
        SharedSurfaces(AppGroupDefaults("group.example.score")).widgetToken = widgets.isEmpty ? nil : token
    }
}

struct MatchTimeline: TimelineProvider {
    struct Entry: TimelineEntry {
        var date: Date
        var surface: SharedSurface<WidgetEntry>?
        var isOld: Bool { surface?.isOld(at: Int64(date.timeIntervalSince1970)) ?? false }
    }

    private var shared: SharedSurfaces { SharedSurfaces(AppGroupDefaults("group.example.score")) }
    private var current: Entry { Entry(date: .now, surface: shared.current(WidgetEntry.self)) }

    func placeholder(in context: Context) -> Entry { Entry(date: .now, surface: nil) }
    func getSnapshot(in context: Context, completion: @escaping (Entry) -> Void) { completion(current) }
    func getTimeline(in context: Context, completion: @escaping (Timeline<Entry>) -> Void) {
        Task {
            await shared.reload(.widget, over: URLSessionTransport(base: URL(string: "https://score.example")!))
            // App and pushes reload the timeline when there is news; after a day the widget says that it has none.
            completion(Timeline(entries: [current], policy: .after(.now + 86_400)))
        }
    }
}
