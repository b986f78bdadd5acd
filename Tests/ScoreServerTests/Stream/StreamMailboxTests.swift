// The queue of a slow reader: kept events, skipped events, the end.

import MatchJournal
import MatchSamples
import NIOCore
import Providers
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct StreamMailboxTests {
    private static func mailbox() -> StreamMailbox {
        StreamMailbox(matches: [Samples.match], positions: StreamPositions(isSingle: true))
    }

    private static func frame(_ number: Int64) throws -> StreamFrame { StreamFrame(try Samples.view(number)) }

    private static func batch(_ number: Int64) throws -> StreamBatch {
        let view = try Samples.view(number)
        return StreamBatch(state: StreamFrame(view), changes: [], view: view)
    }

    @Test func theNewestStateReplacesOlderOnes() throws {
        var mailbox = Self.mailbox()
        let skipped = [
            mailbox.offer(try Self.frame(7)), mailbox.offer(try Self.frame(9)), mailbox.offer(try Self.frame(8)),
        ]
        #expect(skipped == [false, true, false])
        let delivery = mailbox.take()
        #expect(delivery?.frameCount == 1)
        #expect(mailbox.positions[Samples.match]?.number == 9)
        #expect(mailbox.isEmpty)
        let repeated = mailbox.offer(try Self.frame(9))
        #expect(!repeated && mailbox.isEmpty)
    }

    @Test func statesOfTheOpeningAreNotSentAgain() throws {
        var mailbox = Self.mailbox()
        _ = mailbox.offer(try Self.frame(8))
        mailbox.markSent(try Self.frame(8))
        #expect(mailbox.isEmpty)
        _ = mailbox.offer(try Self.frame(9))
        mailbox.markSent(try Self.frame(8))
        let count = mailbox.take()?.frameCount
        #expect(count == 1)
    }

    @Test func aStateOfAnIdleStreamIsOneChunkForAllStreams() throws {
        var (one, other) = (Self.mailbox(), Self.mailbox())
        let batch = try Self.batch(7)
        let frame = batch.state
        let chunks = [one.pass(batch), other.pass(batch)]
        #expect(chunks[0] == frame.singleChunk && chunks[1] == frame.singleChunk)
        let repeated = one.pass(batch)
        #expect(repeated == nil)
        one.notify(Self.notice("held"))
        let behindAnother = one.pass(try Self.batch(8))
        #expect(behindAnother == nil)
    }

    @Test func memoryReturnsAfterAStormNotDuringIt() {
        var memory = FreedMemory()
        for _ in 0..<ServerLimits.streamChangesBeforeTrim { memory.changed() }
        let returns = [memory.tick(), memory.tick(), memory.tick()]
        #expect(returns == [false, true, false])
    }

    @Test func aPingNeverReplacesAnotherEvent() throws {
        var mailbox = Self.mailbox()
        mailbox.notify(Self.notice("held"))
        mailbox.keepAlive(ByteBuffer(string: "ping"))
        let buffers = mailbox.take()?.buffers
        #expect(buffers == [ByteBuffer(string: "held")])
    }

    private static func notice(
        _ text: String,
        _ kind: StreamNotice.Kind = .held,
        of match: String = "m1"
    ) -> StreamNotice {
        StreamNotice(match: MatchID(unchecked: match), kind: kind, event: ByteBuffer(string: text))
    }

    @Test func aNoticeReplacesOnlyAnOlderOneOfItsMatchAndKind() {
        var mailbox = Self.mailbox()
        mailbox.notify(Self.notice("a held"))
        mailbox.notify(Self.notice("a stale", .stale))
        mailbox.notify(Self.notice("b stale", .stale, of: "b"))
        mailbox.notify(Self.notice("a released"))
        let buffers = mailbox.take()?.buffers
        #expect(buffers == ["a stale", "b stale", "a released"].map { ByteBuffer(string: $0) })
        #expect(mailbox.isEmpty)
    }

    @Test func theFirstReasonToEndIsSentLast() throws {
        var mailbox = Self.mailbox()
        _ = mailbox.offer(try Self.frame(7))
        #expect(mailbox.endReason == nil)
        mailbox.close(.maxAge, bye: ByteBuffer(string: "bye"))
        mailbox.close(.slow, bye: ByteBuffer(string: "other"))
        #expect(mailbox.endReason == .maxAge)
        let delivery = mailbox.take()
        #expect(delivery?.end == .maxAge)
        #expect(delivery?.buffers.last == ByteBuffer(string: "bye"))
        let isSkipped = mailbox.offer(try Self.frame(8))
        #expect(!isSkipped)
    }
}
