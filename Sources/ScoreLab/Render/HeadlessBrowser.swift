// An SVG becomes a PNG in the browser that is installed, since no renderer is linked.

import Foundation

/// Chromium without a window.
struct HeadlessBrowser {
    private static let names = ["chromium", "chromium-browser", "google-chrome"]

    private let executable: URL

    /// Finds an installed browser; nil without one.
    init?() {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        let paths = Self.names.flatMap { name in folders.map { "\($0)/\(name)" } }
        guard let path = paths.first(where: FileManager.default.isExecutableFile) else { return nil }
        executable = URL(filePath: path)
    }

    /// Draws a document.
    ///
    /// - Parameters:
    ///   - svg: The path of the document.
    ///   - png: The path of the image.
    ///   - size: Its size in pixels.
    /// - Throws: The error of the system when the browser cannot be started.
    func draw(_ svg: String, to png: String, size: (width: Int, height: Int)) throws {
        let browser = Process()
        browser.executableURL = executable
        browser.arguments = [
            "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=2",
            "--window-size=\(size.width),\(size.height)", "--screenshot=\(URL(filePath: png).path)",
            URL(filePath: svg).absoluteString,
        ]
        browser.standardOutput = FileHandle.nullDevice
        browser.standardError = FileHandle.nullDevice
        try browser.run()
        browser.waitUntilExit()
    }
}
