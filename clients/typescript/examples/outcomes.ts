import { Toolgate } from '@toolgate/client';

const gate = new Toolgate();
const outcome = await gate.submit('file_write', { path: 'note.txt', content: 'hello' }, { requestId: 'note-1' });
switch (outcome.outcome) {
  case 'completed':
    console.log(outcome.data);
    break;
  case 'failed':
    console.log(outcome.error.code, outcome.error.remediation);
    break;
  case 'refused':
    console.log(outcome.reason);
    break;
  case 'pending':
  case 'running':
    console.log(`Call ${outcome.requestId} is ${outcome.outcome}.`);
}

/* Prints:
Call note-1 is pending.
*/
