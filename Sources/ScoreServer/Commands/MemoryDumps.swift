// The memory of a node has the signing key, credentials and tokens: no file and no other process may get them.

import CLinux
import Glibc

/// Dumps of this process's memory.
enum MemoryDumps {
    /// Forbids them, and that other processes of the same user read the memory; false when the system refuses.
    static func forbid() -> Bool {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        let isLimited = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0
        return forbid_memory_dumps() == 0 && isLimited
    }
}
