import { answer, api } from '../../api/client';
import { t } from '../../strings';

/** The agent of the demonstration; removing it removes the demonstration. */
export const DEMONSTRATION_AGENT = 'demo';

function call(tool: string, operation: string, parameters: Record<string, unknown>) {
  return api.POST('/api/v1/tools/execute', {
    headers: { Prefer: 'respond-async' },
    body: {
      request_id: `demonstration-${Date.now()}-${tool}`,
      agent_id: DEMONSTRATION_AGENT,
      tool_name: tool,
      operation,
      parameters,
    },
  });
}

/** Makes an agent, lets it make an allowed and a denied call, and one that waits for an answer. */
export async function runDemonstration(): Promise<void> {
  await answer(
    api.POST('/api/v1/agents', {
      body: { agent_id: DEMONSTRATION_AGENT, name: t.firstSteps.agent, reason: t.firstSteps.reason },
    }),
  );
  await answer(
    api.POST('/api/v1/permissions/bulk', {
      body: {
        reason: t.firstSteps.reason,
        changes: [
          { agent_id: DEMONSTRATION_AGENT, tool_name: 'file_list', allowed: true },
          { agent_id: DEMONSTRATION_AGENT, tool_name: 'file_write', allowed: true, requires_approval: true },
        ],
      },
    }),
  );
  await call('file_list', 'list', { path: '.' });
  await call('bash', 'run', { command: 'ls' });
  await call('file_write', 'write', { path: 'hello.txt', content: t.firstSteps.content });
}
