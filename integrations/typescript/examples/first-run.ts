import { Toolgate } from '@toolgate/client';
import { AiSdkGate, registerTools } from '@toolgate/integrations/ai-sdk';
import { generateText, isStepCount, tool } from 'ai';
import { z } from 'zod';

const tools = {
  deploy: tool({
    description: 'Deploys the services to a host.',
    inputSchema: z.object({ host: z.string() }),
    execute: async ({ host }) => `Deployed to ${host}`,
  }),
};
await registerTools(new Toolgate(), tools); // once, with the key of an operator

const gate = new AiSdkGate(); // TOOLGATE_URL, TOOLGATE_KEY and TOOLGATE_AGENT say where and who
const { text } = await generateText({
  model: 'openai/gpt-5',
  tools: gate.wrap(tools),
  stopWhen: isStepCount(5),
  prompt: 'Deploy the services to staging.',
});
console.log(text);

/* Prints:
The services are deployed to staging.
*/
