import type { WantedTerms } from '@toolgate/client';
import { AiSdkGate, registerTools, type AiSdkGateOptions } from '@toolgate/integrations/ai-sdk';
import { tool, type ToolSet } from 'ai';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { admin, agentWith } from '../../../clients/typescript/test/gate/setup.ts';

/** A tool that counts and keeps what it ran with; by default it says where it deployed to. */
export function deployment(does: (host: string, signal: AbortSignal | undefined) => unknown = (host) => `Deployed to ${host}`) {
  const hosts: string[] = [];
  const deploy = tool({
    description: 'Deploys the services to a host.',
    inputSchema: z.object({ host: z.string() }),
    execute: async ({ host }, { abortSignal }) => {
      hosts.push(host);
      return does(host, abortSignal);
    },
  });
  return { hosts, deploy };
}

/** Registers tools under names of their own, and grants them to a new agent where terms are given. */
export async function underGate<TOOLS extends ToolSet>(
  tools: TOOLS,
  grants: { [name in keyof TOOLS]?: WantedTerms },
  options: AiSdkGateOptions = {},
) {
  const mark = randomUUID();
  const toolName = (name: string): string => `${name}:${mark}`;
  await registerTools(admin, tools, { toolName, capability: 'Deploy.Run' });
  const named = Object.fromEntries(Object.entries(grants).map(([name, terms]) => [toolName(name), terms as WantedTerms]));
  const { id, key, gate: client } = await agentWith(named);
  const gate = new AiSdkGate(client, { toolName, ...options });
  return { id, key, client, toolName, gate, tools: gate.wrap(tools) };
}
