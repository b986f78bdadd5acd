// The text of an image: no script, no reference to anything outside the document.

extension SurfaceImage {
    /// Width in units of the SVG.
    public var width: Double { canvas.size.width * scale }
    /// Height in units of the SVG, with the note below the surface.
    public var height: Double { canvas.size.height * scale + captionHeight }

    private var captionHeight: Double { caption == nil ? 0 : 22 }

    static let fonts =
        "-apple-system, &quot;SF Pro Text&quot;, Inter, &quot;Helvetica Neue&quot;, Arial, sans-serif"

    /// A whole document.
    public var svg: String {
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width.svg)\" height=\"\(height.svg)\""
            + " viewBox=\"0 0 \(width.svg) \(height.svg)\" role=\"img\" font-family=\"\(Self.fonts)\""
            + " font-variant=\"tabular-nums\">"
            + "<title>\(ImageCanvas.escaped(title))</title><desc>\(ImageCanvas.escaped(description))</desc>"
            + Self.definitions(canvas.definitions) + body(x: 0, y: 0) + "</svg>\n"
    }

    static func definitions(_ definitions: Set<String>) -> String {
        definitions.isEmpty ? "" : "<defs>\(definitions.sorted().joined())</defs>"
    }

    /// The drawing at a place of another document; nothing leaves its rectangle.
    func body(x: Double, y: Double) -> String {
        let (w, h) = (canvas.size.width, canvas.size.height)
        var body =
            "<svg x=\"\(x.svg)\" y=\"\(y.svg)\" width=\"\((w * scale).svg)\" height=\"\((h * scale).svg)\""
            + " viewBox=\"0 0 \(w.svg) \(h.svg)\" overflow=\"hidden\">\(canvas.markup)</svg>"
        if let caption {
            let box = ImageBox(0, 0, w * scale, captionHeight)
            let fitted = TextFitting.fit(caption, ImageFont(11.5, .medium, minimumScale: 0.6), within: w * scale)
            let baseline = y + h * scale + box.midY + 4
            body += "<text x=\"\((x + box.midX).svg)\" y=\"\(baseline.svg)\" font-size=\"\(fitted.font.size.svg)\""
            body += " font-weight=\"500\" fill=\"#767680\" text-anchor=\"middle\">\(fitted.text)</text>"
        }
        return body
    }
}
