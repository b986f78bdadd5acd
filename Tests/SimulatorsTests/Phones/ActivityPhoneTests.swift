// Phones without a client start their activity and receive pushes by the rules of the system.

import ScoreClient
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import Simulators

@Suite struct ActivityPhoneTests {
    private final class Observed: Sendable {
        private let kept = Mutex<[PhoneJournalEvent]>([])
        func note(_ phone: Int, _ event: PhoneJournalEvent) { if phone == 3 { kept.withLock { $0.append(event) } } }
        var drawings: [Int64] {
            kept.withLock { $0.compactMap { if case .drew(_, let revision, _) = $0 { revision } else { nil } } }
        }
    }

    private let time = ManualClock(wallAtZero: Instant(milliseconds: PhoneStateRig.wall * 1000))
    private let directory = PushDirectory(channelsMax: 1)
    private let observed = Observed()

    private func make(_ release: IOSRelease) -> (ActivityPhone, PhoneSchedule) {
        let environment = PhoneEnvironment(
            directory: directory,
            clock: time.clock(),
            observer: { [observed] in observed.note($0, $1) }
        )
        let match = MatchID(unchecked: "m1")
        let phone = ActivityPhone(number: 3, match: match, release: release, seed: 3, environment: environment)
        return (phone, environment.schedule)
    }

    private func send(_ rev: Int64, to token: PushToken, secondsLater: Int64 = 0) {
        guard case .alive(.activity, let deliver)? = directory.entry(token.bytes) else { return }
        deliver(PhoneStateRig.delivered(PushBody.update(rev: rev, timestamp: time.now.seconds + secondsLater)))
    }

    @Test func itsObserverReceivesWhatTheSystemDraws() throws {
        let (phone, schedule) = make(.ios16)
        try phone.startActivity(revision: 4)
        #expect(phone.activity?.revision == 4 && phone.activity?.token == nil)
        time.advance(by: .seconds(1))
        schedule.fireDue()
        let token = try #require(phone.activity?.token.flatMap { PushToken(hex: $0) })
        for revision in 5...12 as ClosedRange<Int64> { send(revision, to: token, secondsLater: revision) }
        send(11, to: token, secondsLater: 11)
        #expect(observed.drawings == Array(5...12), "an older timestamp is not drawn")
        #expect(phone.system.journal.count == SimulatorLimits.observedJournalEntries)
        #expect(phone.system.report.drawings == 8 && phone.system.report.drops == [.olderTimestamp: 1])
    }

    @Test func anotherStartReplacesTheActivityAndItsToken() throws {
        let (phone, schedule) = make(.ios17)
        try phone.startActivity()
        let first = try #require(phone.activity)
        time.advance(by: .seconds(2))
        schedule.fireDue()
        let token = phone.activity?.token
        try phone.startActivity(revision: 9)
        time.advance(by: .seconds(2))
        schedule.fireDue()
        let second = try #require(phone.activity)
        #expect(second.id != first.id && second.token != nil && second.token != token && second.revision == 9)
        #expect(phone.system.cards.map(\.revision) == [9])
    }

    @Test func itsChannelIsJoinedAtOnce() throws {
        let channel = try #require(directory.create(policy: 0))
        let (phone, _) = make(.ios18)
        try phone.startActivity(channel: channel)
        #expect(phone.activity?.token == nil && phone.system.cards.map(\.isOnChannel) == [true])
        #expect(throws: ActivityStartError.unsupported) { try self.make(.ios17).0.startActivity(channel: channel) }
    }
}
