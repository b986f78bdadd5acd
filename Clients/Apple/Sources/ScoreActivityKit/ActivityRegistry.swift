// The system names neither the origin of an activity nor who ended it, so the host remembers both.

internal import ScoreClient

/// The activities that the app started or ended itself, and the observers that wait for activities.
actor ActivityRegistry<Item: SystemActivity> {
    private var startedHere = RecentIDs()
    private var endedHere = RecentIDs()
    private var readers: [Int: AsyncStream<Item>.Continuation] = [:]
    private var lastReader = 0

    /// Starts an activity.
    ///
    /// The request and the note of its origin are one step: an observer that sees the activity reads the note after it.
    func start<System: ActivitySystem>(
        _ start: ActivityStart,
        on system: System
    ) throws(ActivityStartError) -> Item where System.Item == Item {
        let activity = try system.request(start)
        startedHere.insert(activity.id)
        announce(activity)
        return activity
    }

    /// Gives an activity to the observers.
    func announce(_ activity: Item) {
        for reader in readers.values { reader.yield(activity) }
    }

    /// The activities that are announced from now on.
    func open() -> (reader: Int, activities: AsyncStream<Item>) {
        lastReader += 1
        let (activities, writer) = AsyncStream.makeStream(
            of: Item.self,
            bufferingPolicy: .bufferingNewest(ActivityLimits.waitingEvents)
        )
        readers[lastReader] = writer
        return (lastReader, activities)
    }

    /// Ends the announcements to one reader.
    func close(_ reader: Int) { readers.removeValue(forKey: reader)?.finish() }

    /// An activity with its origin: each one that this app has not started is started by a push.
    func observed(_ activity: Item) -> ObservedActivity {
        var observed = activity.observed
        observed.isStartedByPush = !startedHere.contains(activity.id)
        return observed
    }

    /// Notes that the app ends an activity, so that its removal is not taken for one by the person.
    func willEnd(_ id: String) { endedHere.insert(id) }

    /// Whether the app has ended an activity itself.
    func isEndedHere(_ id: String) -> Bool { endedHere.contains(id) }
}

/// The newest ids of activities.
private struct RecentIDs {
    private var order: [String] = []

    mutating func insert(_ id: String) {
        if contains(id) { return }
        order.append(id)
        if order.count > ActivityLimits.rememberedActivities { order.removeFirst() }
    }

    func contains(_ id: String) -> Bool { order.contains(id) }
}
