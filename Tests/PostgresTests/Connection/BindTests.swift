import Postgres
import ScoreTypes
import Testing

@Suite struct BindTests {
    @Test func aBindDoesNotPrintItsValue() throws {
        struct Call {
            let binds: [Bind]
        }
        let secret = "hunter-2"
        let call = Call(binds: [
            .text(secret), .bytes(Array(secret.utf8)), .texts([secret]), .bytesArray([Array(secret.utf8)]),
            .json(Array(secret.utf8)), .optionalTexts([secret, nil]), .int(7_777),
        ])
        var dumped = ""
        dump(call, to: &dumped)
        for text in ["\(call)", String(reflecting: call.binds), dumped] {
            // The first byte as a number of its own: the description of a local type has an address.
            #expect(!text.contains(secret) && !text.contains(#/\b104\b/#) && !text.contains("7777"))
        }
        #expect("\(call.binds[1]), \(call.binds[6])" == "type 17, type 20")
    }
}
