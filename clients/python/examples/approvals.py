"""A call that waits for an approval, and an approver who listens to the stream of requests."""

import threading

from toolgate_client import ApprovalDenied, Toolgate

AGENT = "example_approvals"


def person(listening: threading.Event) -> None:
    with Toolgate() as gate, gate.approvals.stream() as events:
        listening.set()
        for event in events:
            if event.event == "opened" and event.approval.agent_id == AGENT:
                path = event.approval.parameters["path"]
                if path == ".":
                    gate.approvals.approve(event.approval.approval_id, reason="only lists files")
                else:
                    gate.approvals.deny(event.approval.approval_id, reason=f"not {path}")
                    return


with Toolgate(agent=AGENT) as gate:
    gate.permissions.grant(AGENT, "file_list", requires_approval=True)
    listening = threading.Event()
    answering = threading.Thread(target=person, args=(listening,))
    answering.start()
    listening.wait()

    print("approved:", gate.execute("file_list", {"path": "."}).success)
    try:
        gate.execute("file_list", {"path": "private"})
    except ApprovalDenied as denied:
        print("refused:", denied.violation_type)
    answering.join()

# Prints:
# approved: True
# refused: approval_denied
