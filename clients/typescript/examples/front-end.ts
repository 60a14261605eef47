import { ToolsService } from '@toolgate/client';

const tools = new ToolsService({ agent: 'courier' }); // no agent with an agent's own key
const { result, correlationId } = await tools.executeTool('listFiles', { path: '.' }, { correlationId: 'page-1' });
console.log(Array.isArray(result.files), correlationId);

/* Prints:
true page-1
*/
