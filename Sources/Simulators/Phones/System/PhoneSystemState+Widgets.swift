// Widgets on the phone's screens: iOS gives them a token, and reloads them a limited number of times a day.

import ScoreTypes

extension PhoneSystemState {
    /// The person puts a widget of the app on a screen.
    mutating func addWidget(at now: PhoneTime) -> [PhoneEffect] {
        guard release.reloadsWidgetsByPush, widgetToken == nil, let token = drawToken(32) else { return finish(now) }
        widgetToken = token
        effects.append(.register(token, .widget))
        effects.append(.widget(.token(token.hexForPath)))
        journal.note(.token(.widget), at: now)
        return finish(now)
    }

    /// The person removes the last widget of the app.
    mutating func removeWidgets(at now: PhoneTime) -> [PhoneEffect] {
        guard let token = widgetToken else { return finish(now) }
        widgetToken = nil
        retire(token)
        effects.append(.widget(.token(nil)))
        return finish(now)
    }

    /// A push reloads the widgets, whether the app runs or not.
    mutating func reloadWidgets(at now: PhoneTime) {
        guard widgetBudget.spend(SimulatorLimits.widgetReloadsPerDay, at: now.domain) else {
            return journal.note(.dropped(.overBudget, revision: nil), at: now)
        }
        effects.append(.widget(.reload))
        journal.note(.reloadedWidgets, at: now)
    }
}
