// The connections of a lane to one server: kept open for hours, replaced one by one, never dialled in a hurry.

internal import HTTP2
internal import ScoreTypes

/// A fixed number of connection slots; confined to the loop.
final class ConnectionPool {
    private struct Slot {
        var link: Link?
        var dial = DialPolicy()
    }

    private let configuration: ClientConfiguration
    private let context: any LaneRuntime
    /// The lane that this pool belongs to; nil once all is closed.
    private var owner: (any LinkOwner)?
    private var slots: [Slot]
    /// Links that still wait for answers but make no more requests.
    private var retiring: [Link] = []
    private var generator: SplitMix64
    private var isStopped = false
    /// The slot that was given requests last; equal ones take turns from there.
    private var lastServed = 0

    init(
        _ configuration: ClientConfiguration,
        slots count: Int,
        in context: any LaneRuntime,
        owner: any LinkOwner,
        seed: UInt64
    ) {
        self.configuration = configuration
        self.context = context
        self.owner = owner
        slots = Array(repeating: Slot(), count: max(1, count))
        generator = SplitMix64(seed: seed)
    }

    var openCount: Int { slots.count { $0.link?.hasOpened == true } }
    var slotCount: Int { slots.count }
    var streamsInUse: Int { slots.reduce(0) { $0 + ($1.link?.connection?.openStreams ?? 0) } }
    var streamsAllowed: Int { slots.reduce(0) { $0 + ($1.link?.connection?.peerStreamLimit ?? 0) } }

    /// The link with the fewest requests under way among those with room; nil when none has room.
    ///
    /// Equal ones take turns, or all that is little would go to the first. A connection that has yet to earn its
    /// streams has nothing under way and so is tried early; by its room alone it would wait until all others are full.
    func leastLoaded() -> Link? {
        var best: (link: Link, load: Int)?
        for step in 1...slots.count {
            guard let link = slots[(lastServed + step) % slots.count].link, link.room > 0 else { continue }
            let load = link.connection?.openStreams ?? 0
            if load < best?.load ?? .max { best = (link, load) }
        }
        return best?.link
    }

    /// A link was given requests: its equals come first now.
    func served(_ link: Link) { lastServed = link.slot }

    /// Dials where a connection is missing and its time has come; replaces those that the peer drains.
    func tick() {
        guard !isStopped else { return }
        let now = context.now
        // A key that is refused is refused on one connection; the others follow once that one is known to work.
        let wanted = slots.contains { $0.link?.isWarm == true } || retiring.contains { $0.isWarm } ? slots.count : 1
        for index in slots.indices {
            if let link = slots[index].link {
                if link.hasOpened, link.connection?.isOpen != true { link.retire() }
                continue
            }
            guard index < wanted, now >= slots[index].dial.earliest(jitter: generator.unit()) else { continue }
            slots[index].dial.dialled(at: now)
            guard let owner else { return }
            let link = Link(slot: index, pool: self, owner: owner)
            slots[index].link = link
            var configuration = configuration
            // Another of the host's addresses than the other slots', and than the one that just failed.
            configuration.addressOffset = index &+ slots[index].dial.failuresInARow
            link.open(configuration, in: context)
        }
    }

    /// Replaces all connections: those open finish what is under way.
    func renew() {
        for slot in slots { slot.link?.retire() }
    }

    func stop() {
        isStopped = true
        for link in slots.compactMap(\.link) + retiring { link.close() }
        owner = nil
    }

    func opened(_ link: Link) { slots[link.slot].dial.succeeded() }

    func retired(_ link: Link) {
        guard slots[link.slot].link === link else { return }
        slots[link.slot].link = nil
        retiring.append(link)
    }

    func closed(_ link: Link, reason: ConnectionEnd) {
        retiring.removeAll { $0 === link }
        guard slots[link.slot].link === link else { return }
        slots[link.slot].link = nil
        if !link.hasOpened { slots[link.slot].dial.failed() }
    }
}
