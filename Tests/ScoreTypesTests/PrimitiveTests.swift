// Hashes, random numbers and an encoding that other programs compute as well.

import Foundation
import ScoreTypes
import Testing

@Suite struct FNV1aTests {
    @Test func hashesEqualThePublishedOnes() {
        var hash = FNV1a()
        #expect(hash.value == 0xcbf2_9ce4_8422_2325)
        hash.add("foo".utf8)
        hash.add("bar".utf8)
        #expect(hash.value == 0x8594_4171_f739_67e8)
        #expect(FNV1a.hash("foobar".utf8) == 0x8594_4171_f739_67e8)
        #expect(FNV1a.hash32("foobar".utf8) == 0xbf9c_f968)
    }
}

@Suite struct SplitMix64Tests {
    @Test func numbersEqualThePublishedOnes() {
        var generator = SplitMix64(seed: 1_234_567)
        let numbers = (0..<3).map { _ in generator.next() }
        #expect(numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
    }

    @Test func unitsAreAtLeastZeroAndLessThanOne() {
        var generator = SplitMix64(seed: 7)
        #expect((0..<1_000).allSatisfy { _ in (0..<1).contains(generator.unit()) })
    }
}

@Suite struct Base64URLTests {
    /// The same encoding by Foundation.
    private func encoded(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    @Test func anyLengthIsEncodedAndDecoded() {
        var generator = SplitMix64(seed: 1)
        for count in 0..<100 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = Base64URL.text(bytes)
            #expect(text == encoded(bytes))
            #expect(Base64URL.bytes(text.utf8) == bytes)
        }
    }

    @Test(arguments: ["A", "AAAAA", "QQ==", "QU+B", "QU/B", "QU B", "QUé"])
    func otherCharactersAndLengthsAreRefused(text: String) {
        #expect(Base64URL.bytes(text.utf8) == nil)
    }

    @Test func bitsBeyondTheLastByteAreIgnored() {
        #expect(Base64URL.bytes("QR".utf8) == [0x41])
    }
}
