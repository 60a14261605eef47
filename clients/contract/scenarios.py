"""The scenarios that record.py records: what a client is asked to do, what it sends, and what it makes of the answers."""

import json
import time

LIST = {"path": "."}
MESSAGE = "This tool failed because of an internal error."


def written(scenario, answer, **changes):
    """Says that an answer of the last exchange was not recorded as it stands."""
    scenario.origin = answer
    scenario.steps[-1]["exchanges"][-1]["response"].update(changes)


def allowed(gate, s):
    """An allowed call gives the tool's result."""
    gate.grant(s.agent, "file_list")
    s.step("execute", "file_list", LIST).expect(
        outcome="completed", fields={"success": True, "data": "The folder is empty.", "structured": {"files": []}}
    )
    s.execute("file_list", LIST)


def denied_with_suggestion(gate, s):
    """A denied call says why, what is allowed instead and what to do; it is not sent again."""
    gate.grant(s.agent, "file_list")
    gate.grant(s.agent, "file_read")
    s.step("execute", "bash", {"command": "ls"})
    _, body = s.execute("bash", {"command": "ls"})
    shown = s.shown(body)
    names = ("reason", "violation_type", "allowed_tools", "suggestion")
    s.expect(outcome="denied", raises="denied", fields={name: shown[name] for name in names})


def escalated(gate, s):
    """A critical call that is denied goes on to another agent, which an orchestrator's key may act as."""
    gate.grant(s.agent, "file_read")
    gate.grant("colleague", "file_list")
    s.step("execute", "file_list", LIST)
    _, body = s.execute("file_list", LIST)
    s.expect(
        outcome="denied", raises="denied", fields={"violation_type": "permission_denied", "allowed_tools": ["file_read"]}
    )
    s.step("execute", "file_list", LIST, agent="colleague").expect(outcome="completed", fields={"success": True})
    call = {**s.call("file_list", LIST, "$other_id"), "agent_id": "colleague"}
    s.exchange("POST", "/api/v1/tools/execute", call, {"Prefer": "respond-async"})


def held_and_approved(gate, s):
    """A held call is collected until a person has approved it and it has run."""
    gate.grant(s.agent, "file_list", requires_approval=True)
    s.step("execute", "file_list", LIST).expect(
        outcome="completed", fields={"success": True, "data": "The folder is empty."}
    )
    s.execute("file_list", LIST)
    s.exchange("GET", "/api/v1/calls/$request_id?agent_id=contract_agent")
    gate.answer(s.agent, True, "only lists files")
    s.exchange("GET", "/api/v1/calls/$request_id?agent_id=contract_agent", until=200)


def held_and_refused(gate, s):
    """A held call that a person refuses is denied, and nothing has run."""
    gate.grant(s.agent, "file_list", requires_approval=True)
    s.step("execute", "file_list", LIST)
    s.execute("file_list", LIST)
    gate.answer(s.agent, False, "not today")
    _, body = s.exchange("GET", "/api/v1/calls/$request_id?agent_id=contract_agent", until=403)
    fields = {"violation_type": "approval_denied", "reason": s.shown(body)["reason"]}
    s.expect(outcome="denied", raises="approval_denied", fields=fields)


def approval_timeout(gate, s):
    """A held call that nobody answers is denied with 408, which is an outcome and not sent again."""
    gate.grant(s.agent, "file_list", requires_approval=True)
    s.step("execute", "file_list", LIST)
    s.execute("file_list", LIST)
    _, body = s.exchange("GET", "/api/v1/calls/$request_id?agent_id=contract_agent", until=408)
    fields = {"violation_type": "approval_timeout", "reason": s.shown(body)["reason"]}
    s.expect(outcome="denied", raises="approval_timeout", fields=fields)


def submitted_and_collected(gate, s):
    """A caller that does not wait gets a pending call, and collects it by its id."""
    gate.grant(s.agent, "file_list", requires_approval=True)
    s.step("submit", "file_list", LIST)
    _, body = s.execute("file_list", LIST)
    pending = s.shown(body)
    s.expect(outcome="pending", fields={name: pending[name] for name in ("approval_id", "expires_at")})
    gate.answer(s.agent, True, "yes")
    s.step("collect", "$request_id").expect(outcome="completed", fields={"success": True})
    s.exchange("GET", "/api/v1/calls/$request_id?agent_id=contract_agent", until=200)


