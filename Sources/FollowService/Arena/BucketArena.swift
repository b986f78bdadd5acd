// Each bucket of a match has its own lock, so that fan-outs and registrations rarely wait for each other.

internal import ScoreTypes
internal import Synchronization

/// The tokens of one match in one bucket, with their lock.
final class BucketArena: Sendable {
    private struct State: ~Copyable {
        var tokens = TokenArena()
        var isOpen = false
        /// The number of the build; a walk ends when it changes.
        var build = 1
        /// The tokens and bytes of this bucket that the totals include.
        private var counted = (tokens: 0, bytes: 0)

        /// Adds to the totals what has changed since the last call.
        mutating func count(in totals: ArenaTotals) {
            let now = (tokens: tokens.count, bytes: tokens.byteCount)
            if now != counted { totals.add(tokens: now.tokens - counted.tokens, bytes: now.bytes - counted.bytes) }
            counted = now
        }
    }

    private let state = Mutex(State())
    private let totals: ArenaTotals

    /// Makes an empty bucket that counts towards the totals of its match.
    init(_ totals: ArenaTotals) { self.totals = totals }

    /// Whether the tokens are complete: built, with all changes since applied.
    var isOpen: Bool { state.withLock { $0.isOpen } }

    func put(_ entry: ArenaEntry) -> TokenArena.Effect {
        state.withLock { state in
            defer { state.count(in: totals) }
            return state.tokens.put(entry)
        }
    }

    func remove(_ device: DeviceID, upTo generation: Int32, registeredBy instant: Instant?) -> Bool {
        state.withLock { state in
            defer { state.count(in: totals) }
            return state.tokens.remove(device, upTo: generation, registeredBy: instant)
        }
    }

    /// Copies a slice under the lock; nil when the tokens are not complete, or were built again since the walk began.
    func slice(
        before cursor: WalkCursor,
        max: Int,
        of environment: PushEnvironment? = nil
    ) -> (slice: ArenaSlice?, cursor: WalkCursor)? {
        state.withLock { state in
            guard state.isOpen, cursor.isAtStart || cursor.build == state.build else { return nil }
            guard let (slice, place) = state.tokens.slice(before: cursor.place, max: max, of: environment) else {
                return (nil, WalkCursor(build: state.build, place: 0))
            }
            return (slice, WalkCursor(build: state.build, place: place))
        }
    }

    func token(of device: DeviceID, generation: Int32) -> PushToken? {
        state.withLock { state in
            let found = state.tokens.find(device) { entry in
                entry.activity.generation == generation ? PushToken(bytes: Array(entry.token)) : nil
            }
            return found ?? nil
        }
    }

    func activity(of device: DeviceID) -> HeldActivity? {
        state.withLock { $0.tokens.find(device) { $0.activity } }
    }

    /// Opens the bucket after a build, unless it was reset since that build began.
    func open(_ build: Int) {
        state.withLock { state in
            guard state.build == build else { return }
            defer { state.count(in: totals) }
            state.tokens.trim()
            state.isOpen = true
        }
    }

    /// Drops all tokens; returns the number of the next build.
    @discardableResult
    func reset() -> Int {
        state.withLock { state in
            defer { state.count(in: totals) }
            state.tokens = TokenArena()
            state.isOpen = false
            state.build += 1
            return state.build
        }
    }
}
