// Each mistake of a new user is one clear sentence with a remedy.
import Glibc
import Testing

@testable import Postgres

struct ClusterFolderTests {
    @Test func aPathTooLongForASocketIsRefused() {
        let path = "/tmp/" + String(repeating: "x", count: 90)
        let error = #expect(throws: ClusterError.self) { _ = try ClusterFolder(path) }
        #expect(error == .socketPathTooLong(folder: path, bytes: 109, bytesMax: 107))
        #expect(error?.description.contains("choose a folder with a shorter path") == true)
        #expect(throws: Never.self) { _ = try ClusterFolder(String(path.dropLast(2))) }
    }

    @Test(arguments: ["/tmp/a,b", "/tmp/it's", "/tmp/a\nb", #"/tmp/a\b"#])
    func aNameThatPostgresDoesNotAcceptIsRefused(path: String) {
        let error = #expect(throws: ClusterError.self) { _ = try ClusterFolder(path) }
        #expect(error == .folderNameUnusable(folder: path))
    }

    @Test func relativePathsBecomeAbsolute() throws {
        let here = String(cString: try #require(getcwd(nil, 0)))
        #expect(try ClusterFolder("./a/../b/").path == here + "/b")
        #expect(try ClusterFolder("/x//y/./z").path == "/x/y/z")
    }

    @Test func aFolderWithOtherFilesIsRefused() throws {
        let folder = try TemporaryFolder()
        _ = mkdir(folder.path + "/photos", 0o755)
        let error = #expect(throws: ClusterError.self) { try ClusterFolder(folder.path).prepare(for: .current) }
        #expect(error == .notACluster(folder: folder.path))
    }

    @Test("H14: a folder that cannot be created is reported with the reason")
    func aFolderThatCannotBeCreatedIsReportedWithTheReason() {
        let error = #expect(throws: ClusterError.self) { try ClusterFolder("/proc/nowhere/db").prepare(for: .current) }
        #expect(error == .folderNotWritable(folder: "/proc/nowhere/db", reason: "No such file or directory"))
    }

    @Test(.enabled(if: geteuid() == 0, "only root hands the server to another user"))
    func aFolderOutOfReachOfUserPostgresIsReported() async throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o700)
        let path = folder.path + "/db"
        let error = await #expect(throws: ClusterError.self) {
            _ = try await PrivateCluster.start(directory: path, lifetime: .endsWithOwner, durable: false)
        }
        #expect(error == .folderUnreachable(folder: path, blocker: folder.path))
        #expect(error?.description.contains("/var/lib or /var/tmp") == true)
    }

    @Test func aVersionBehindALinkIsNotRead() throws {
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        _ = mkdir(data, 0o700)
        let file = try #require(fopen(data + "/text", "w"))
        fputs("15\n", file)
        fclose(file)
        #expect(link(data + "/text", data + "/PG_VERSION") == 0)
        #expect(try ClusterFolder(folder.path).majorOfData == "15")
        unlink(data + "/PG_VERSION")
        #expect(symlink(data + "/text", data + "/PG_VERSION") == 0)
        #expect(try ClusterFolder(folder.path).majorOfData == nil)
    }

