import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the server got. */
export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: unknown;
  at: number;
}

/** A real HTTP server on loopback that keeps what it got. */
export interface LocalServer {
  url: string;
  received: Received[];
}

/** Starts a server, which the test closes at its end. */
export async function localServer(
  test: { after(close: () => Promise<unknown>): void },
  answer: (request: Received, response: ServerResponse, incoming: IncomingMessage) => void,
): Promise<LocalServer> {
  const received: Received[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) {
      chunks.push(chunk as Buffer);
    }
    const text = Buffer.concat(chunks).toString();
    const request = {
      method: incoming.method!,
      url: incoming.url!,
      headers: incoming.headers,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
      at: performance.now(),
    };
    received.push(request);
    answer(request, response, incoming);
  });
  server.keepAliveTimeout = 0; // a busy machine may be slower than the five seconds that it has by default
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test.after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** An address at which no server listens. */
export async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

/** Answers with JSON. */
export function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** The answer to an allowed call. */
export function allowed(request: Received, data = 'done'): object {
  const { request_id } = request.body as { request_id: string };
  return { status: 'allowed', request_id, result: { success: true, data }, logged: true };
}

/** An error body of the gate. */
export function error(code: string, retryable: boolean): { error: { code: string } } {
  const fields = { code, message: `It is ${code}.`, remediation: 'Do something.', retryable, correlation_id: 'c-1' };
  return { error: fields };
}
