// The template of the page that shows the API.

extension DescriptionPage {
    static let text = """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>{{title}}: HTTP API</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <style nonce="{{nonce}}">
        :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
        body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; }
        h2 { margin-top: 2.5rem; border-bottom: 2px solid #8888; }
        article { margin: 1.5rem 0; padding: .2rem 1rem; border: 1px solid #8886; border-radius: .4rem; }
        article:target { border-color: #36c; }
        table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; }
        th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #8884; }
        td:first-child { white-space: nowrap; }
        code, pre { font: 13px/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
        pre { background: #8881; padding: .6rem; overflow-x: auto; overflow-wrap: normal; }
        .meta { color: #777; }
        nav li { list-style: none; }
        </style></head><body>
        <h1>{{title}}: HTTP API</h1>
        <p>{{summary}} {{introduction}}</p>
        <nav>
        {{#tags}}<h3><a href="#tag-{{tag}}">{{tag}}</a></h3>
        <ul>{{#operations}}<li><a href="#{{id}}"><code>{{method}} {{path}}</code></a> {{summary}}</li>
        {{/operations}}</ul>{{/tags}}
        <h3><a href="#credentials">Credentials</a>, <a href="#headers">headers</a>, <a href="#schemas">schemas</a></h3>
        <p>{{#schemas}}<a href="#schema-{{schema}}">{{schema}}</a> {{/schemas}}</p>
        </nav>
        <main>
        {{#tags}}<h2 id="tag-{{tag}}">{{tag}}</h2>
        <p>{{purpose}}</p>
        {{#operations}}<article id="{{id}}">
        <h3><code>{{method}} {{path}}</code></h3>
        <p>{{summary}} {{details}}</p>
        <p class="meta">Listener: {{listener}}. Credential: {{credential}}.</p>
        {{#parameters}}<table><thead><tr><th>Parameter</th><th>In</th><th>Type</th><th>Meaning</th></tr></thead><tbody>
        {{#rows}}<tr><td><code>{{name}}</code> <span class="meta">{{required}}</span></td><td>{{place}}</td>\
        <td>{{> type}}</td><td>{{meaning}}</td></tr>
        {{/rows}}</tbody></table>{{/parameters}}
        {{#bodies}}<h4>Body: <code>{{media}}</code></h4><p>{{bodyNote}}</p>{{> body}}{{/bodies}}
        <table><thead><tr><th>Status</th><th>Answer</th></tr></thead><tbody>
        {{#answers}}<tr><td>{{status}}</td><td>{{purpose}}
        {{#headers}}<br><code>{{header}}</code>: {{> type}} {{meaning}}{{/headers}}
        {{#bodies}}<br><code>{{media}}</code>: {{> type}}{{/bodies}}</td></tr>
        {{/answers}}</tbody></table>
        </article>
        {{/operations}}{{/tags}}
        <h2 id="credentials">Credentials</h2>
        <table><tbody>
        {{#credentials}}<tr><td><code>{{credential}}</code></td><td>{{purpose}}</td></tr>
        {{/credentials}}</tbody></table>
        <h2 id="headers">Headers of answers</h2>
        <table><tbody>
        {{#headers}}<tr><td><code>{{header}}</code></td><td>{{> type}}</td><td>{{meaning}}</td></tr>
        {{/headers}}</tbody></table>
        <h2 id="schemas">Schemas</h2>
        {{#schemas}}<article id="schema-{{schema}}">
        <h3>{{schema}}</h3>
        <p>{{note}}</p>{{> body}}
        </article>
        {{/schemas}}
        </main></body></html>
        """

    /// A type, whose schemas are links.
    static let typeText = """
        {{#type}}{{#links}}<a href="#schema-{{target}}">{{text}}</a>{{/links}}{{^links}}{{text}}{{/links}}{{/type}}
        """

    /// A body: its type, its members and an example.
    static let bodyText = """
        <p>{{> type}}</p>
        <table><tbody>
        {{#rows}}<tr><td><code>{{name}}</code> <span class="meta">{{required}}</span></td><td>{{> type}}</td>\
        <td>{{meaning}}</td></tr>
        {{/rows}}</tbody></table>
        {{#examples}}<pre>{{.}}</pre>{{/examples}}
        """
}