def repeated_id(gate, s):
    """The id of a call with another body is refused with 409, which is not sent again."""
    gate.grant(s.agent, "file_list")
    s.step("execute", "file_list", LIST, request_id="contract-repeated").expect(outcome="completed", fields={})
    s.execute("file_list", LIST, "contract-repeated")
    other = {"path": "elsewhere"}
    s.step("execute", "file_list", other, request_id="contract-repeated").expect(
        raises="error", fields={"code": "REQUEST_ID_TAKEN", "retryable": False}
    )
    s.execute("file_list", other, "contract-repeated")


def rate_limited(gate, s):
    """A rate-limited call is sent again with the same id, not before Retry-After has passed."""
    gate.grant(s.agent, "file_list")
    s.step("execute", "file_list", LIST).expect(outcome="completed", fields={"success": True})
    s.execute("file_list", LIST)
    completed = s.steps[-1]["exchanges"].pop()
    until_limited(s)
    s.steps[-1]["exchanges"].append(completed)
    s.origin = "both answers are recorded, the second one before the first"


def rate_limited_for_good(gate, s):
    """After two retries the client gives up and says for how long to wait."""
    gate.grant(s.agent, "file_list")
    s.step("execute", "file_list", LIST).expect(
        raises="rate_limited", fields={"code": "RATE_LIMITED", "retryable": True, "retry_after": 1}
    )
    until_limited(s)
    s.origin = "recorded once, repeated for each attempt"
    exchanges = s.steps[-1]["exchanges"]
    exchanges += [json.loads(json.dumps(exchanges[0])) for _ in range(2)]


def until_limited(s):
    status = 200
    while status != 429:
        s.ids.pop("$request_id", None)
        s.steps[-1]["exchanges"].clear()
        status, _ = s.execute("file_list", LIST)


def running_elsewhere(gate, s):
    """409 with retryable: the first call with the id is still running, so the client asks again."""
    gate.grant(s.agent, "file_list")
    s.step("execute", "file_list", LIST).expect(outcome="completed", fields={"success": True})
    s.execute("file_list", LIST)
    running = json.loads(json.dumps(s.steps[-1]["exchanges"][0]))
    s.steps[-1]["exchanges"].insert(0, running)
    running["response"].update(
        status=409,
        headers={"Content-Type": "application/json", "Retry-After": "1"},
        body={
            "error": {
                "code": "REQUEST_RUNNING",
                "message": "The first call with this request id is still running",
                "remediation": "Wait for the first call with this request id, then ask again.",
                "retryable": True,
                "correlation_id": "01a1e78ee203b593d677ac4e9d101553",
                "details": {"request_id": "$request_id", "logged": False},
            }
        },
    )
    s.origin = "the first answer is written by the API document, the second recorded"


def unavailable_then_allowed(gate, s):
    """503 whose body says retryable is sent again with the same id."""
    running_elsewhere(gate, s)
    s.steps[-1]["exchanges"][0]["response"].update(
        status=503,
        body={
            "error": {
                "code": "SERVICE_UNAVAILABLE",
                "message": "A dependency of the server is unavailable; nothing was done.",
                "remediation": "Wait a moment and send the call again; the server recovers by itself.",
                "retryable": True,
                "correlation_id": "5c1f0e2ab7d94a3c8e6f1d20b4a97c35",
            }
        },
    )


def failed_with_500(gate, s):
    """A tool that failed with an internal error is an outcome, although the status is 500: it is not sent again."""
    gate.grant(s.agent, "file_list")
    error = {
        "code": "INTERNAL_ERROR",
        "message": MESSAGE,
        "retryable": True,
        "remediation": "Try again; if it stays, look for the request id in the server's log.",
    }
    s.step("execute", "file_list", LIST).expect(outcome="failed", raises="tool_failed", fields={"code": "INTERNAL_ERROR"})
    s.execute("file_list", LIST)
    body = {
        "status": "allowed",
        "request_id": "$request_id",
        "result": {"data": MESSAGE, "success": False, "error": error},
        "logged": True,
        "outcome": "failed",
    }
    written(s, "the answer is written by the API document", status=500, body=body)


