// Tests and reports read what happened on a phone from its journal.

/// The reason for which a push changed nothing.
public enum PhoneDrop: String, Sendable, Hashable, CaseIterable {
    /// Not a payload that iOS knows, or an event for another kind of token.
    case unreadable
    /// The content state, or the attributes of a start, do not decode.
    case undecodable
    /// The token or the channel belongs to no activity any more.
    case noRecipient
    /// The activity is over.
    case activityOver
    /// `aps.timestamp` is older than the newest that was applied.
    case olderTimestamp
    /// `aps.timestamp` is more than eight hours ahead of the phone's clock.
    case tooFarAhead
    /// The hour's budget of urgent updates, or the day's budget of reloads of widgets, is spent.
    case overBudget
    /// A newer update replaced it while it was delayed.
    case superseded
    /// A start without an alert with a title.
    case noAlert
    /// This iOS has no starts by push, or no channels.
    case unsupported
    /// The person has switched Live Activities off.
    case switchedOff
    /// Five activities of the app run.
    case tooManyActivities
    /// The budget of starts by push is spent.
    case tooManyStarts
    /// A start for another attributes type.
    case wrongType
    /// The person does not allow notifications.
    case notificationsOff
    /// A text is a key, and the app is an older one without the table of texts.
    case noText
}

/// An event on a phone.
public enum PhoneJournalEvent: Sendable, Hashable {
    case started(activity: String, match: String, byPush: Bool, onChannel: Bool)
    /// A new drawing; `isBack` when a push replaced a newer revision that no push could have overtaken.
    case drew(activity: String, revision: Int64, isBack: Bool)
    /// The last drawing replaced a newer one that the app had drawn without a timestamp.
    case replacedNewerDrawingOfApp(activity: String, revision: Int64)
    /// Equal content: nothing was redrawn.
    case unchanged(activity: String, revision: Int64)
    case dropped(PhoneDrop, revision: Int64?)
    /// An urgent update beyond the budget waits.
    case delayed(activity: String, revision: Int64)
    case becameStale(activity: String)
    case ended(activity: String)
    case removed(activity: String, byPerson: Bool)
    case token(PhoneTokenKind)
    /// A push has reloaded the widgets.
    case reloadedWidgets
    /// An alert that sounded: its title.
    case alert(match: String, title: String)
    /// A notification took the place of another text without a sound: its own text.
    case corrected(match: String, text: String)
    case app(AppSignal)
    case network(isOnline: Bool)
    case storedAtAPNs
}

/// One line of a phone's journal.
public struct PhoneJournalEntry: Sendable, Hashable {
    /// Milliseconds since 1970, by the right clock.
    public let at: Int64
    /// The event.
    public let event: PhoneJournalEvent
}

/// Receives each event of the journals of a run's phones, with the phone's number, under the phone's lock: it counts.
public typealias PhoneObserver = @Sendable (_ phone: Int, _ event: PhoneJournalEvent) -> Void

/// The newest events of one phone, and counts of all.
struct PhoneJournal: Sendable {
    private let isObserved: Bool
    /// The events that the observer has not received; none without an observer.
    private var unobserved: [PhoneJournalEvent] = []
    private var ring: [PhoneJournalEntry] = []
    private var next = 0
    private(set) var drops: [PhoneDrop: Int] = [:]
    /// Drawings of an older revision under a newer timestamp.
    private(set) var backSteps = 0
    /// Drawings of an older revision over one that the app had drawn without a timestamp.
    private(set) var backStepsOverApp = 0
    private(set) var drawings = 0
    private(set) var widgetReloads = 0

    init(isObserved: Bool = false) { self.isObserved = isObserved }

    private var limit: Int {
        isObserved ? SimulatorLimits.observedJournalEntries : SimulatorLimits.phoneJournalEntries
    }

    mutating func note(_ event: PhoneJournalEvent, at now: PhoneTime) {
        switch event {
        case .dropped(let drop, _): drops[drop, default: 0] += 1
        case .drew(_, _, let isBack):
            drawings += 1
            if isBack { backSteps += 1 }
        case .replacedNewerDrawingOfApp: backStepsOverApp += 1
        case .reloadedWidgets: widgetReloads += 1
        default: break
        }
        if isObserved { unobserved.append(event) }
        let entry = PhoneJournalEntry(at: now.wall, event: event)
        if ring.count < limit {
            ring.append(entry)
        } else {
            ring[next] = entry
            next = (next + 1) % limit
        }
    }

    /// Passes on the events since the last call, oldest first.
    mutating func observe(_ body: (PhoneJournalEvent) -> Void) {
        for event in unobserved { body(event) }
        unobserved.removeAll(keepingCapacity: true)
    }

    /// The kept events, oldest first.
    var entries: [PhoneJournalEntry] { Array(ring[next...] + ring[..<next]) }
}
