import { MockToolgate } from '@toolgate/client/testing';
import { AiSdkGate } from '@toolgate/integrations/ai-sdk';
import { generateText, isStepCount, tool } from 'ai';
import { z } from 'zod';

const tools = {
  deploy: tool({
    description: 'Deploys the services to a host.',
    inputSchema: z.object({ host: z.string() }),
    execute: async ({ host }) => `Deployed to ${host}`,
  }),
};
const mock = new MockToolgate({ shipper: ['deploy'] }, { agent: 'shipper' });
const gate = new AiSdkGate(mock);
await generateText({ model: 'openai/gpt-5', tools: gate.wrap(tools), stopWhen: isStepCount(5), prompt: 'Deploy the services to staging.' });
for (const { tool, outcome, report } of mock.calls) {
  console.log(tool, outcome, report?.output);
}

/* Prints:
deploy completed Deployed to staging
*/