def not_retryable_502(gate, s):
    """An error with a status of 5xx whose body says that it is not retryable is not sent again."""
    gate.grant(s.agent, "file_list")
    s.step("execute", "file_list", LIST).expect(
        raises="error", fields={"code": "CREDENTIALS_REFUSED", "retryable": False}
    )
    s.execute("file_list", LIST)
    error = {
        "code": "CREDENTIALS_REFUSED",
        "message": "The server refuses the credentials that the gate has for it.",
        "remediation": "Ask an operator to check the credentials that the gate has for this server.",
        "retryable": False,
        "correlation_id": "5c1f0e2ab7d94a3c8e6f1d20b4a97c35",
    }
    written(s, "the answer is written by the API document", status=502, body={"error": error})


def answer_of_a_proxy(gate, s):
    """An answer that is no JSON, such as a proxy's page, is an error without retries: nothing says that it is retryable."""
    gate.grant(s.agent, "file_list")
    s.step("execute", "file_list", LIST).expect(raises="error", fields={"retryable": False})
    s.execute("file_list", LIST)
    written(
        s,
        "the answer is written, as a proxy might",
        status=502,
        headers={"Content-Type": "text/html"},
        body="<html><body>Bad gateway</body></html>",
    )


def tool_failed(gate, s):
    """A tool that fails is an outcome with the error and what to do about it."""
    gate.grant(s.agent, "file_read")
    s.step("execute", "file_read", {"path": "missing.txt"})
    _, body = s.execute("file_read", {"path": "missing.txt"})
    error = s.shown(body)["result"]["error"]
    names = ("code", "message", "remediation", "retryable")
    s.expect(outcome="failed", raises="tool_failed", fields={name: error[name] for name in names})


def unauthorized(gate, s):
    """A key that is not valid is refused, and the request is not sent again."""
    s.step("execute", "file_list", LIST).expect(raises="authentication", fields={"code": "UNAUTHORIZED", "retryable": False})
    s.execute("file_list", LIST, key="tg_wrong")


def authorize_and_report(gate, s):
    """A tool that its caller runs: a permit, and the report of its outcome."""
    register(gate)
    gate.grant(s.agent, "contract_deploy")
    host = {"host": "staging"}
    s.step("authorize", "contract_deploy", host, tool_call_id="toolu_1")
    _, body = authorize(s, host, tool_call_id="toolu_1")
    s.expect(outcome="authorized", fields={"permit_expires_at": body["permit_expires_at"], "parameters": host})
    s.step("report", "succeeded", output="Deployed 3 services").expect(
        outcome="completed", fields={"success": True, "data": "Deployed 3 services"}
    )
    report(s, {"status": "succeeded", "output": "Deployed 3 services"})


def authorize_and_fail(gate, s):
    """A tool that its caller ran and that failed is reported as failed."""
    register(gate)
    gate.grant(s.agent, "contract_deploy")
    host = {"host": "staging"}
    s.step("authorize", "contract_deploy", host).expect(outcome="authorized", fields={"parameters": host})
    authorize(s, host)
    s.step("report", "failed", error="no route to host").expect(outcome="failed", fields={"message": "no route to host"})
    report(s, {"status": "failed", "error": "no route to host"})


def authorize_held(gate, s):
    """A permit that needs an approval begins when the approved call is asked for again, with its parameters."""
    register(gate)
    gate.grant(s.agent, "contract_deploy", requires_approval=True)
    host = {"host": "production"}
    s.step("authorize", "contract_deploy", host).expect(outcome="authorized", fields={"parameters": host})
    authorize(s, host)
    gate.answer(s.agent, True, "release day")
    s.exchange("GET", "/api/v1/calls/$request_id?agent_id=contract_agent", until=200)


def authorize_denied(gate, s):
    """A permit that is denied means that the tool must not run."""
    register(gate)
    s.step("authorize", "contract_deploy", {"host": "production"}).expect(
        raises="denied", fields={"violation_type": "permission_denied"}
    )
    authorize(s, {"host": "production"})


