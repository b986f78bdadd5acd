// An image of a whole screen says more than a card: the locked phone with its card, the phone in use with its island.

/// A phone on which an activity is shown.
public enum SurfacePhone: String, CaseIterable, Hashable, Sendable {
    /// The Lock Screen with the card, and the alert of the push above it.
    case locked = "phone-locked"
    /// The home screen with the Dynamic Island, which an alert expands.
    case inUse = "phone-in-use"

    /// The name for people.
    public var title: String {
        switch self {
        case .locked: "Lock Screen"
        case .inUse: "Dynamic Island"
        }
    }

    /// Points of the screen's height: less than a phone has, so that the drawing fits beside other content.
    static let screenHeight = 620.0
    static let bezel = 13.0
    static let cornerRadius = 50.0

    /// The size of the drawing in points.
    static func size(_ options: SurfaceImageOptions) -> ImageSize {
        ImageSize(options.screen.width + 2 * bezel, screenHeight + 2 * bezel)
    }

    /// A whole document with a state; an alert moves in when the document is opened.
    public func svg(_ content: SurfaceContent, _ options: SurfaceImageOptions = SurfaceImageOptions()) -> String {
        var drawing = PhoneDrawing(phone: self, options: options)
        let markup = drawing.frame(content) + drawing.surfaces(content, isMoving: true) + drawing.lockedIsland()
        let size = Self.size(options)
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(size.width.svg)\" height=\"\(size.height.svg)\""
            + " viewBox=\"0 0 \(size.width.svg) \(size.height.svg)\" role=\"img\" font-family=\"\(SurfaceImage.fonts)\""
            + " font-variant=\"tabular-nums\"><title>\(title)</title>"
            + "<desc>\(ImageCanvas.escaped(SurfaceImage.description(of: content, options)))</desc>"
            + SurfaceImage.definitions(drawing.definitions) + markup + "</svg>\n"
    }
}
