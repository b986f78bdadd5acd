// libFuzzer calls this with bytes of its own making; FUZZ_PROVIDER says whose adapter reads them.

import AdapterProbes
import Foundation
import Providers
import ScoreTypes

private let adapter: any Adapter = {
    let word = ProcessInfo.processInfo.environment["FUZZ_PROVIDER"] ?? ""
    guard let provider = Provider(rawValue: word) else {
        fatalError("FUZZ_PROVIDER must name a provider, and is \"\(word)\"")
    }
    return AdapterRegistry.adapter(for: provider)
}()

/// Reads one input; anything but a picture or a refusal ends the process, and libFuzzer keeps the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
    // As if other replies had come before: the same but for some of their numbers.
    let before = bytes.map { $0 == UInt8(ascii: "4") ? UInt8(ascii: "1") : $0 }
    let faults = AdapterProbe.faults(
        of: AdapterProbe.replies(bytes),
        read: adapter,
        after: AdapterProbe.replies(before)
    )
    if !faults.isEmpty { fatalError(faults.joined(separator: ", ")) }
    return 0
}
