import { Toolgate } from '@toolgate/client';

const admin = new Toolgate();
await admin.agents.create({ agent_id: 'clerk', name: 'Keeps the files' });
await admin.permissions.grant('clerk', 'file_list', { max_uses: 10 }, { reason: 'to try it' });
const { key } = await admin.keys.create({ role: 'agent', agent_id: 'clerk', expires_in: '1h' });

const clerk = new Toolgate({ key, agent: 'clerk' });
await clerk.execute('file_list', { path: '.' });
for await (const record of admin.audit.list({ agent_id: 'clerk', kind: 'call' })) {
  console.log(record.tool_name, record.status);
}

/* Prints:
file_list COMPLETED
*/
