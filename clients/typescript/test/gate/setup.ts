// The tests of this folder need a gate: TOOLGATE_URL is its address and TOOLGATE_KEY the key of an admin.
import { Toolgate, type Approval, type AuditLog, type WantedTerms } from '@toolgate/client';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

export const url = process.env['TOOLGATE_URL'] ?? assert.fail('TOOLGATE_URL is not set');
export const admin = new Toolgate();

/** An agent with grants, and a client with its own key. */
export async function agentWith(grants: Record<string, WantedTerms>): Promise<{ id: string; key: string; gate: Toolgate }> {
  const id = `agent-${randomUUID()}`;
  await admin.agents.create({ agent_id: id });
  for (const [tool, terms] of Object.entries(grants)) {
    await admin.permissions.grant(id, tool, terms);
  }
  const { key } = await admin.keys.create({ role: 'agent', agent_id: id });
  return { id, key, gate: new Toolgate({ key, agent: id }) };
}

/** A session of an agent with these capabilities only. */
export async function sessionOf(
  agent: string,
  capabilities: { name: string; requiresApproval?: boolean }[],
  sessionId: string = randomUUID(),
): Promise<string> {
  await admin.sessions.create({
    agent_id: agent,
    policy_bundle: {
      policyBundleVersion: '1',
      schemaVersion: '1.0',
      tenantId: 'default',
      userId: 'ada',
      sessionId,
      expiresAt: '2099-01-01T00:00:00Z',
      capabilities,
    },
  });
  return sessionId;
}

/** A tool that is run by its callers. */
export async function externalTool(): Promise<string> {
  const name = `deploy_${randomUUID().replaceAll('-', '')}`;
  const schema = { type: 'object', properties: { host: { type: 'string' } }, required: ['host'] };
  await admin.externalTools.register(name, { description: 'Deploys.', input_schema: schema, capability: 'Deploy.Run', danger: 'dangerous' });
  return name;
}

/** Answers the next request of an agent, whether it was made before or is made later. */
export async function answerNext(agent: string, approved: boolean, reason: string): Promise<Approval> {
  for await (const { event, approval } of admin.approvals.stream()) {
    if (event === 'opened' && approval.agent_id === agent) {
      return approved ? admin.approvals.approve(approval.approval_id, { reason }) : admin.approvals.deny(approval.approval_id, { reason });
    }
  }
  throw new Error('The stream ended.');
}

/** The records of an agent's calls, oldest first. */
export function records(agent: string): Promise<AuditLog[]> {
  return admin.audit.list({ agent_id: agent, kind: 'call', order: 'asc' }).all();
}

/** Asks until there is an answer. */
export async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + 60_000; ; await pause(200)) {
    const answer = await ask();
    if (answer !== undefined) {
      return answer;
    }
    assert.ok(Date.now() < end, 'it did not happen within a minute');
  }
}
