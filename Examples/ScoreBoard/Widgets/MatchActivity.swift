// The Live Activity in its six presentations: compact leading and trailing, minimal, expanded, Lock Screen, small.

import ActivityKit
import LiveSurface
import SwiftUI
import WidgetKit

// begin activity
struct MatchActivity: Widget {
    var body: some WidgetConfiguration {
        ActivityConfiguration(for: LiveActivityAttributes.self) { context in
            MatchCard(state: context.state, isStale: context.isStale)
                .widgetURL(URL(string: context.attributes.deepLink))
        } dynamicIsland: { context in
            let state = context.state
            return DynamicIsland {
                DynamicIslandExpandedRegion(.leading) { TeamScore(row: state.expanded.teams.first) }
                DynamicIslandExpandedRegion(.trailing) { TeamScore(row: state.expanded.teams.last) }
                DynamicIslandExpandedRegion(.center) { Text(state.compactTrailing.text).font(.caption) }
                DynamicIslandExpandedRegion(.bottom) { Players(expanded: state.expanded) }
            } compactLeading: {
                ViewThatFits {
                    Text("\(state.compactLeading.teamAbbr) \(state.compactLeading.score)")
                    Text(state.compactLeading.newestScore).minimumScaleFactor(0.6)
                }
            } compactTrailing: {
                Text(state.compactTrailing.text)
            } minimal: {
                Text(state.minimal.flash ?? state.minimal.text).minimumScaleFactor(0.5)
            }
            .widgetURL(URL(string: context.attributes.deepLink))
        }
        // The small presentation is that of the watch and of CarPlay.
        .supplementalActivityFamilies([.small])
    }
}
// end activity

struct MatchCard: View {
    let state: LiveActivityAttributes.ContentState
    let isStale: Bool
    @Environment(\.activityFamily) private var family

    var body: some View {
        if family == .small {
            VStack(alignment: .leading) {
                Text(state.small.top).bold()
                Text(state.small.bottom)
                Text(isStale ? "Waiting for news" : state.small.line).font(.caption)
            }
        } else {
            VStack(alignment: .leading, spacing: 6) {
                HStack {
                    TeamScore(row: state.expanded.teams.first)
                    Spacer()
                    TeamScore(row: state.expanded.teams.last)
                }
                if let event = state.expanded.event { Text(event.text).bold() }
                Text(state.lockScreen.line)
                if let sub = state.lockScreen.sub { Text(sub).font(.caption) }
                if let progress = state.progress { ProgressView(value: progress) }
                if isStale { Text("Waiting for news").font(.caption) }
            }
            .padding()
            .accessibilityElement(children: .combine)
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
                if let overs = row.overs { Text(overs).font(.caption) }
            }
        }
    }
}

struct Players: View {
    let expanded: LiveActivityAttributes.Expanded

    var body: some View {
        VStack(alignment: .leading) {
            Text(expanded.event?.text ?? expanded.line)
            ForEach(expanded.batters, id: \.name) { batter in
                Text("\(batter.name)\(batter.onStrike ? "*" : "") \(batter.runs) (\(batter.balls))").font(.caption)
            }
            if let bowler = expanded.bowler {
                Text("\(bowler.name) \(bowler.figures) (\(bowler.overs))").font(.caption)
            }
            Text(expanded.recent.joined(separator: " ")).font(.caption)
        }
    }
}
