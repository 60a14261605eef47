"""A program that does not wait: it keeps the id of a held call and collects the outcome later."""

from toolgate_client import Completed, Denied, Failed, Pending, Toolgate

AGENT = "example_submit"

with Toolgate(agent=AGENT) as gate:
    gate.permissions.grant(AGENT, "file_list", requires_approval=True)

    outcome = gate.submit("file_list", {"path": "."})
    assert isinstance(outcome, Pending)
    print("waits:", outcome.status)

    assert outcome.approval_id is not None
    gate.approvals.approve(outcome.approval_id, reason="done by the example itself")

    match gate.collect(outcome.request_id, wait=60):
        case Completed(result=result):
            print("completed:", result.success)
        case Failed(message=message) | Denied(reason=message):
            print("did not run:", message)
        case Pending():
            print("still waiting")

# Prints:
# waits: pending
# completed: True
