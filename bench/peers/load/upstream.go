package main

import (
	"encoding/json"
	"io"
	"net/http"
)

const (
	legacy = "2025-11-25"
	modern = "2026-07-28"
)

// A request of any method; only what the tool needs is decoded.
type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Arguments struct {
			Text string `json:"text"`
		} `json:"arguments"`
		ProtocolVersion string `json:"protocolVersion"`
	} `json:"params"`
}

const tools = `{"tools":[{"name":"echo","description":"Gives back its text","inputSchema":{"type":"object",` +
	`"properties":{"text":{"type":"string"}},"required":["text"]}}],"resultType":"complete","ttlMs":0,"cacheScope":"public"}`

// serveUpstream answers both eras, without sessions.
func serveUpstream(address string) error {
	server := &http.Server{Addr: address, Handler: http.HandlerFunc(answer)}
	return server.ListenAndServe()
}

func answer(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	var asked request
	if err != nil || json.Unmarshal(body, &asked) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if asked.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	var result string
	switch asked.Method {
	case "initialize":
		version := asked.Params.ProtocolVersion
		if version == modern || version == "" {
			version = legacy
		}
		quoted, _ := json.Marshal(version)
		result = `{"protocolVersion":` + string(quoted) + `,"capabilities":{"tools":{}},"serverInfo":{"name":"echo","version":"1"}}`
	case "server/discover":
		result = `{"supportedVersions":["` + modern + `","` + legacy + `"],"capabilities":{"tools":{}},` +
			`"serverInfo":{"name":"echo","version":"1"},"resultType":"complete","ttlMs":0,"cacheScope":"public"}`
	case "tools/list":
		result = tools
	case "tools/call":
		text, _ := json.Marshal(asked.Params.Arguments.Text)
		result = `{"content":[{"type":"text","text":` + string(text) + `}],"resultType":"complete"}`
	case "ping":
		result = `{}`
	default:
		send(w, http.StatusOK, `{"jsonrpc":"2.0","id":`+string(asked.ID)+`,"error":{"code":-32601,"message":"Unknown method"}}`)
		return
	}
	send(w, http.StatusOK, `{"jsonrpc":"2.0","id":`+string(asked.ID)+`,"result":`+result+`}`)
}

func send(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	io.WriteString(w, body)
}
