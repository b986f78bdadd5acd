// The subset of YAML in which openapi.yaml is written is read as YAML defines it, and anything else is an error.

import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct YAMLReaderTests {
    private func read(_ text: String) throws -> JSONValue { try YAMLReader.read(Array(text.utf8)) }

    @Test(arguments: [
        ("a: 1\nb: text # note\nc:\n", #"{"a":1,"b":"text","c":null}"#),
        ("# note\na:\n  - x\n  - b: true\n    c: 1.5\n", #"{"a":["x",{"b":true,"c":1.5}]}"#),
        ("a:\n- x\n- 'y'''\n", #"{"a":["x","y'"]}"#),
        ("a: >-\n  one\n  two\n\n  three\nb: |\n  1\n    2\n", #"{"a":"one two\nthree","b":"1\n  2\n"}"#),
        ("a: {b: [], c: {}, 'd': \"e\\\"\", f: g h}\n", #"{"a":{"b":[],"c":{},"d":"e\"","f":"g h"}}"#),
        ("a: {$ref: '#/j', k: -}\n", ##"{"a":{"$ref":"#/j","k":"-"}}"##),
        ("a: [1,\n  2]\n'200': one\n  two\n", #"{"a":[1,2],"200":"one two"}"#),
        ("a:\n  [\n    x, y,\n  ]\nb: {c: 1}\n", #"{"a":["x","y"],"b":{"c":1}}"#),
        ("a: http://x/y\nb: 1.2.3\n", #"{"a":"http://x/y","b":"1.2.3"}"#),
        ("a: \"1\"\nb: 'true'\nc: ~\n", #"{"a":"1","b":"true","c":null}"#),
    ])
    func theSubsetIsRead(text: String, json: String) throws {
        #expect(try read(text) == JSONValue(parsing: Array(json.utf8)))
    }

    @Test(arguments: [
        ("a: 1\na: 2\n", 2), ("a:\n  b: 1\n    c: 2\n", 3), ("a: {b\n", 1), ("a: 'b\n", 1), ("a\n", 1),
        ("a: >+\n  b\n", 1), ("a: >-\n  b\n    c\n", 3), ("a: {} b\n", 1), ("a: {b: c, d}\n", 1),
        ("a:\n  - b\n c\n", 3),
    ])
    func anErrorNamesItsLine(text: String, line: Int) throws {
        let error = #expect(throws: YAMLSyntaxError.self) { try read(text) }
        #expect(error?.line == line)
    }
}
