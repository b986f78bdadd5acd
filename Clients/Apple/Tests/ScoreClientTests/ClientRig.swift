// Drives a client state against the model server through a network that loses, repeats and delays requests.

import Testing

@testable import ScoreClient

struct ClientRig: Sendable {
    var state: ClientState
    var server = ModelServer()
    var random: SeededSource
    var now = ClientInstant(wall: 1_795_000_000_000, uptime: .zero)
    /// The record as it was stored last.
    var stored = ClientRecord()
    var credential: String?
    /// The request that waits for its fate.
    var flight: (id: Int, request: ClientRequest)?
    /// Requests that arrive late, perhaps after newer ones.
    var delayed: [ClientRequest] = []
    var wake: Duration?
    var notices: [ClientNotice] = []
    var sent: [ClientRequest] = []
    var isStoreLocked = false
    /// The activities that the system lists.
    var activities: [ObservedActivity] = []
    /// Whether the system does not answer with its list yet.
    var isListHeld = false
    /// Updates and ends of activities, in order.
    var hostActions: [ClientAction] = []
    /// The snapshots that each refresh was to store.
    var refreshes: [[SurfaceTarget]] = []

    static let device = DeviceDescription(
        bundleId: "example.score",
        appBuild: "7",
        osVersion: "18.1",
        apnsEnvironment: .sandbox,
        frequentPushesEnabled: true,
        channelsSupported: true
    )

    init(seed: UInt64) {
        random = SeededSource(seed)
        state = ClientState(record: ClientRecord())
    }

    mutating func feed(_ event: ClientEvent) {
        let actions = state.handle(event, at: now, using: &random)
        for action in actions { perform(action) }
    }

    private mutating func perform(_ action: ClientAction) {
        switch action {
        case .readCredential:
            feed(.credentialRead(isStoreLocked ? .unavailable : credential.map { .found($0) } ?? .absent))
        case .storeCredential(let text):
            if !isStoreLocked { credential = text }
            feed(.credentialStored(!isStoreLocked))
        case .removeCredential: credential = nil
        case .save: stored = state.record
        case .send(let id, let request):
            flight = (id, request)
            sent.append(request)
        case .wait(let uptime): wake = uptime
        case .listActivities: if !isListHeld { feed(.listed(activities)) }
        case .notify(let notice): notices.append(notice)
        case .refreshSurfaces(let targets):
            refreshes.append(targets)
            feed(.surfacesRefreshed)
        case .updateActivity, .endActivity: hostActions.append(action)
        }
    }

    /// The app ends and starts again with what was stored.
    mutating func crash() {
        if let flight { delayed.append(flight.request) }
        flight = nil
        wake = nil
        state = ClientState(record: ClientRecord(reading: stored.encoded))
        launch()
    }

    mutating func launch() {
        feed(.launched)
        feed(.described(Self.device))
    }

    /// The request reaches the server and its answer the app.
    mutating func deliver() {
        guard let flight else { return }
        self.flight = nil
        feed(.answered(id: flight.id, server.answer(flight.request, at: now.wall)))
    }

    /// The answer is lost; the request arrives, never arrives, or arrives later.
    mutating func lose() {
        guard let flight else { return }
        self.flight = nil
        switch Int.random(in: 0..<3, using: &random) {
        case 0: _ = server.answer(flight.request, at: now.wall)
        case 1: delayed.append(flight.request)
        default: break
        }
        feed(.failed(id: flight.id, .timedOut))
    }

    /// The server refuses for a while.
    mutating func answer(_ response: ClientResponse) {
        guard let flight else { return }
        self.flight = nil
        feed(.answered(id: flight.id, response))
    }

    /// A delayed request arrives, in any order, or twice.
    mutating func deliverDelayed() {
        guard !delayed.isEmpty else { return }
        let place = Int.random(in: 0..<delayed.count, using: &random)
        _ = server.answer(delayed[place], at: now.wall)
        if random.chance(70) { delayed.remove(at: place) }
    }

    mutating func pass(_ time: Duration) {
        now.uptime += time
        now.wall += time.milliseconds
        guard let wake, wake <= now.uptime else { return }
        self.wake = nil
        feed(.timer)
    }

    /// The requests since the last call.
    mutating func takeSent() -> [ClientRequest] {
        defer { sent = [] }
        return sent
    }

    /// The network works until everything is confirmed; false when that takes too long.
    mutating func settle() -> Bool {
        for _ in 0..<400 {
            if flight != nil {
                deliver()
            } else if state.isSettled {
                return true
            } else if let wake {
                pass(max(.zero, wake - now.uptime))
            } else {
                return false
            }
        }
        return false
    }

    /// Records an issue when the client does not settle.
    mutating func settleOrFail(_ location: SourceLocation = #_sourceLocation) {
        let isSettled = settle()
        #expect(isSettled, sourceLocation: location)
    }
}
