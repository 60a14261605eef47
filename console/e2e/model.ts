import { createServer, type Server, type ServerResponse } from 'node:http';

/** What the model says to the newest message: lines in Ollama's format, or nothing more until it is cut off. */
export type Saying = (out: Talk, messages: { role: string; content: string }[]) => void;

/** One answer of the model as it is sent. */
export class Talk {
  constructor(private readonly response: ServerResponse) {}

  says(message: Record<string, unknown>): this {
    this.response.write(`${JSON.stringify({ model: 'scripted', message: { role: 'assistant', content: '', ...message }, done: false })}\n`);
    return this;
  }

  calls(id: string, name: string, args: Record<string, unknown>): this {
    return this.says({ tool_calls: [{ id, function: { name, arguments: args } }] });
  }

  ends(): void {
    const done = { model: 'scripted', message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' };
    this.response.end(`${JSON.stringify({ ...done, prompt_eval_count: 1200, eval_count: 34 })}\n`);
  }

  whenGone(tell: () => void): void {
    this.response.on('close', tell);
  }
}

/** A model that says what a test wants, at the address that the server of the tests was given. */
export class ScriptedModel {
  private saying: Saying = (out) => out.ends();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        if (request.url === '/api/tags') {
          response.setHeader('Content-Type', 'application/json');
          response.end(JSON.stringify({ models: [{ name: 'scripted', model: 'scripted' }] }));
          return;
        }
        response.setHeader('Content-Type', 'application/x-ndjson');
        this.saying(new Talk(response), (JSON.parse(body) as { messages: { role: string; content: string }[] }).messages);
      });
    });
  }

  static async start(): Promise<ScriptedModel> {
    const model = new ScriptedModel();
    await new Promise<void>((up) => model.server.listen(Number(process.env['MODEL_PORT'] ?? 11434), '127.0.0.1', up));
    return model;
  }

  does(saying: Saying): void {
    this.saying = saying;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
