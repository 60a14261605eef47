import type { Listing } from '../listing.js';
import { path } from '../transport.js';
import type { Agent, AgentPatch, NewAgent } from '../wire.js';
import { Resource, type ChangeOptions, type ListOptions, type RequestOptions } from './resource.js';

/** Agents. */
export class Agents extends Resource {
  /** All agents, or those whose id or name contains a text. */
  list(options: ListOptions & { q?: string | undefined } = {}): Listing<Agent> {
    return this.listing('/api/v1/agents', options);
  }

  get(agent: string, { signal }: RequestOptions = {}): Promise<Agent> {
    return this.answer({ path: path`/api/v1/agents/${agent}`, signal });
  }

  create(agent: NewAgent, { signal }: RequestOptions = {}): Promise<Agent> {
    return this.answer({ method: 'POST', path: '/api/v1/agents', body: agent, signal });
  }

  update(agent: string, patch: AgentPatch, { reason, signal }: ChangeOptions = {}): Promise<Agent> {
    return this.answer({ method: 'PATCH', path: path`/api/v1/agents/${agent}`, query: { reason }, body: patch, signal });
  }

  async delete(agent: string, { reason, signal }: ChangeOptions = {}): Promise<void> {
    await this.answer({ method: 'DELETE', path: path`/api/v1/agents/${agent}`, query: { reason }, signal });
  }

  /** Grants the tools of a template. */
  applyTemplate(
    agent: string,
    template: string,
    { signal }: RequestOptions = {},
  ): Promise<{ agent_id: string; template_id: string; added: unknown }> {
    return this.answer({ method: 'POST', path: path`/api/v1/agents/${agent}/template`, body: { template }, signal });
  }
}
