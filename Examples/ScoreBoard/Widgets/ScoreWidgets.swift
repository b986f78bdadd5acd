// The widget extension: the Live Activity, the widget of the Home Screen, Lock Screen and StandBy, and the controls.

import Foundation
import LiveSurface
import ScoreClient
import SwiftUI
import WidgetKit

@main
struct ScoreWidgets: WidgetBundle {
    var body: some Widget {
        MatchActivity()
        MatchWidget()
        FollowControl()
        OpenControl()
    }
}

struct MatchWidget: Widget {
    var body: some WidgetConfiguration {
        StaticConfiguration(kind: "Match", provider: MatchTimeline()) { entry in
            MatchSurface(entry: entry).containerBackground(.background, for: .widget)
        }
        .supportedFamilies([.systemSmall, .systemMedium, .accessoryRectangular, .accessoryInline, .accessoryCircular])
        .pushHandler(WidgetToken.self)
    }
}

/// Stores the token of the widgets for the app, whose client reports it.
struct WidgetToken: WidgetPushHandler {
    func pushTokenDidChange(_ info: WidgetPushInfo, widgets: [WidgetInfo]) {
        let token = info.token.map { String(format: "%02x", $0) }.joined()
        ScoreBoard.surfaces.widgetToken = widgets.isEmpty ? nil : token
    }
}

/// Draws the snapshot of the surface: Home Screen, Lock Screen, or StandBy, which shows a small widget.
struct MatchSurface: View {
    let entry: MatchTimeline.Entry
    @Environment(\.widgetFamily) private var family
    @Environment(\.showsWidgetContainerBackground) private var hasBackground

    var body: some View {
        switch family {
        case .accessoryInline: Text(entry.accessory?.entry.headline ?? "No match")
        case .accessoryCircular:
            Gauge(value: entry.accessory?.entry.gaugeValue ?? 0) { Text(entry.accessory?.entry.shortText ?? "–") }
                .gaugeStyle(.accessoryCircularCapacity)
        case .accessoryRectangular: lines(entry.accessory?.entry.headline, entry.accessory?.entry.shortText)
        // StandBy removes the background of a small widget.
        case .systemSmall where !hasBackground:
            lines(entry.standby?.entry.headline, entry.standby?.entry.subhead).font(.largeTitle)
        default: lines(entry.widget?.entry.headline, entry.widget?.entry.subhead)
        }
    }

    private func lines(_ headline: String?, _ subhead: String?) -> some View {
        VStack(alignment: .leading) {
            Text(headline ?? "No match").bold()
            Text(subhead ?? "")
            if entry.isOld { Text("Open the app for news").font(.caption) }
        }
        .widgetURL(entry.widget.flatMap { URL(string: $0.entry.deepLink) })
    }
}

struct MatchTimeline: TimelineProvider {
    struct Entry: TimelineEntry {
        var date = Date.now
        var widget = ScoreBoard.surfaces.current(WidgetEntry.self)
        var accessory = ScoreBoard.surfaces.current(LockAccessoryEntry.self)
        var standby = ScoreBoard.surfaces.current(StandbyEntry.self)
        var isOld: Bool { widget?.isOld(at: Int64(date.timeIntervalSince1970)) ?? false }
    }

    func placeholder(in context: Context) -> Entry { Entry() }
    func getSnapshot(in context: Context, completion: @escaping (Entry) -> Void) { completion(Entry()) }
    func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<Entry>) -> Void) {
        Task {
            for kind in [SurfaceSnapshot.Kind.widget, .lockAccessory, .standby] {
                await ScoreBoard.surfaces.reload(kind, over: ScoreBoard.transport)
            }
            // App and pushes reload the timeline when there is news; after a day the widget says that it has none.
            completion(Timeline(entries: [Entry()], policy: .after(.now + 86_400)))
        }
    }
}
