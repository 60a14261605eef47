import { RemoteToolRouter, type ToolRouter } from '@toolgate/client';

const router: ToolRouter = await RemoteToolRouter.connect({ session: 'sess_1' });
console.log(router.getAvailableTools().map((tool) => tool.toolName));
const result = await router.execute({ taskId: 'task_1', stepId: 'step_1', toolName: 'file_write', arguments: {} });
console.log(result.status, result.error?.code);

/* Prints:
[ 'file_list' ]
denied CAPABILITY_DENIED
*/
