import { serverEvents, streamCut } from '../events.js';
import type { Listing } from '../listing.js';
import { path } from '../transport.js';
import type { Approval, ApprovalAnswer, ApprovalScope, StandingApproval, Wire } from '../wire.js';
import { Resource, type ChangeOptions, type ListOptions, type RequestOptions } from './resource.js';

/** A request for an approval, or the answer to one; a newer gate may send other events. */
export interface ApprovalEvent {
  readonly event: Exclude<Wire['ApprovalStreamEvent']['event'], 'cut'> | (string & {});
  readonly approval: Approval;
}

/** The options of an approval. */
export interface ApproveOptions extends ChangeOptions {
  /** This call only if left out. */
  scope?: ApprovalScope | undefined;
  /** When an approval for a session or an agent ends. */
  expiresAt?: string | undefined;
}

/** Held calls and the answers to them. */
export class Approvals extends Resource {
  list(
    options: ListOptions & {
      state?: Wire['ApprovalState'] | undefined;
      agent_id?: string | undefined;
      tool_name?: string | undefined;
    } = {},
  ): Listing<Approval> {
    return this.listing('/api/v1/approvals', options);
  }

  get(approval: string, { signal }: RequestOptions = {}): Promise<Approval> {
    return this.answer({ path: path`/api/v1/approvals/${approval}`, signal });
  }

  approve(approval: string, { reason, scope, expiresAt, signal }: ApproveOptions = {}): Promise<Approval> {
    return this.#respond(approval, { approved: true, reason: reason ?? null, scope: scope ?? null, expires_at: expiresAt ?? null }, signal);
  }

  deny(approval: string, { reason, signal }: ChangeOptions = {}): Promise<Approval> {
    return this.#respond(approval, { approved: false, reason: reason ?? null }, signal);
  }

  /**
   * The requests that wait, then requests and answers as they come, until the loop is left, the signal aborts or the gate
   * ends the stream.
   */
  async *stream({ signal }: RequestOptions = {}): AsyncGenerator<ApprovalEvent, void, undefined> {
    const response = await this.transport.open({
      path: '/api/v1/approvals/stream',
      headers: { Accept: 'text/event-stream' },
      signal,
    });
    try {
      // The stream is open by now, so that no request is missed between the list and the stream.
      const listed = new Set<string>();
      for await (const approval of this.list({ state: 'pending', signal })) {
        listed.add(approval.approval_id);
        yield { event: 'opened', approval };
      }
      for await (const { event, data } of serverEvents(response, signal)) {
        if (event === 'cut') {
          throw streamCut();
        }
        const approval = JSON.parse(data) as Approval;
        if (event !== 'opened' || !listed.delete(approval.approval_id)) {
          yield { event, approval };
        }
      }
    } finally {
      if (response.body && !response.body.locked) {
        await response.body.cancel();
      }
    }
  }

  /** Approvals that hold for further calls. */
  standing(options: ListOptions = {}): Listing<StandingApproval> {
    return this.listing('/api/v1/approvals/standing', options);
  }

  async revokeStanding(standing: string, { reason, signal }: ChangeOptions = {}): Promise<void> {
    await this.answer({ method: 'DELETE', path: path`/api/v1/approvals/standing/${standing}`, query: { reason }, signal });
  }

  #respond(approval: string, body: ApprovalAnswer, signal: AbortSignal | undefined): Promise<Approval> {
    return this.answer({ method: 'POST', path: path`/api/v1/approvals/${approval}`, body, signal });
  }
}
