// Operators and app developers read the API in a browser without any other host: one page from openapi.yaml.

import Mustache
import ScoreTypes

/// The page that shows routes, parameters, bodies, answers, schemas and examples.
///
/// Mustache escapes every value. The page runs no script.
struct DescriptionPage: Sendable {
    private let library: MustacheLibrary
    private let schemas: SchemaText
    private let examples: SchemaExample
    private let description: APIDescription

    init(_ description: APIDescription) throws {
        self.description = description
        schemas = SchemaText(description: description)
        examples = SchemaExample(description: description)
        var library = MustacheLibrary()
        for (name, text) in [("page", Self.text), ("type", Self.typeText), ("body", Self.bodyText)] {
            try library.register(text, named: name)
        }
        self.library = library
    }

    /// The page as HTML.
    func html(nonce: String) -> String {
        let info = description.document.member("info")
        let operations = description.operations
        let tags = (description.document.member("tags")?.asElements ?? []).map { tag -> [String: Any] in
            let name = Self.text(tag, "name")
            let own = operations.filter { $0.value.member("tags")?.asElements?.first?.asText == name }
            return [
                "tag": name, "purpose": Self.text(tag, "description"), "operations": own.map { context(of: $0) },
            ]
        }
        let page: [String: Any] = [
            "nonce": nonce, "title": Self.text(info, "title"), "summary": Self.text(info, "summary"),
            "introduction": Self.text(info, "description"), "tags": tags,
            "credentials": components("securitySchemes").map { scheme in
                ["credential": scheme.name, "purpose": Self.text(scheme.value, "description")]
            },
            "headers": components("headers").map { headerContext($0.name, $0.value) },
            "schemas": components("schemas").map { schema in
                bodyContext(schema.value).merging(["schema": schema.name]) { $1 }
            },
        ]
        return library.render(page, withTemplate: "page") ?? ""
    }

    /// The content security policy: only the page's own style, and no request.
    static func policy(nonce: String) -> String {
        "default-src 'none'; style-src 'nonce-\(nonce)'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    }

    private func components(_ kind: String) -> [JSONValue.Member] {
        description.document.member("components")?.member(kind)?.asMembers ?? []
    }

    private func context(of operation: APIDescription.Operation) -> [String: Any] {
        let parameters = description.parameters(of: operation).map { parameter in
            rowContext(
                Self.text(parameter, "name"),
                isRequired: parameter.member("required") == .bool(true),
                schemas.type(of: parameter.member("schema") ?? .null),
                Self.text(parameter, "description")
            ).merging(["place": Self.text(parameter, "in")]) { $1 }
        }
        let body = operation.value.member("requestBody")
        return [
            "id": Self.text(operation.value, "operationId"), "method": operation.method, "path": operation.path,
            "summary": Self.text(operation.value, "summary"), "details": Self.text(operation.value, "description"),
            "listener": operation.path.hasPrefix("/v1/") ? "public" : "internal",
            "credential": Self.credential(operation.value.member("security")),
            "parameters": parameters.isEmpty ? [] : [["rows": parameters]],
            "bodies": contents(of: body),
            "bodyNote": Self.text(body, "description"),
            "answers": (operation.value.member("responses")?.asMembers ?? []).map { answerContext($0) },
        ]
    }

    private func answerContext(_ answer: JSONValue.Member) -> [String: Any] {
        let response = description.resolved(answer.value) ?? .null
        // Problems are alike; their text and their headers are shown once, below the headers and the schemas.
        let isShared = APIDescription.referencedName(answer.value) != nil
        let headers = isShared ? [] : response.member("headers")?.asMembers ?? []
        return [
            "status": answer.name, "purpose": isShared ? "" : Self.text(response, "description"),
            "bodies": contents(of: response), "headers": headers.map { headerContext($0.name, $0.value) },
        ]
    }

    private func headerContext(_ name: String, _ value: JSONValue) -> [String: Any] {
        let header = description.resolved(value)
        return [
            "header": name, "type": parts(schemas.type(of: header?.member("schema") ?? .null)),
            "meaning": Self.text(header, "description"),
        ]
    }

    private func contents(of value: JSONValue?) -> [[String: Any]] {
        (value?.member("content")?.asMembers ?? []).map { content in
            bodyContext(content.value.member("schema") ?? .null).merging(["media": content.name]) { $1 }
        }
    }

    private func bodyContext(_ schema: JSONValue) -> [String: Any] {
        let example = examples.value(of: schema)
        let isCollection = example.asMembers != nil || example.asElements != nil
        return [
            "type": parts(schemas.type(of: schema)), "note": Self.text(schema, "description"),
            "rows": schemas.rows(of: schema).map {
                rowContext($0.name, isRequired: $0.isRequired, $0.type, $0.description)
            },
            "examples": isCollection ? [SchemaExample.indented(example)] : [],
        ]
    }

    private func rowContext(
        _ name: String,
        isRequired: Bool,
        _ type: [SchemaText.Part],
        _ meaning: String
    ) -> [String: Any] {
        ["name": name, "required": isRequired ? "required" : "", "type": parts(type), "meaning": meaning]
    }

    private func parts(_ type: [SchemaText.Part]) -> [[String: Any]] {
        type.map { part in ["text": part.text, "links": part.schema.map { [["target": $0]] } ?? []] }
    }

    private static func text(_ value: JSONValue?, _ name: String) -> String {
        value?.member(name)?.plainText ?? ""
    }

    /// The names of the credentials; one of them is required.
    private static func credential(_ security: JSONValue?) -> String {
        let names = (security?.asElements ?? []).map { $0.asMembers?.first?.name ?? "none" }
        return names.isEmpty ? "none" : names.joined(separator: " or ")
    }
}