def register(gate):
    schema = {"type": "object", "properties": {"host": {"type": "string"}}, "required": ["host"]}
    tool = {"description": "Deploys.", "input_schema": schema, "capability": "Deploy.Run", "danger": "dangerous"}
    status, _, body = gate.send("PUT", "/api/v1/tools/external/contract_deploy", tool)
    assert status in (200, 201), body


def authorize(s, parameters, **more):
    body = s.call("contract_deploy", parameters, **more, source={"$matches": "^toolgate-[a-z]+/[0-9]"})
    return s.exchange("POST", "/api/v1/tools/authorize", body, {"Prefer": "respond-async"})


def report(s, body):
    sent = {**body, "execution_time_ms": 12}
    s.exchange("POST", "/api/v1/calls/$request_id/outcome?agent_id=contract_agent", sent)
    exchange = s.steps[-1]["exchanges"][-1]
    exchange["request"]["body"]["execution_time_ms"] = {"$matches": "^[0-9]+$"}


def unknown_fields_and_values(gate, s):
    """Fields and values that a later server adds are kept, and do no harm."""
    gate.grant(s.agent, "file_list")
    s.step("execute", "file_list", LIST)
    s.execute("file_list", LIST)
    answer = s.steps[-1]["exchanges"][-1]["response"]
    answer["body"]["outcome"] = "completed"
    answer["body"]["region"] = {"name": "north"}
    answer["body"]["result"]["confidence"] = 0.5
    s.expect(
        outcome="completed", fields={"success": True}, kept={"/region/name": "north", "/result/confidence": 0.5}
    )
    s.step("execute", "bash", {"command": "ls"})
    s.execute("bash", {"command": "ls"}, "$other_id")
    refused = s.steps[-1]["exchanges"][-1]["response"]["body"]
    refused["violation_type"] = "quota_of_the_moon"
    refused["docs"] = "/docs/moon"
    s.expect(
        outcome="denied", raises="denied", fields={"violation_type": "quota_of_the_moon"}, kept={"/docs": "/docs/moon"}
    )
    s.origin = "recorded, with fields and values added"


def validated(gate, s):
    """What the gate would decide, without making the call."""
    gate.grant(s.agent, "file_list", requires_approval=True)
    path = "/api/v1/tools/validate"
    s.step("validate", "file_list", LIST).expect(fields={"allowed": True, "requires_approval": True})
    s.exchange("POST", path, {"agent_id": "contract_agent", "tool_name": "file_list", "operation": "call", "parameters": LIST})
    s.step("validate", "bash").expect(fields={"allowed": False, "violation_type": "permission_denied"})
    s.exchange("POST", path, {"agent_id": "contract_agent", "tool_name": "bash", "operation": "call"})


def pages(gate, s):
    """A list is read page by page, along the Link headers."""
    gate.grant(s.agent, "file_list")
    for _ in range(3):
        s.ids.pop("$request_id", None)
        s.step("execute", "file_list", LIST)
        s.execute("file_list", LIST)
        time.sleep(0.2)
    s.steps.clear()
    s.ids.clear()
    s.step("audit", agent_id="contract_agent", limit=2).expect(count=3)
    path = "/api/v1/audit/logs?agent_id=contract_agent&limit=2"
    s.exchange("GET", path)
    link = s.steps[-1]["exchanges"][-1]["response"]["headers"]["Link"]
    s.exchange("GET", link[link.index("<") + 1 : link.index(">")])


SCENARIOS = [
    allowed,
    denied_with_suggestion,
    escalated,
    held_and_approved,
    held_and_refused,
    approval_timeout,
    submitted_and_collected,
    repeated_id,
    rate_limited,
    rate_limited_for_good,
    running_elsewhere,
    unavailable_then_allowed,
    failed_with_500,
    not_retryable_502,
    answer_of_a_proxy,
    tool_failed,
    unauthorized,
    authorize_and_report,
    authorize_and_fail,
    authorize_held,
    authorize_denied,
    unknown_fields_and_values,
    validated,
    pages,
]
