"""An agent that adapts to what it may use, and asks its orchestrator when it must have a tool."""

from typing import Any

from toolgate_client import DeniedError, GatedAgent, Toolgate

gate = Toolgate()
gate.permissions.grant("example_frontend", "file_list")
gate.permissions.grant("example_backend", "bash")


class FrontendDeveloper(GatedAgent):
    def on_denied(self, denied: DeniedError) -> Any:
        return f"goes on without it; may use {', '.join(denied.allowed_tools)}"


def orchestrator(denied: DeniedError) -> Any:
    print("asked for help:", denied.violation_type)
    result = gate.execute("bash", {"command": "echo done"}, agent="example_backend")
    return f"the backend did it: {result.success}"


agent = FrontendDeveloper("example_frontend", gate=gate, orchestrator=orchestrator)
print("may use:", *agent.available_tools())
print(agent.use("bash", command="ls"))
print(agent.use("bash", alternatives=["file_list"], path=".").success)
print(agent.use("bash", critical=True, command="echo done"))
gate.close()

# Prints:
# may use: file_list
# goes on without it; may use file_list
# True
# asked for help: permission_denied
# the backend did it: True
