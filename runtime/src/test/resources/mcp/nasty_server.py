"""An MCP server of the legacy era whose tools misbehave; its first argument says how it starts."""
import base64, json, os, signal, subprocess, sys, time, urllib.error, urllib.request

mode = sys.argv[1] if len(sys.argv) > 1 else ""
description = "Says what it hears"
fickle = {"type": "object"}


def send(message):
    sys.stdout.write(json.dumps(dict(message, jsonrpc="2.0")) + "\n")
    sys.stdout.flush()


def tools():
    any_object = {"type": "object"}
    listed = [
        {"name": "echo", "description": description, "inputSchema":
            {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
             "properties": {"text": {"type": "string"}}, "required": ["text"]},
         "annotations": {"readOnlyHint": True}},
        {"name": "typed", "inputSchema": any_object, "outputSchema":
            {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}},
        {"name": "loop", "inputSchema": {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#"}}}},
        {"name": "remote", "inputSchema": {"properties": {"x": {"$ref": "http://127.0.0.1:9/schema.json"}}}},
        {"name": "bad name", "inputSchema": any_object},
        {"name": "tree", "inputSchema": {"type": "object", "properties": {
            "children": {"type": "array", "items": {"$ref": "#"}}}, "additionalProperties": False}},
    ]
    for name in ["crash", "hang", "rubbish", "huge", "rename", "steps", "content", "fails", "refuses", "ask",
                 "environment", "spawn", "touch", "fetch"]:
        listed.append({"name": name, "inputSchema": any_object})
    return listed


def text(*parts):
    return {"content": [{"type": "text", "text": part} for part in parts]}


def call(request, name, arguments):
    global description
    if name == "echo":
        return text("Echo: " + arguments["text"])
    if name == "tree":
        return text("a tree")
    if name == "typed":
        return dict(text("typed"), structuredContent={"n": arguments.get("n", 1)})
    if name == "crash":
        sys.stderr.write("about to crash\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    if name == "hang":
        time.sleep(600)
    if name == "rubbish":
        for i in range(200):
            sys.stdout.write("this is no message\n")
        sys.stdout.flush()
        time.sleep(600)
    if name == "huge":
        sys.stdout.write('{"jsonrpc": "2.0", "id": %s, "result": {"content": [{"type": "text", "text": "' % json.dumps(request["id"]))
        for i in range(100):
            sys.stdout.write("x" * (1 << 20))
        sys.stdout.write('"}]}}\n')
        sys.stdout.flush()
        return None
    if name == "rename":
        description = "Now does something else"
        send({"method": "notifications/tools/list_changed"})
        return text("renamed")
    if name == "steps":
        token = request["params"].get("_meta", {}).get("progressToken")
        for step in (1, 2):
            send({"method": "notifications/progress", "params":
                {"progressToken": token, "progress": step, "total": 2, "message": "step %d" % step}})
        return text("done")
    if name == "content":
        data = base64.b64encode(b"bytes").decode()
        return {"content": [
            {"type": "text", "text": "first", "annotations": {"audience": ["user"]}},
            {"type": "image", "mimeType": "image/png", "data": data},
            {"type": "audio", "mimeType": "not a type", "data": data},
            {"type": "resource", "resource": {"uri": "x://1", "mimeType": "application/pdf", "blob": data}},
            {"type": "resource", "resource": {"uri": "x://2", "text": "inside"}},
            {"type": "resource_link", "uri": "x://3", "name": "three"},
            {"type": "new-kind", "field": 1}], "_meta": {"example.org/cost": 3}}
    if name == "fails":
        return dict(text("it went wrong"), isError=True)
    if name == "refuses":
        send({"id": request["id"], "error": {"code": -32602, "message": "No such thing."}})
        return None
    if name == "ask":
        send({"id": "q1", "method": "elicitation/create", "params":
            {"message": "Who are you?", "requestedSchema": {"type": "object", "properties": {}}}})
        return text("answered " + json.dumps(json.loads(sys.stdin.readline())["result"], sort_keys=True))
    if name == "environment":
        return text(json.dumps(dict(os.environ), sort_keys=True))
    if name == "touch":
        with open(arguments["path"], "w") as file:
            file.write("written")
        return text(os.getcwd())
    if name == "fetch":
        try:
            return text("status %d" % urllib.request.urlopen(arguments["url"], timeout=10).status)
        except urllib.error.HTTPError as refused:
            return text("status %d" % refused.code)
        except OSError:
            return text("no network")
    if name == "spawn":
        subprocess.Popen(["sleep", arguments["seconds"]], start_new_session=True)
        return text("spawned")


if mode == "silent":
    time.sleep(600)
if mode == "ends":
    sys.stderr.write("no licence found\n")
    sys.exit(3)
if mode == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)

while True:
    line = sys.stdin.readline()
    if not line:
        if mode == "stubborn":
            time.sleep(600)
        sys.exit(0)
    request = json.loads(line)
    method = request.get("method")
    if "id" not in request or method is None:
        continue
    if method == "initialize":
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {"listChanged": True}, "prompts": {}},
                  "serverInfo": {"name": "nasty", "version": "1"}}
    elif method == "tools/list":
        result = {"tools": tools()}
    elif method == "prompts/list":
        result = {"prompts": [{"name": "praise"}]}
    elif method == "prompts/get":
        result = {"messages": [], "description": request["params"]["name"]}
    elif method == "ping":
        result = {}
    elif method == "tools/call":
        result = call(request, request["params"]["name"], request["params"].get("arguments", {}))
        if result is None:
            continue
    else:
        send({"id": request["id"], "error": {"code": -32601, "message": "Unknown method"}})
        continue
    send({"id": request["id"], "result": result})
