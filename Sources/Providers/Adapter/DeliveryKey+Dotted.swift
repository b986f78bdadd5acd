// A Test has three thousand keys, which are made with every reply: they are written digit by digit.

internal import MatchEngine

extension DeliveryKey {
    /// A key of numbers with points between, such as `2.17.3.1`.
    init(dotted first: Int, _ second: Int, _ third: Int, _ fourth: Int? = nil) {
        self.init(
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: AdapterLimits.dottedKeyBytes) { text in
                var end = 0
                Self.write(first, into: text, at: &end)
                Self.write(second, into: text, at: &end)
                Self.write(third, into: text, at: &end)
                if let fourth { Self.write(fourth, into: text, at: &end) }
                return String(decoding: text[..<end], as: UTF8.self)
            }
        )
    }

    private static func write(_ number: Int, into text: UnsafeMutableBufferPointer<UInt8>, at end: inout Int) {
        if end > 0 {
            text[end] = UInt8(ascii: ".")
            end += 1
        }
        if number < 0 {
            text[end] = UInt8(ascii: "-")
            end += 1
        }
        let start = end
        var rest = number.magnitude
        repeat {
            text[end] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            end += 1
            rest /= 10
        } while rest > 0
        text[start..<end].reverse()
    }
}
