// A file that a setting names is opened before anything starts, so that its faults are known together with all others.

import Foundation
import Postgres
import PushDispatcher

extension ServerConfiguration {
    /// Opens the files of the settings and parses the database's address; throws all complaints at once.
    ///
    /// The secrets of feeds were read with the settings.
    func checkFiles() throws(ConfigurationProblems) {
        var problems: [String] = []
        if let databaseURL, !ConnectionInfo(databaseURL).isReadable {
            // The value has a password, so that no part of it is shown.
            problems.append("database.url: expected a connection URI such as postgresql://user@host:5432/score")
        }
        if let info = databaseURL.map({ ConnectionInfo($0) }), let mode = info.unverifiedMode, !isDatabaseUnverified {
            problems.append(
                "database.url: sslmode=\(mode) does not verify \(info.remoteHosts.joined(separator: ", ")); expected "
                    + "verify-full, or database.unverified=true in a private network"
            )
        }
        if let file = push.key?.file {
            do throws(SigningError) { _ = try SigningKey(contentsOfFile: file) } catch {
                problems.append("apns.key.file: \(error)")
            }
        }
        do throws(ConfigurationProblems) { _ = try push.authorities() } catch { problems += error.sentences }
        guard problems.isEmpty else { throw ConfigurationProblems(sentences: problems) }
    }
}

extension ServerConfiguration.Push {
    /// The trusted authorities in PEM; nil for the system's.
    func authorities() throws(ConfigurationProblems) -> [UInt8]? {
        guard let authorityFile else { return nil }
        guard let data = FileManager.default.contents(atPath: authorityFile) else {
            throw ConfigurationProblems(sentences: [
                "apns.ca.file: cannot read \(authorityFile); give the path of a PEM file"
            ])
        }
        return Array(data)
    }
}