    @Test func dataOfAMissingVersionIsReported() async throws {
        let folder = try TemporaryFolder()
        _ = mkdir(folder.path + "/data", 0o700)
        let file = try #require(fopen(folder.path + "/data/PG_VERSION", "w"))
        fputs("9\n", file)
        fclose(file)
        let error = await #expect(throws: ClusterError.self) {
            _ = try await PrivateCluster.start(directory: folder.path, lifetime: .endsWithOwner, durable: false)
        }
        #expect(error == .versionMissing(major: "9", folder: folder.path))
    }

    @Test func aServerThatCannotStartIsReportedWithItsReason() async throws {
        let folder = try TemporaryFolder()
        let programs = try #require(ServerPrograms.find(major: nil))
        _ = mkdir(folder.path + "/data", 0o700)
        let file = try #require(fopen(folder.path + "/data/PG_VERSION", "w"))
        fputs("\(programs.major)\n", file)
        fclose(file)
        let error = await #expect(throws: ClusterError.self) {
            _ = try await PrivateCluster.start(directory: folder.path, lifetime: .endsWithOwner, durable: false)
        }
        guard case .startFailed(folder.path, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("postgres"), "\(reason)")
    }

    /// The files that the process opens, also as root, in the folder of the server's account.
    private static let openedFiles = ["start.lock", "postgres.log"]

    /// Opens such a file.
    private static func descriptor(
        of name: String,
        in folder: TemporaryFolder,
        for account: ClusterAccount = .current
    ) throws -> Int32 {
        let cluster = try ClusterFolder(folder.path)
        return try name == "start.lock" ? cluster.openLock(for: account) : cluster.openLog(for: account)
    }

    private static func refusal(of name: String, in folder: TemporaryFolder) -> ClusterError {
        let reason = "\(name) is a link, no regular file, or of another user"
        return .folderNotWritable(folder: folder.path, reason: reason)
    }

    @Test(arguments: openedFiles, [true, false])
    func aLinkToAnotherFileIsNotOpened(name: String, isHard: Bool) throws {
        let folder = try TemporaryFolder()
        let (target, entry) = (folder.path + "/target", folder.path + "/" + name)
        fclose(fopen(target, "w"))
        try #require((isHard ? link(target, entry) : symlink(target, entry)) == 0)
        let error = #expect(throws: ClusterError.self) { try Self.descriptor(of: name, in: folder) }
        #expect(error == Self.refusal(of: name, in: folder))
    }

    @Test(arguments: openedFiles)
    func aLinkToNothingCreatesNoFile(name: String) throws {
        let folder = try TemporaryFolder()
        try #require(symlink(folder.path + "/target", folder.path + "/" + name) == 0)
        let error = #expect(throws: ClusterError.self) { try Self.descriptor(of: name, in: folder) }
        #expect(error == Self.refusal(of: name, in: folder))
        #expect(access(folder.path + "/target", F_OK) != 0)
    }

    @Test(arguments: openedFiles)
    func aFIFOIsNotOpened(name: String) throws {
        let folder = try TemporaryFolder()
        try #require(mkfifo(folder.path + "/" + name, 0o600) == 0)
        let error = #expect(throws: ClusterError.self) { try Self.descriptor(of: name, in: folder) }
        #expect(error == Self.refusal(of: name, in: folder))
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives a file to another user"), arguments: openedFiles)
    func onlyAFileOfTheAccountOrOfRootIsOpened(name: String) throws {
        let folder = try TemporaryFolder()
        let account = ClusterAccount.other(user: 4711, group: 4711, setpriv: "/usr/bin/setpriv")
        close(try Self.descriptor(of: name, in: folder, for: account))
        try #require(chown(folder.path + "/" + name, 4711, 4711) == 0)
        close(try Self.descriptor(of: name, in: folder, for: account))
        try #require(chown(folder.path + "/" + name, 4712, 4712) == 0)
        let error = #expect(throws: ClusterError.self) { try Self.descriptor(of: name, in: folder, for: account) }
        #expect(error == Self.refusal(of: name, in: folder))
    }

    @Test func aClusterWhoseLockIsALinkDoesNotStart() async throws {
        let folder = try TemporaryFolder()
        try #require(symlink(folder.path + "/target", folder.path + "/start.lock") == 0)
        let error = await #expect(throws: ClusterError.self) {
            _ = try await PrivateCluster.start(directory: folder.path, lifetime: .endsWithOwner, durable: false)
        }
        #expect(error == Self.refusal(of: "start.lock", in: folder))
        #expect(access(folder.path + "/target", F_OK) != 0)
    }

    @Test func everyErrorNamesARemedy() {
        #expect(ClusterError.programsMissing.description.contains("apt-get install postgresql"))
        #expect(ClusterError.accountMissing.description.contains("as an ordinary user"))
        #expect(ClusterError.inUse(folder: "/x").description.contains("/x is in use"))
    }
}

/// A folder for one test, removed at its end.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = "/tmp/pgt-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        guard mkdir(path, 0o755) == 0 else { throw FolderError(code: errno) }
    }

    deinit { _ = try? ServerProcess.run(["/bin/rm", "-rf", path]) }

    struct FolderError: Error { let code: Int32 }
}
