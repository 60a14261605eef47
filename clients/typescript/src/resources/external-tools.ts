import { path } from '../transport.js';
import type { ExternalTool, ExternalToolDefinition } from '../wire.js';
import { Resource, type ChangeOptions, type RequestOptions } from './resource.js';

/** Tools that their callers run with a permit of the gate. */
export class ExternalTools extends Resource {
  list({ signal }: RequestOptions = {}): Promise<ExternalTool[]> {
    return this.answer({ path: '/api/v1/tools/external', signal });
  }

  get(tool: string, { signal }: RequestOptions = {}): Promise<ExternalTool> {
    return this.answer({ path: path`/api/v1/tools/external/${tool}`, signal });
  }

  /** Registers a tool, or changes it. */
  register(tool: string, definition: ExternalToolDefinition, { signal }: RequestOptions = {}): Promise<ExternalTool> {
    return this.answer({ method: 'PUT', path: path`/api/v1/tools/external/${tool}`, body: definition, signal });
  }

  async remove(tool: string, { reason, signal }: ChangeOptions = {}): Promise<void> {
    await this.answer({ method: 'DELETE', path: path`/api/v1/tools/external/${tool}`, query: { reason }, signal });
  }
}
