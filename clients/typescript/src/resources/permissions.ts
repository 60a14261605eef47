import type { Listing } from '../listing.js';
import { path } from '../transport.js';
import type { EffectivePermissions, HeldPermission, PermissionChange, WantedTerms, Wire } from '../wire.js';
import { Resource, type ChangeOptions, type ListOptions, type RequestOptions } from './resource.js';

/** Which agent may use which tool. */
export class Permissions extends Resource {
  /** The effective permissions of an agent, with their sources. */
  get(agent: string, { signal }: RequestOptions = {}): Promise<EffectivePermissions> {
    return this.answer({ path: path`/api/v1/agents/${agent}/permissions`, signal });
  }

  /** Grants a tool, possibly with terms such as `requires_approval`. */
  grant(agent: string, tool: string, terms: WantedTerms = {}, options: ChangeOptions = {}): Promise<HeldPermission> {
    return this.#set(agent, tool, { ...terms, allowed: true }, options);
  }

  /** Refuses a tool, also if a group of the agent has it. */
  refuse(agent: string, tool: string, options: ChangeOptions = {}): Promise<HeldPermission> {
    return this.#set(agent, tool, { allowed: false }, options);
  }

  /** Removes a grant or a refusal. */
  async clear(agent: string, tool: string, { reason, signal }: ChangeOptions = {}): Promise<void> {
    await this.answer({ method: 'DELETE', path: path`/api/v1/permissions/${agent}/${tool}`, query: { reason }, signal });
  }

  /** The history of changes, newest first. */
  changes(
    options: ListOptions & {
      agent_id?: string | undefined;
      tool_name?: string | undefined;
      group_id?: string | undefined;
      changed_by?: string | undefined;
      start_date?: string | undefined;
      end_date?: string | undefined;
    } = {},
  ): Listing<PermissionChange> {
    return this.listing('/api/v1/permissions/changes', options);
  }

  /** Why a call would be allowed or refused, rule by rule. */
  explain(request: Wire['ExplainRequest'], { signal }: RequestOptions = {}): Promise<Wire['Explanation']> {
    return this.answer({ method: 'POST', path: '/api/v1/permissions/explain', body: request, repeatable: true, signal });
  }

  #set(agent: string, tool: string, wanted: object, { reason, signal }: ChangeOptions): Promise<HeldPermission> {
    return this.answer({ method: 'PUT', path: path`/api/v1/permissions/${agent}/${tool}`, body: { ...wanted, reason }, signal });
  }
}
