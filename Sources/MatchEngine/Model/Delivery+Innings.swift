// In match order each innings is one stretch of balls; a slice takes it without copying a ball.

extension [Delivery] {
    /// The balls in stretches of one innings each, in their order; an innings whose balls are apart has several.
    public var byInnings: [(ordinal: Int, balls: ArraySlice<Delivery>)] {
        var stretches: [(ordinal: Int, balls: ArraySlice<Delivery>)] = []
        var start = 0
        while start < count {
            let ordinal = self[start].innings
            let end = self[start...].firstIndex { $0.innings != ordinal } ?? count
            stretches.append((ordinal, self[start..<end]))
            start = end
        }
        return stretches
    }

    /// The balls of an innings, of balls in match order.
    public func ofInnings(_ ordinal: Int) -> ArraySlice<Delivery> {
        byInnings.first { $0.ordinal == ordinal }?.balls ?? []
    }
}
