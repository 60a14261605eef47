"""A tool of this program, on the gate's decision and record."""

from itertools import islice

from toolgate_client import DeniedError, Toolgate

AGENT = "example_releaser"


def deploy(host: str) -> str:
    return f"deployed to {host}"


with Toolgate(agent=AGENT) as gate:
    gate.external_tools.register(
        "example_deploy",
        description="Deploys the services to a host.",
        input_schema={"type": "object", "properties": {"host": {"type": "string"}}, "required": ["host"]},
        capability="Deploy.Run",
    )
    gate.permissions.grant(AGENT, "example_deploy", condition='params.host == "staging"')

    with gate.authorize("example_deploy", {"host": "staging"}) as permit:
        permit.output = deploy(**permit.parameters)
    print("reported:", permit.output)

    try:
        with gate.authorize("example_deploy", {"host": "production"}) as permit:
            permit.output = deploy(**permit.parameters)
    except DeniedError as denied:
        print("did not run:", denied.violation_type)

    for record in islice(gate.audit.list(agent_id=AGENT, kind="call"), 2):
        print(record.parameters["host"], record.status)

# Prints:
# reported: deployed to staging
# did not run: permission_denied
# production REFUSED
# staging COMPLETED
