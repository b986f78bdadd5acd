// The app's bundle says which texts it has, so that no setting can differ from the file.

import Foundation
import LiveSurface
import ScoreActivityKit
import ScoreClient
import Testing

@Suite struct DeviceDescriptionTests {
    private static func stringsVersion(in folder: String) throws -> Int {
        var package = URL(filePath: #filePath)
        for _ in 0..<4 { package.deleteLastPathComponent() }
        let bundle = try #require(Bundle(path: package.appending(path: folder).path))
        return DeviceDescription.ofThisDevice(environment: .sandbox, alertsEnabled: true, bundle: bundle).stringsVersion
    }

    @Test func theTableInTheBundleNamesItsVersion() throws {
        #expect(try Self.stringsVersion(in: "Localization") == NotificationKey.version)
        #expect(try Self.stringsVersion(in: "Sources") == 0)
    }
}
