import { AiSdkGate, ToolNotRun } from '@toolgate/integrations/ai-sdk';
import { generateText, isStepCount, tool } from 'ai';
import { z } from 'zod';

const tools = {
  drop_tables: tool({
    description: 'Deletes the tables of a database.',
    inputSchema: z.object({ database: z.string() }),
    execute: async ({ database }) => `Deleted the tables of ${database}`,
  }),
};
const gate = new AiSdkGate();
const { steps, text } = await generateText({
  model: 'openai/gpt-5',
  tools: gate.wrap(tools),
  stopWhen: isStepCount(5),
  prompt: 'Clean up the database of the shop.',
});
for (const part of steps.flatMap((step) => step.content)) {
  if (part.type === 'tool-error' && part.error instanceof ToolNotRun) {
    console.log(part.error.tool, (part.error.cause as Error).message);
  }
}
console.log(text);

/* Prints:
drop_tables Agent 'shipper' not permitted to use tool 'drop_tables'
I may not delete tables.
*/
