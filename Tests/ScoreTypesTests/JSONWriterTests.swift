import ScoreTypes
import Testing

@Suite struct JSONWriterTests {
    @Test func theWriterNestsAndSeparates() {
        let bytes = JSONWriter.document { json in
            json.field("a", 1)
            json.key("b")
            json.array { list in
                list.integer(1)
                list.object { $0.field("c", true) }
                list.array { _ in }
            }
            json.field("d", ifPresent: nil)
            json.field("e", ifPresent: "x")
            json.key("f")
            json.null()
        }
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"a":1,"b":[1,{"c":true},[]],"e":"x","f":null}"#)
    }

    @Test func lineBreaksAreEscaped() {
        let bytes = JSONWriter.document { $0.field("k", "a\"b\\c\n\u{0}é🏏") }
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"k":"a\"b\\c\u000a\u0000é🏏"}"#)
    }
}
