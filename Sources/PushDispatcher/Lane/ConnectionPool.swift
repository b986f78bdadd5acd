// The connections of a lane to one server, kept open for hours and replaced one by one.

internal import HTTP2
internal import ScoreTypes

/// Connection slots, more of them while one lane is short of streams; confined to the loop.
final class ConnectionPool {
    private struct Slot {
        var link: Link?
        var dial = DialPolicy()
    }

    private let configuration: ClientConfiguration
    private let context: any LaneRuntime
    /// The lane of this pool; nil once the pool is stopped.
    private var lane: EnvironmentLane?
    private var slots: [Slot]
    /// Slots that are kept open; later ones finish their requests and stay closed.
    private var kept: Int
    private var growth: PoolGrowth
    /// Links that wait for answers and send no more requests.
    private var retiring: [Link] = []
    private var generator: SplitMix64
    private var isStopped = false
    /// The slot that last received requests; equally loaded slots take turns from there.
    private var lastServed = 0

    init(
        _ configuration: ClientConfiguration,
        slots count: Int,
        most: Int? = nil,
        in context: any LaneRuntime,
        lane: EnvironmentLane,
        seed: UInt64
    ) {
        self.configuration = configuration
        self.context = context
        self.lane = lane
        growth = PoolGrowth(fewest: count, most: most ?? count)
        kept = growth.wanted
        slots = Array(repeating: Slot(), count: growth.wanted)
        generator = SplitMix64(seed: seed)
    }

    var openCount: Int { slots.count { $0.link?.hasOpened == true } }
    var slotCount: Int { kept }
    var streamsInUse: Int { slots.reduce(0) { $0 + ($1.link?.connection?.openStreams ?? 0) } }
    var streamsAllowed: Int { slots.reduce(0) { $0 + ($1.link?.connection?.peerStreamLimit ?? 0) } }

    /// The link with the fewest open requests among those with capacity; nil if none has capacity.
    ///
    /// Equally loaded links take turns, so that light load spreads. A new connection, limited to one stream, has no
    /// open request and is chosen early; by capacity it would wait until all others are full.
    func leastLoaded() -> Link? {
        var best: (link: Link, load: Int)?
        for step in 1...slots.count {
            guard let link = slots[(lastServed + step) % slots.count].link, link.room > 0 else { continue }
            let load = link.connection?.openStreams ?? 0
            if load < best?.load ?? .max { best = (link, load) }
        }
        return best?.link
    }

    /// Whether no open connection takes another request of a fan-out, or of `directed` ones for single devices.
    func isFull(for directed: Bool) -> Bool {
        openCount > 0 && (leastLoaded() == nil || directed && !slots.contains { $0.link?.hasRoomForDirected == true })
    }

    /// Decides at a tick whether more connections are wanted, or fewer.
    func adjust(isShort: Bool, answers: Int) {
        let sample = PoolGrowth.Sample(
            now: context.now,
            asleep: context.asleep,
            isShort: isShort,
            answers: answers,
            streamsInUse: streamsInUse,
            open: openCount
        )
        growth.record(sample)
        guard growth.wanted != kept else { return }
        kept = growth.wanted
        while slots.count < kept { slots.append(Slot()) }
        for slot in slots[kept...] { slot.link?.retire() }
    }

    /// Notes that a link received requests: the next equally loaded one comes first.
    func served(_ link: Link) { lastServed = link.slot }

    /// Dials missing connections that are due; replaces those that the peer drains.
    func tick() {
        guard !isStopped else { return }
        let now = context.now
        // A refused key is refused on one connection; the others follow once one connection works.
        let wanted = slots.contains { $0.link?.isWarm == true } || retiring.contains { $0.isWarm } ? kept : 1
        for index in slots.indices {
            if let link = slots[index].link {
                if link.hasOpened, link.connection?.isOpen != true { link.retire() }
                continue
            }
            guard index < wanted, now >= slots[index].dial.earliest(jitter: generator.unit()) else { continue }
            slots[index].dial.dialled(at: now)
            guard let lane else { return }
            let link = Link(slot: index, pool: self, lane: lane)
            slots[index].link = link
            var configuration = configuration
            // A different address than the other slots, and than the one that just failed.
            configuration.addressOffset = index &+ slots[index].dial.failures
            link.open(configuration, in: context)
        }
    }

    /// Replaces all connections; open requests finish on the old ones.
    func renew() {
        for slot in slots { slot.link?.retire() }
    }

    func stop() {
        isStopped = true
        for link in slots.compactMap(\.link) + retiring { link.close() }
        lane = nil
    }

    /// Replaces the connections that opened less than this time ago.
    func renew(youngerThan age: Duration) {
        for link in slots.compactMap(\.link) {
            if let openedAt = link.openedAt, context.now - openedAt < age { link.retire() }
        }
    }

    /// Notes that a connection is open; returns the time.
    func opened(_ link: Link) -> Duration {
        slots[link.slot].dial.succeeded()
        return context.now
    }

    func retired(_ link: Link) {
        guard slots[link.slot].link === link else { return }
        slots[link.slot].link = nil
        retiring.append(link)
    }

    func closed(_ link: Link) {
        retiring.removeAll { $0 === link }
        guard slots[link.slot].link === link else { return }
        slots[link.slot].link = nil
        if !link.hasOpened { slots[link.slot].dial.failed() }
    }
}
