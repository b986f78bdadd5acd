// The audit log names the user of the operating system who ran a command.

import ArgumentParser
import Foundation

/// The author of an act on the command line.
enum CommandUser {
    /// The login name of the process's user, as the system has it.
    static var name: String { NSUserName() }

    /// Checks a reason for the audit log.
    static func check(reason: String) throws {
        guard (3...200).contains(reason.unicodeScalars.count) else {
            throw ValidationError("--reason needs 3 to 200 characters.")
        }
    }
}
