import { DeniedError, Toolgate } from '@toolgate/client';

const gate = new Toolgate();
try {
  await gate.execute('bash', { command: 'rm -r build' });
} catch (error) {
  if (!(error instanceof DeniedError)) {
    throw error;
  }
  console.log(error.reason);
  console.log(`Allowed: ${error.allowedTools.join(', ')}`);
}

/* Prints:
Agent 'courier' not permitted to use tool 'bash'
Allowed: file_list, file_write
*/
