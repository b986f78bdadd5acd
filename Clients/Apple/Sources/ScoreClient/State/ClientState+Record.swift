// A record that the system protects is not empty: what happens before it can be read waits for it.

extension ClientState {
    /// Keeps an event until the record can be read; begins with the record and the kept events.
    mutating func beginOrWait(
        _ event: ClientEvent,
        at now: ClientInstant,
        using random: inout some RandomNumberGenerator
    ) -> [ClientAction] {
        guard case .recordRead(let record) = event else {
            waitingEvents?.append(event)
            if waitingEvents?.count ?? 0 > ClientLimits.eventsBeforeRecord { waitingEvents?.removeFirst() }
            return []
        }
        let events = waitingEvents ?? []
        self = ClientState(record: record, sharesSurfaces: sharesSurfaces)
        return events.flatMap { handle($0, at: now, using: &random) }
    }
}
