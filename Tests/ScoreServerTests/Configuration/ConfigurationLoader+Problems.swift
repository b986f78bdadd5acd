// Tests compare the complaints about settings, without a file.

@testable import ScoreServer

extension ConfigurationLoader {
    /// The complaints about the settings of an environment; none when they are usable.
    static func problems(of environment: [String: String]) -> [String] {
        do throws(ConfigurationProblems) {
            _ = try load(environment: environment, file: noFile)
            return []
        } catch {
            return error.sentences
        }
    }
}
