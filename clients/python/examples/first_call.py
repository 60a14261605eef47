"""A call that is allowed, one that is denied, and the record of both."""

from itertools import islice

from toolgate_client import DeniedError, Toolgate

with Toolgate(agent="example_first") as gate:
    gate.permissions.grant("example_first", "file_list", reason="to try it")

    result = gate.execute("file_list", {"path": "."})
    print("listed:", result.success)

    try:
        gate.execute("bash", {"command": "ls"})
    except DeniedError as denied:
        print("denied:", denied.violation_type, "allowed:", *denied.allowed_tools)

    for record in islice(gate.audit.list(agent_id="example_first", kind="call"), 2):
        print("record:", record.tool_name, record.allowed)

# Prints:
# listed: True
# denied: permission_denied allowed: file_list
# record: bash False
# record: file_list True
