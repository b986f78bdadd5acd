// A connection string that names no authorities is verified with those of the system.

import Foundation
import Testing

@testable import Postgres

struct ConnectionInfoTests {
    private func options(_ string: String) -> [String: String] {
        Dictionary(uniqueKeysWithValues: ConnectionInfo(string).verification)
    }

    @Test("S41: a remote host is verified with the system's authorities where the string names none")
    func aRemoteHostIsVerifiedWithTheAuthoritiesOfTheSystem() throws {
        let hasBundle = FileManager.default.fileExists(atPath: ConnectionInfo.usualAuthorities)
        try #require(hasBundle, "Debian's ca-certificates are installed")
        for mode in ["", "?sslmode=verify-full"] {
            let options = options("postgresql://score@db.example/score\(mode)")
            #expect(options["sslmode"] == "verify-full", "\(mode)")
            #expect(options["sslrootcert"] == ConnectionInfo.usualAuthorities, "\(mode)")
        }
        // With authorities, `require` would verify the certificate, too.
        #expect(options("postgresql://score@db.example/score?sslmode=require")["sslrootcert"] == nil)
        #expect(options("postgresql://score@127.0.0.1/score").isEmpty)
        #expect(options("host=/run/postgresql").isEmpty)
    }

    @Test("S41: a host that the environment or a service names counts as the string's own")
    func aHostOfTheEnvironmentCounts() {
        let remote = ["host": "db.example"]
        #expect(ConnectionInfo("dbname=score").remoteHosts(remote) == ["db.example"])
        #expect(ConnectionInfo("dbname=score").remoteHosts(["host": "/run/postgresql"]).isEmpty)
        #expect(ConnectionInfo("dbname=score").remoteHosts([:]).isEmpty)
        #expect(ConnectionInfo("host=/run/postgresql").remoteHosts(remote).isEmpty)
        #expect(ConnectionInfo("host=/run/postgresql").remoteHosts(["hostaddr": "192.0.2.1"]) == ["192.0.2.1"])
        #expect(ConnectionInfo("service=score").remoteHosts(["host": "/run/postgresql"]) == ["service score"])
    }
}
