import { Toolgate } from '@toolgate/client';
import { AiSdkGate } from '@toolgate/integrations/ai-sdk';
import { generateText, isStepCount } from 'ai';

const gate = new AiSdkGate(new Toolgate(), { agent: 'shipper', wait: 60_000 });
const tools = await gate.tools();
const { text } = await generateText({
  model: 'openai/gpt-5',
  tools,
  stopWhen: isStepCount(5),
  prompt: 'What is in the workspace?',
});
console.log(Object.keys(tools).join(', '));
console.log(text);

/* Prints:
file_list
I have listed it.
*/
