// A sink with a round trip answers in order, each request at its own time.

import Testing

@testable import HTTP2

@Suite struct DelayedAnswersTests {
    private func add(_ byte: UInt8, due milliseconds: Int, to delayed: inout DelayedAnswers) {
        [byte, byte].withUnsafeBytes { delayed.add($0, of: 3, due: .milliseconds(milliseconds)) }
    }

    @Test func eachBatchLeavesWhenItIsDue() {
        var delayed = DelayedAnswers()
        let answers = ByteBuffer(capacity: 16)
        for number in 1...4 as ClosedRange<UInt8> { add(number, due: 10 * Int(number), to: &delayed) }
        #expect(delayed.due == .milliseconds(10) && delayed.count == 8)
        #expect(delayed.release(at: .milliseconds(9), to: answers) == 0 && answers.isEmpty)
        #expect(delayed.release(at: .milliseconds(30), to: answers) == 9)
        #expect(answers.bytes == [1, 1, 2, 2, 3, 3])
        #expect(delayed.due == .milliseconds(40) && delayed.count == 2)
        #expect(delayed.release(at: .milliseconds(50), to: answers) == 3)
        #expect(delayed.due == nil && delayed.count == 0 && answers.bytes.suffix(2) == [4, 4])
    }
}
