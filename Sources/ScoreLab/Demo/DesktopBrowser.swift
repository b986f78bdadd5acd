// A demo shows its phones at once where there is a display; elsewhere its address is enough.

import Foundation

/// The browser of the person who runs the demo.
struct DesktopBrowser {
    private let opener: URL

    /// Finds the desktop's opener; nil without a display or an opener.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
        let folders = (environment["PATH"] ?? "/usr/bin").split(separator: ":")
        guard hasDisplay,
            let path = folders.map({ "\($0)/xdg-open" }).first(where: FileManager.default.isExecutableFile)
        else { return nil }
        opener = URL(filePath: path)
    }

    /// Opens a page, and does not wait for it; without success the printed address remains.
    func open(_ address: String) {
        let process = Process()
        process.executableURL = opener
        process.arguments = [address]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try? process.run()
    }
}
