import { GatedAgent } from '@toolgate/client';
import { MockToolgate } from '@toolgate/client/testing';

const gate = new MockToolgate({ developer: ['file_read'] }, { results: { file_read: 'hello' } });
const developer = new GatedAgent(gate, 'developer');

console.log((await developer.use('file_read', { path: 'a.txt' })).data);
await developer.use('database_write', {}, { critical: true }).catch((error: Error) => console.log(error.message));
gate.assertEscalated('developer');
console.log(gate.calls.map((call) => call.outcome));

/* Prints:
hello
Agent 'developer' not permitted to use tool 'database_write'
[ 'completed', 'refused' ]
*/
