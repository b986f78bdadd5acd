// Sizes and places in points; one point is one unit of the SVG.

/// A size in points.
struct ImageSize: Hashable, Sendable {
    var width: Double
    var height: Double

    init(_ width: Double, _ height: Double) {
        self.width = width
        self.height = height
    }
}

/// A rectangle in points.
struct ImageBox: Hashable, Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    var maxX: Double { x + width }
    var maxY: Double { y + height }
    var midX: Double { x + width / 2 }
    var midY: Double { y + height / 2 }

    /// Whether another rectangle lies inside, within a hundredth of a point.
    func contains(_ other: ImageBox) -> Bool {
        let slack = 0.01
        return other.x >= x - slack && other.y >= y - slack && other.maxX <= maxX + slack
            && other.maxY <= maxY + slack
    }
}

extension Double {
    /// The number with at most two decimals, the same on every machine.
    var svg: String {
        let hundredths = Int((self * 100).rounded())
        let sign = hundredths < 0 ? "-" : ""
        let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
        if rest == 0 { return "\(sign)\(whole)" }
        return rest.isMultiple(of: 10)
            ? "\(sign)\(whole).\(rest / 10)" : "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}
