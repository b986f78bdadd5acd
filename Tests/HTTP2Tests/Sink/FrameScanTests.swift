// A sink handles each frame type as HTTP/2 requires, although it parses no header block.

import Testing

@testable import HTTP2

@Suite struct FrameScanTests {
    @Test func settingsAnnounceStreamsAndWindows() {
        let answers = ByteBuffer(capacity: 16)
        FrameScan(window: 100_000).greet(streams: 1000, into: answers)
        let settings: [UInt8] = [0, 3, 0, 0, 0x03, 0xe8, 0, 4, 0, 1, 0x86, 0xa0]
        let update: [UInt8] = [0, 0, 0x86, 0xa1]
        let expected = Frame(4, settings).bytes + Frame(8, update).bytes
        #expect(answers.bytes == expected)
    }

    @Test("every request is answered at its last byte, however the bytes are split", arguments: 0..<40 as Range<UInt64>)
    func eachRequestIsAnsweredAtItsEnd(seed: UInt64) {
        var random = Chance(state: seed)
        let frames: [Frame] = [
            Frame(4, [0, 3, 0, 0, 0, 9]),
            Frame(1, [UInt8](repeating: 1, count: 70), flags: 4, stream: 1),
            Frame(0, [UInt8](repeating: 2, count: 900), stream: 1),
            Frame(0, [], flags: 1, stream: 1),
            // A header block in three frames, which ends its request.
            Frame(1, [7, 7], flags: 1, stream: 3), Frame(9, [7], stream: 3), Frame(9, [7], flags: 4, stream: 3),
            Frame(6, Array(1...8)),
            // Acknowledgements, a reset, a window: they need no answer.
            Frame(4, [], flags: 1), Frame(6, Array(1...8), flags: 1), Frame(3, [0, 0, 0, 8], stream: 5),
            Frame(8, [0, 0, 1, 0]),
            Frame(1, [9], flags: 5, stream: 0x7fff_ffff),
        ]
        let bytes = FrameScan.preface + frames.flatMap(\.bytes)
        let answers = ByteBuffer(capacity: 16)
        var scan = FrameScan(window: 100_000)
        var place = 0
        while place < bytes.count {
            let end = min(bytes.count, place + 1 + Int(random.next() % [1, 4, 30, 2000][Int(seed % 4)]))
            let isRead = bytes[place..<end].withUnsafeBytes { scan.read($0, into: answers) }
            #expect(isRead, "seed \(seed)")
            place = end
        }
        let expected: [UInt8] = [
            Frame(4, [], flags: 1), .answer(1), .answer(3), Frame(6, Array(1...8), flags: 1), .answer(0x7fff_ffff),
        ].flatMap(\.bytes)
        #expect(answers.bytes == expected, "seed \(seed)")
        #expect(scan.requests == 3)
    }

    @Test func theWindowIsReturnedByHalves() {
        let answers = ByteBuffer(capacity: 16)
        var scan = FrameScan(window: 100_000)
        let frame = Frame(0, [UInt8](repeating: 0, count: 16_384), stream: 1).bytes
        let said = [FrameScan.preface + frame + frame + frame, frame, frame].map { bytes in
            answers.clear()
            return scan.read(bytes, into: answers) ? answers.bytes : nil
        }
        #expect(said == [[], Frame(8, [0, 1, 0, 0]).bytes, []])
    }

    @Test(
        "violations of the protocol end the connection, unusual frames do not",
        arguments: [
            ("another preface", Array("GET / HTTP/1.1\r\n".utf8)),
            ("a frame longer than announced", FrameScan.preface + [0, 0x40, 1, 0, 0, 0, 0, 0, 1]),
            ("a ping of seven bytes", FrameScan.preface + Frame(6, Array(1...7)).bytes),
        ]
    )
    func refuses(what: String, bytes: [UInt8]) {
        var scan = FrameScan(window: 100_000)
        let isRead = scan.read(bytes, into: ByteBuffer(capacity: 16))
        #expect(!isRead, "\(what)")
    }
}

/// An encoded frame.
struct Frame {
    let bytes: [UInt8]

    init(_ kind: UInt8, _ payload: [UInt8], flags: UInt8 = 0, stream: UInt32 = 0) {
        let (length, id) = (payload.count, stream)
        let place = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: id >> $0) }
        bytes = [UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255), kind, flags] + place + payload
    }

    /// Status 200 and END_STREAM.
    static func answer(_ stream: UInt32) -> Frame { Frame(1, [0x88], flags: 5, stream: stream) }
}

/// Random numbers that depend on the seed only.
struct Chance {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}

extension ByteBuffer {
    var bytes: [UInt8] { Array(readable) }
}

extension FrameScan {
    fileprivate mutating func read(_ bytes: [UInt8], into answers: ByteBuffer) -> Bool {
        bytes.withUnsafeBytes { read($0, into: answers) }
    }
}
