"""Records the exchanges of this folder anew, from a gate that it starts: python3 record.py [COMMAND], default toolgate."""

import http.client
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
import uuid

FOLDER = pathlib.Path(__file__).parent
KEY = "tg_contract_key"
AGENT = "contract_agent"
SETTINGS = """
limits:
  per_agent: { calls: 60, period: 60s, burst: 4 }
approvals:
  expire_after: 6s
"""
# Of the answers' headers, those that a client can use.
KEPT = ("content-type", "location", "retry-after", "preference-applied", "www-authenticate", "link", "x-correlation-id")


class Gate:
    """A gate of its own, with an empty data folder."""

    def __init__(self, command: str) -> None:
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="contract"))
        (self.home / "toolgate.yaml").write_text(SETTINGS)
        environment = dict(os.environ, TOOLGATE_HOME=str(self.home), TOOLGATE_PORTS="0")
        self.process = subprocess.Popen([command, "serve"], env=environment, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = next(line for line in self.process.stdout if line.startswith("Toolgate ready at "))
        self.address = urllib.parse.urlsplit(line.split()[3])
        self.key = (self.home / "admin.key").read_text().strip()

    def send(self, method, path, body=None, headers=None, key=None):
        connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=60)
        sent = {"Authorization": f"Bearer {key or self.key}", **(headers or {})}
        text = None
        if body is not None:
            sent["Content-Type"] = "application/json"
            text = json.dumps(body)
        connection.request(method, path, text, sent)
        answer = connection.getresponse()
        content = answer.read()
        kept = {name: value for name, value in answer.getheaders() if name.lower() in KEPT}
        return answer.status, kept, json.loads(content) if content else None

    def grant(self, agent, tool, **terms):
        status, _, body = self.send("PUT", f"/api/v1/permissions/{agent}/{tool}", {"allowed": True, **terms})
        assert status == 200, body

    def answer(self, agent, approved, reason):
        _, _, waiting = self.send("GET", f"/api/v1/approvals?state=pending&agent_id={agent}")
        status, _, body = self.send(
            "POST", f"/api/v1/approvals/{waiting[0]['approval_id']}", {"approved": approved, "reason": reason}
        )
        assert status == 200, body

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


class Scenario:
    """One file: what a client does, step by step, and what goes over the wire."""

    def __init__(self, gate, name, says):
        self.gate, self.name, self.says = gate, name, says
        self.agent = "agent_" + name.replace("-", "_")
        self.steps, self.ids, self.origin = [], {}, "recorded"

    def step(self, do, *arguments, **options):
        self.steps.append({"do": do, "arguments": list(arguments), "options": options, "exchanges": [], "expect": {}})
        return self

    def expect(self, **expected):
        self.steps[-1]["expect"] = expected
        return self

    def id(self, name):
        return self.ids.setdefault(name, str(uuid.uuid4()))

    def exchange(self, method, path, body=None, headers=None, key=None, shown_key=KEY, until=None):
        """Sends it, again and again until the answer has this status, and keeps the last exchange."""
        real_path = self.real(path)
        deadline = time.monotonic() + 60
        while True:
            status, answered, content = self.gate.send(method, real_path, self.real(body), headers, key)
            if until is None or status == until:
                break
            assert time.monotonic() < deadline, (status, content)
            time.sleep(float(answered.get("Retry-After", "0.2")))
        request = {"method": method, "path": path, "headers": {"Authorization": f"Bearer {shown_key}", **(headers or {})}}
        if body is not None:
            request["headers"]["Content-Type"] = "application/json"
            request["body"] = body
        self.steps[-1]["exchanges"].append(
            self.shown({"request": request, "response": {"status": status, "headers": answered, "body": content}})
        )
        return status, content

    def call(self, tool, parameters, request_id="$request_id", **more):
        return {
            "request_id": request_id,
            "agent_id": AGENT,
            "tool_name": tool,
            "operation": "call",
            "parameters": parameters,
            **more,
        }

    def execute(self, tool, parameters, request_id="$request_id", **keywords):
        body = self.call(tool, parameters, request_id)
        return self.exchange("POST", "/api/v1/tools/execute", body, {"Prefer": "respond-async"}, **keywords)

    def real(self, value):
        """What is sent to the gate: this scenario's agent, a real id for each name, a value for each pattern."""
        if isinstance(value, dict):
            if set(value) == {"$matches"}:
                return "toolgate-recorder/0.1.0"
            return {name: self.real(each) for name, each in value.items()}
        if isinstance(value, str):
            value = value.replace(AGENT, self.agent)
            for name in ("$request_id", "$other_id"):
                if name in value:
                    value = value.replace(name, self.id(name))
        return value

    def shown(self, exchange):
        text = json.dumps(exchange)
        for name, identifier in self.ids.items():
            text = text.replace(identifier, name)
        return json.loads(text.replace(self.agent, AGENT).replace(self.gate.key, KEY))

    def write(self):
        scenario = {
            "name": self.name,
            "says": self.says,
            "origin": self.origin,
            "client": {"key": KEY, "agent": AGENT},
            "steps": self.steps,
        }
        (FOLDER / f"{self.name}.json").write_text(json.dumps(scenario, indent=2, ensure_ascii=False) + "\n")
        print(self.name, [e["response"]["status"] for s in self.steps for e in s["exchanges"]])


def main() -> None:
    from scenarios import SCENARIOS

    gate = Gate(sys.argv[1] if len(sys.argv) > 1 else "toolgate")
    try:
        for record in SCENARIOS:
            name = record.__name__.replace("_", "-")
            scenario = Scenario(gate, name, " ".join((record.__doc__ or "").split()))
            record(gate, scenario)
            scenario.write()
    finally:
        gate.close()


if __name__ == "__main__":
    main()
