import { Toolgate } from '@toolgate/client';

const operator = new Toolgate();
for await (const { event, approval } of operator.approvals.stream()) {
  if (event === 'opened' && approval.request_id === 'note-1') {
    await operator.approvals.approve(approval.approval_id, { reason: 'only a note' });
    break;
  }
}
const outcome = await operator.collect('note-1', { wait: 60_000 });
console.log(outcome.outcome);

/* Prints:
completed
*/
