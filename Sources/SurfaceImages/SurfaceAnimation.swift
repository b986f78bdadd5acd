// A whole match as one moving SVG: two phones whose Lock Screen and island change with every ball.

/// The frames of a match.
public struct SurfaceAnimation: Sendable {
    private static let gap = 32.0

    private let frames: [SurfaceContent]
    private let options: SurfaceImageOptions
    /// Seconds of an ordinary frame, and of one with an alert.
    private let seconds: (ball: Double, alert: Double)

    /// Makes an animation; frames beyond the limit are omitted.
    ///
    /// - Parameters:
    ///   - frames: The states in order.
    ///   - seconds: Seconds for which a state is shown; one with an alert is shown four times as long.
    ///   - options: Screen and appearance.
    public init(_ frames: [SurfaceContent], seconds: Double = 0.5, _ options: SurfaceImageOptions) {
        self.frames = Array(frames.prefix(SurfaceImageLimits.animationFrames))
        self.options = options
        self.seconds = (seconds, seconds * 4)
    }

    /// The whole document; it repeats without an end, and stands still at its last state where nothing moves.
    public var svg: String {
        let phone = SurfacePhone.size(options)
        let places = SurfacePhone.allCases.enumerated().map { ($1, Double($0) * (phone.width + Self.gap)) }
        let (width, height) = ((places.last?.1 ?? 0) + phone.width, phone.height)
        let durations = frames.map { $0.alert == nil ? seconds.ball : seconds.alert }
        let time = durations.reduce(0, +)
        var definitions: Set<String> = []
        var body = ""
        for (phone, x) in places {
            var drawing = PhoneDrawing(phone: phone, options: options)
            body += "<g transform=\"translate(\(x.svg) 0)\">\(frames.first.map { drawing.frame($0) } ?? "")"
            var begin = 0.0
            for (index, content) in frames.enumerated() {
                let markup = drawing.surfaces(content, isMoving: false)
                let isLast = index == frames.count - 1
                body += Self.group(markup, from: begin / time, to: (begin + durations[index]) / time, time, isLast)
                begin += durations[index]
            }
            body += (frames.isEmpty ? "" : drawing.lockedIsland()) + "</g>"
            definitions.formUnion(drawing.definitions)
        }
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width.svg)\" height=\"\(height.svg)\""
            + " viewBox=\"0 0 \(width.svg) \(height.svg)\" role=\"img\" font-family=\"\(SurfaceImage.fonts)\""
            + " font-variant=\"tabular-nums\"><title>A match ball by ball</title>"
            + "<desc>\(frames.count) states in \(time.svg) s. Approximation; the device decides.</desc>"
            + SurfaceImage.definitions(definitions) + body + "</svg>\n"
    }

    /// A state that is visible in one part of the loop; the last one is visible where nothing moves, too.
    private static func group(_ markup: String, from begin: Double, to end: Double, _ time: Double, _ isLast: Bool)
        -> String
    {
        func share(_ value: Double) -> String {
            let parts = Int((min(1, value) * 100_000).rounded())
            return parts == 100_000 ? "1" : "0.\(String(100_000 + parts).dropFirst())"
        }
        let steps =
            begin == 0
            ? ("visible;hidden", "0;\(share(end))")
            : isLast
                ? ("hidden;visible", "0;\(share(begin))")
                : ("hidden;visible;hidden", "0;\(share(begin));\(share(end))")
        return "<g visibility=\"\(isLast ? "visible" : "hidden")\"><animate attributeName=\"visibility\""
            + " calcMode=\"discrete\" dur=\"\(time.svg)s\" repeatCount=\"indefinite\""
            + " values=\"\(steps.0)\" keyTimes=\"\(steps.1)\"/>"
            + "\(markup)</g>\n"
    }
}
