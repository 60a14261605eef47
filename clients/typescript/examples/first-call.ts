import { Toolgate } from '@toolgate/client';

const gate = new Toolgate(); // TOOLGATE_URL, TOOLGATE_KEY and TOOLGATE_AGENT say where and who
const result = await gate.execute('file_list', { path: '.' });
console.log(result.success, result.logged);

/* Prints:
true true
*/
