import { quoted } from '../../ui/Command';
import { t } from '../../strings';

interface Snippet {
  id: string;
  name: string;
  where: string;
  text: string;
}

/** The snippets to paste, for each client and language. */
export function snippets(key: string, agent: string): Snippet[] {
  const origin = window.location.origin;
  const url = `${origin}/mcp`;
  const authorization = `Bearer ${key}`;
  const entry = { type: 'http', url, headers: { Authorization: authorization } };
  const call = {
    request_id: 'first-call-1',
    agent_id: agent,
    tool_name: 'file_list',
    operation: 'list',
    parameters: { path: '.' },
  };
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      where: t.connect.terminal,
      text: `claude mcp add --scope user --transport http toolgate ${quoted(url)} --header ${quoted(`Authorization: ${authorization}`)}`,
    },
    {
      id: 'vscode',
      name: 'VS Code',
      where: t.connect.terminal,
      text: `code --add-mcp ${quoted(JSON.stringify({ name: 'toolgate', ...entry }))}`,
    },
    {
      id: 'cursor',
      name: 'Cursor',
      where: t.connect.file('~/.cursor/mcp.json'),
      text: JSON.stringify({ mcpServers: { toolgate: { url, headers: entry.headers } } }, null, 2),
    },
    {
      id: 'codex',
      name: 'Codex',
      where: t.connect.file('~/.codex/config.toml'),
      text: `[mcp_servers.toolgate]\nurl = ${JSON.stringify(url)}\nhttp_headers = { Authorization = ${JSON.stringify(authorization)} }`,
    },
    {
      id: 'curl',
      name: 'curl',
      where: t.connect.terminal,
      text: `curl -sS -H ${quoted(`Authorization: ${authorization}`)} -H 'Content-Type: application/json' ${quoted(`${origin}/api/v1/tools/execute`)} -d ${quoted(JSON.stringify(call))}`,
    },
    {
      id: 'python',
      name: 'Python',
      where: t.connect.program,
      text: `import json, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(`${origin}/api/v1/tools/execute`)},
    json.dumps(${JSON.stringify(call)}).encode(),
    {"Authorization": ${JSON.stringify(authorization)}, "Content-Type": "application/json"},
)
print(json.load(urllib.request.urlopen(request)))`,
    },
    {
      id: 'typescript',
      name: 'TypeScript',
      where: t.connect.program,
      text: `const answer = await fetch(${JSON.stringify(`${origin}/api/v1/tools/execute`)}, {
  method: 'POST',
  headers: { Authorization: ${JSON.stringify(authorization)}, 'Content-Type': 'application/json' },
  body: JSON.stringify(${JSON.stringify(call)}),
});
console.log(await answer.json());`,
    },
    {
      id: 'java',
      name: 'Java',
      where: t.connect.program,
      text: `var request = HttpRequest.newBuilder(URI.create(${JSON.stringify(`${origin}/api/v1/tools/execute`)}))
    .header("Authorization", ${JSON.stringify(authorization)})
    .header("Content-Type", "application/json")
    .POST(BodyPublishers.ofString("""
        ${JSON.stringify(call)}"""))
    .build();
System.out.println(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body());`,
    },
  ];
}
