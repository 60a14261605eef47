package main

import (
	"bufio"
	"encoding/json"
	"net"
	"strconv"
	"strings"
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
	`"properties":{"text":{"type":"string"}},"required":["text"]},` +
	`"annotations":{"readOnlyHint":true,"openWorldHint":false}}],"resultType":"complete","ttlMs":0,"cacheScope":"public"}`

// serveUpstream answers both eras, without sessions.
func serveUpstream(address string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	for {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		go serve(conn)
	}
}

func serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReaderSize(conn, maxHead)
	for {
		head, err := readHead(in)
		if err != nil {
			return
		}
		body, err := readBody(in, head)
		if err != nil {
			return
		}
		if _, err := conn.Write(answer(head, body)); err != nil || head.closes {
			return
		}
	}
}

func answer(h head, body []byte) []byte {
	if !strings.HasPrefix(h.start, "POST ") {
		return response("405 Method Not Allowed", "")
	}
	var asked request
	if json.Unmarshal(body, &asked) != nil {
		return response("400 Bad Request", "")
	}
	if asked.ID == nil {
		return response("202 Accepted", "")
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
		return response("200 OK", `{"jsonrpc":"2.0","id":`+string(asked.ID)+`,"error":{"code":-32601,"message":"Unknown method"}}`)
	}
	return response("200 OK", `{"jsonrpc":"2.0","id":`+string(asked.ID)+`,"result":`+result+`}`)
}

func response(status, body string) []byte {
	return []byte("HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body)) +
		"\r\n\r\n" + body)
}
