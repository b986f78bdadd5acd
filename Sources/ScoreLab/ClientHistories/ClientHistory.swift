// One random history of a phone: choices, losses, crashes, late requests; its end is compared with the server.

import ScoreClient
import ScoreTypes

/// The result of one history.
struct HistoryOutcome: Sendable {
    let seed: UInt64
    let counts: HistoryCounts
    /// The differences from the last choices of the person; empty when all is right.
    let differences: [String]
    let events: [String]
}

/// A history that its seed determines, but for the answers of the server.
struct ClientHistory: Sendable {
    /// Steps before the network works again.
    private static let steps = 30

    private let seed: UInt64
    private let transport: any ClientTransport
    private var random: SplitMix64
    private var phone: HistoryPhone
    private var choices = PersonChoices()
    private var erased: [String] = []
    private var erasures = 0
    /// Steps for which the network is off.
    private var offline = 0

    init(seed: UInt64, transport: any ClientTransport) {
        self.seed = seed
        self.transport = transport
        random = SplitMix64(seed: seed)
        phone = HistoryPhone(transport: transport)
    }

    /// Plays the history and compares its end.
    mutating func run() async throws -> HistoryOutcome {
        phone.launch(as: choices.description, using: &random)
        for _ in 0..<Self.steps { await step() }
        var differences: [String] = []
        // An erasure that is confirmed now is followed by a new device.
        for _ in 0..<2 {
            phone.feed(.networkReturned, using: &random)
            phone.feed(.enteredForeground, using: &random)
            if !(await phone.settle(using: &random)) { differences.append("not settled") }
            noteErasure()
        }
        while !phone.held.isEmpty { await phone.deliverHeld(isLast: true, using: &random) }
        differences += try await compare()
        var counts = phone.counts
        counts.erasures = erasures
        return HistoryOutcome(seed: seed, counts: counts, differences: differences, events: phone.events)
    }

    private mutating func step() async {
        noteErasure()
        offline -= 1
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<38: choose()
        case 38..<66: await answer()
        case 66..<76: await phone.lose(using: &random)
        case 76..<84: await phone.deliverHeld(isLast: false, using: &random)
        case 84..<90: phone.crash(as: choices.description, using: &random)
        case 90..<92: offline = 5
        case 92..<95: phone.feed(.enteredForeground, using: &random)
        default: phone.pass(.milliseconds(Int64.random(in: 1...20_000, using: &random)), using: &random)
        }
    }

    private mutating func choose() {
        // The app shows a person who erases the device nothing else until that is done.
        guard !choices.isErasing else { return }
        let event = choices.choose(using: &random)
        phone.note("choose \(Self.name(of: event))")
        if case .erased = event, let credential = phone.credential { erased.append(credential) }
        phone.feed(event, using: &random)
    }

    private mutating func answer() async {
        if offline > 0 {
            phone.failOffline(using: &random)
        } else {
            await phone.deliver(using: &random)
        }
    }

    /// The app has said that the device is erased: the person begins again.
    private mutating func noteErasure() {
        guard choices.isErasing, phone.isErased else { return }
        erasures += 1
        phone.note("erased")
        choices.noteErasure()
        phone.launch(as: choices.description, using: &random)
    }

    private func compare() async throws -> [String] {
        var differences: [String] = []
        for (match, chosen) in choices.follows where phone.follows[match]?.choices != chosen {
            differences.append("\(match): the app shows another choice")
        }
        for credential in erased where credential != phone.credential {
            let isKnown = try await StoredDevice(by: credential, over: transport) != nil
            if isKnown { differences.append("an erased device is still known") }
        }
        guard let credential = phone.credential else { return differences + ["the app has no credential"] }
        guard let stored = try await StoredDevice(by: credential, over: transport) else {
            return differences + ["the app's credential is not valid"]
        }
        return differences + stored.differences(from: choices)
    }

    private static func name(of event: ClientEvent) -> String {
        switch event {
        case .followed(let match, let choices): "follow \(match) \(choices)"
        case .unfollowed(let match): "unfollow \(match)"
        case .token(let name, let token): "\(token == nil ? "remove" : "set") \(name) token"
        case .described(let device): "describe \(String(describing: device.quietHours)) \(device.alertsEnabled)"
        case .rotationRequested: "rotate the credential"
        case .erased: "erase the device"
        default: "other"
        }
    }
}
