// A decoded reply is valid while its bytes are the same.

import ScoreTypes
import Synchronization
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

extension ProviderReplies {
    fileprivate func decoded(
        _ part: ReplyPart,
        _ decode: ([UInt8]) throws(AdapterError) -> UInt8
    ) throws(AdapterError) -> UInt8 {
        try cache.value(of: part, required(part)) { body, _ throws(AdapterError) in (try decode(body), nil) }
    }
}

@Suite struct DecodedRepliesTests {
    private static let part: ReplyPart = "part"

    /// Reads the first byte and counts the reads.
    private final class Reader: Sendable {
        let count = Mutex(0)

        func read(_ body: [UInt8]) throws(AdapterError) -> UInt8 {
            count.withLock { $0 += 1 }
            guard let first = body.first else { throw .notJSON }
            return first
        }
    }

    @Test func unchangedBytesAreDecodedOnce() throws {
        let reader = Reader()
        var replies = ProviderReplies([Self.part: [1]])
        let copy = replies
        for _ in 0..<3 { #expect(try replies.decoded(Self.part, reader.read) == 1) }
        #expect(try copy.decoded(Self.part, reader.read) == 1)
        #expect(reader.count.withLock { $0 } == 1)
        replies[Self.part] = [1]
        #expect(try replies.decoded(Self.part, reader.read) == 1)
        #expect(reader.count.withLock { $0 } == 1)
    }

    @Test func changedBytesAreDecodedAgain() throws {
        let reader = Reader()
        var replies = ProviderReplies([Self.part: [1]])
        let before = replies
        #expect(try replies.decoded(Self.part, reader.read) == 1)
        replies[Self.part] = [2]
        #expect(try replies.decoded(Self.part, reader.read) == 2)
        // A copy with the old bytes keeps the old value.
        #expect(try before.decoded(Self.part, reader.read) == 1)
        replies[Self.part] = []
        #expect(throws: AdapterError.notJSON) { try replies.decoded(Self.part, reader.read) }
        replies[Self.part] = nil
        #expect(throws: AdapterError.missing(path: "reply part")) { try replies.decoded(Self.part, reader.read) }
    }

    @Test func aValueIsDerivedOnceUntilAReplyChanges() throws {
        var made = 0
        func size(_ replies: ProviderReplies) throws(AdapterError) -> Int {
            try replies.once(Self.part) { () throws(AdapterError) in
                made += 1
                return replies.bodies.values.reduce(0) { $0 + $1.count }
            }
        }
        var replies = ProviderReplies([Self.part: [1]])
        let copy = replies
        #expect(try (size(replies), size(replies), size(copy)) == (1, 1, 1))
        #expect(made == 1)
        replies["other"] = [1, 2]
        #expect(try (size(replies), size(replies)) == (3, 3))
        #expect(made == 2)
        // A copy from before the change has its own value.
        #expect(try size(copy) == 1)
        var newer = ProviderReplies([Self.part: []])
        newer.merge(replies)
        #expect(try size(newer) == 3)
        replies["other"] = nil
        #expect(try size(replies) == 1)
    }

    @Test func comparisonsIgnoreDecodedValues() throws {
        let one = ProviderReplies([Self.part: [1]])
        let other = ProviderReplies([Self.part: [1]])
        _ = try one.decoded(Self.part, Reader().read)
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(one != ProviderReplies([Self.part: [2]]))
    }
}
