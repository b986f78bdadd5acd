// A phone runs the client's state over a network that loses, delays and repeats requests; only its clock is virtual.

import Foundation
import ScoreClient
import ScoreTypes

/// A phone: the running app, its stored record, and the requests that the network still has.
struct HistoryPhone: Sendable {
    private var state = ClientState(record: ClientRecord())
    private var stored: Data?
    private(set) var credential: String?
    private(set) var flight: (id: Int, request: ClientRequest)?
    /// Requests that arrive late, perhaps after newer ones.
    private(set) var held: [ClientRequest] = []
    private(set) var counts = HistoryCounts()
    /// The events so far, without tokens and credentials.
    private(set) var events: [String] = []
    private(set) var isErased = false
    private var now = ClientInstant(wall: ServiceClock().wall.milliseconds, uptime: .zero)
    private var wake: Duration?
    private let transport: any ClientTransport

    init(transport: any ClientTransport) { self.transport = transport }

    /// The matches that the app shows as followed.
    var follows: [String: FollowedMatch] { state.record.follows }

    /// Feeds an event and performs the actions.
    mutating func feed(_ event: ClientEvent, using random: inout SplitMix64) {
        let actions = state.handle(event, at: now, using: &random)
        for action in actions { perform(action, using: &random) }
    }

    private mutating func perform(_ action: ClientAction, using random: inout SplitMix64) {
        switch action {
        case .readCredential:
            feed(.credentialRead(credential.map { .found($0) } ?? .absent), using: &random)
        case .storeCredential(let text):
            credential = text
            feed(.credentialStored(true), using: &random)
        case .removeCredential: credential = nil
        case .save: stored = state.record.encoded
        case .send(let id, let request): flight = (id, request)
        case .wait(let uptime): wake = uptime
        case .listActivities: feed(.listed([]), using: &random)
        case .notify(.erased): isErased = true
        // The rest of a notice may have a token.
        case .notify(let notice): note("notice \("\(notice)".prefix { $0 != "(" })")
        case .updateActivity, .endActivity, .refreshSurfaces: break
        }
    }

    /// Begins a run of the app.
    mutating func launch(as description: DeviceDescription, using random: inout SplitMix64) {
        isErased = false
        feed(.launched, using: &random)
        feed(.described(description), using: &random)
    }

    /// The app ends and starts again with what was stored; a request on its way may still arrive.
    mutating func crash(as description: DeviceDescription, using random: inout SplitMix64) {
        note("crash")
        counts.crashes += 1
        if let flight, random.chance(60) { held.append(flight.request) }
        flight = nil
        wake = nil
        state = ClientState(record: ClientRecord(reading: stored))
        launch(as: description, using: &random)
    }

    /// The request reaches the server, sometimes twice, and its answer the app.
    mutating func deliver(using random: inout SplitMix64) async {
        guard let flight else { return }
        self.flight = nil
        if random.chance(10) {
            counts.repeated += 1
            _ = await send(flight.request, "first copy of")
        }
        let result = await send(flight.request, "deliver")
        switch result {
        case .success(let response): feed(.answered(id: flight.id, response), using: &random)
        case .failure(let error): feed(.failed(id: flight.id, error), using: &random)
        }
    }

    /// The answer is lost; the request arrives now, later or never.
    mutating func lose(using random: inout SplitMix64) async {
        guard let flight else { return }
        self.flight = nil
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            counts.lostAnswers += 1
            _ = await send(flight.request, "lose the answer of")
        case 1:
            note("hold \(Self.name(of: flight.request))")
            held.append(flight.request)
        default: note("lose \(Self.name(of: flight.request))")
        }
        feed(.failed(id: flight.id, .timedOut), using: &random)
    }

    /// The network is off: the request fails at once.
    mutating func failOffline(using random: inout SplitMix64) {
        guard let flight else { return }
        self.flight = nil
        feed(.failed(id: flight.id, .offline), using: &random)
    }

    /// A request that the network has held arrives, in any order, or once more.
    mutating func deliverHeld(isLast: Bool, using random: inout SplitMix64) async {
        guard !held.isEmpty else { return }
        counts.late += 1
        let place = Int.random(in: 0..<held.count, using: &random)
        _ = await send(held[place], "late")
        if isLast || random.chance(70) { held.remove(at: place) }
    }

    /// Lets the time pass.
    mutating func pass(_ time: Duration, using random: inout SplitMix64) {
        now.uptime += time
        now.wall += time.milliseconds
        guard let wake, wake <= now.uptime else { return }
        self.wake = nil
        feed(.timer, using: &random)
    }

    /// The network works until the server has confirmed everything; false when that takes too long.
    mutating func settle(using random: inout SplitMix64) async -> Bool {
        for _ in 0..<LabLimits.settlingSteps {
            if flight != nil {
                await deliver(using: &random)
            } else if let wake {
                pass(max(.zero, wake - now.uptime), using: &random)
            } else {
                break
            }
        }
        return state.isSettled
    }

    mutating func note(_ event: String) { events.append(event) }

    private mutating func send(
        _ request: ClientRequest,
        _ manner: String
    ) async -> Result<ClientResponse, TransportError> {
        counts.requests += 1
        let result: Result<ClientResponse, TransportError>
        do throws(TransportError) {
            result = .success(try await transport.send(request))
        } catch {
            result = .failure(error)
        }
        let outcome =
            switch result {
            case .success(let response): "\(response.status)"
            case .failure(let error): "\(error)"
            }
        note("\(manner) \(Self.name(of: request)): \(outcome)")
        return result
    }

    /// A request without its secrets: method, path, and sequence number.
    private static func name(of request: ClientRequest) -> String {
        struct Numbered: Decodable { var clientSeq: Int64? }
        let body = request.body.flatMap { try? JSONDecoder().decode(Numbered.self, from: $0).clientSeq }
        let query = request.query.first { $0.name == "clientSeq" }?.value.flatMap { Int64($0) }
        let number = (body ?? query).map { " #\($0)" } ?? ""
        return "\(request.method.rawValue) \(request.path)\(number)"
    }
}

/// How often the network and the app failed.
struct HistoryCounts: Sendable {
    var requests = 0
    var lostAnswers = 0
    var late = 0
    var repeated = 0
    var crashes = 0
    var erasures = 0

    mutating func add(_ other: HistoryCounts) {
        requests += other.requests
        lostAnswers += other.lostAnswers
        late += other.late
        repeated += other.repeated
        crashes += other.crashes
        erasures += other.erasures
    }
}
