// Gives app developers the contracts as files: JSON Schema for checking, TypeScript for Expo apps.

import ArgumentParser
import Foundation
import MatchEngine

/// Prints or writes the schemas of what phones decode.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema or TypeScript types of what phones decode, or write them to a folder."
    )

    @Option(help: "content-state or snapshot; both when left out.")
    var kind: String?

    @Flag(name: .customLong("typescript"), help: "TypeScript declarations in place of JSON Schema.")
    var isTypeScript = false

    @Option(help: "Folder to write to; with it all forms are written and nothing is printed.")
    var write: String?

    func validate() throws {
        guard let kind, ContractSchema(rawValue: kind) == nil else { return }
        let words = ContractSchema.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--kind must be one of \(words).")
    }

    func run() throws {
        let contracts = kind.flatMap(ContractSchema.init).map { [$0] } ?? ContractSchema.allCases
        guard let write else {
            for contract in contracts {
                let bytes = isTypeScript ? Array(contract.typeScript().utf8) : contract.jsonSchema()
                print(String(decoding: bytes, as: UTF8.self), terminator: "")
            }
            return
        }
        let folder = URL(fileURLWithPath: write)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for contract in contracts {
            let schema = folder.appendingPathComponent("\(contract.rawValue).schema.json")
            try Data(contract.jsonSchema()).write(to: schema, options: .atomic)
            let types = folder.appendingPathComponent("\(contract.rawValue).d.ts")
            try Data(contract.typeScript().utf8).write(to: types, options: .atomic)
        }
    }
}
