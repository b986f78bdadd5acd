// A key file that every user can read is refused.

internal import Glibc

extension SigningKey {
    /// Reads Apple's `.p8` file: a regular file (or a link to one) that only its owner can read.
    ///
    /// Its group may read it when another user owns it: a credential of systemd and a secret of Kubernetes belong to
    /// root, and the server reads them as a member of their group.
    ///
    /// - Throws: `SigningError` if the file cannot be read, has open permissions, or holds no key on P-256.
    public convenience init(contentsOfFile path: String) throws(SigningError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path: path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path: path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notARegularFile(path: path) }
        let others = status.st_uid == geteuid() ? S_IRGRP | S_IROTH : S_IROTH
        guard status.st_mode & others == 0 else { throw .readableByOthers(path: path) }
        guard status.st_size <= PushLimits.keyFileBytes else { throw .tooLong(path: path) }
        var content = [UInt8](repeating: 0, count: PushLimits.keyFileBytes)
        let count = read(descriptor, &content, content.count)
        guard count > 0 else { throw .unreadable(path: path) }
        try self.init(pem: Array(content.prefix(count)))
    }
}
