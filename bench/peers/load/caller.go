package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"time"
)

// A caller has one connection and one call at a time, like an agent.
type caller struct {
	target  *target
	address string
	path    string
	conn    net.Conn
	reader  *bufio.Reader
	session string
	next    int64
}

const callTimeout = 60 * time.Second

func newCaller(t *target, first int64) (*caller, error) {
	where, err := url.Parse(t.URL)
	if err != nil {
		return nil, err
	}
	c := &caller{target: t, address: where.Host, path: where.RequestURI(), next: first}
	if err := c.connect(); err != nil {
		return nil, err
	}
	if t.Era == "legacy" {
		if err := c.initialize(); err != nil {
			c.close()
			return nil, err
		}
	}
	return c, nil
}

func (c *caller) connect() error {
	conn, err := net.DialTimeout("tcp", c.address, callTimeout)
	if err != nil {
		return err
	}
	c.conn, c.reader = conn, bufio.NewReader(conn)
	return nil
}

func (c *caller) close() { c.conn.Close() }

func (c *caller) initialize() error {
	head, _, err := c.post(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"`+legacy+
		`","capabilities":{},"clientInfo":{"name":"load","version":"1"}}}`, nil)
	if err != nil {
		return err
	}
	c.session = head.Get("Mcp-Session-Id")
	_, _, err = c.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil)
	return err
}

const meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modern +
	`","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"load","version":"1"}}`

// call makes one call with a text that no other call has, and checks that the answer is that text.
func (c *caller) call() error {
	c.next++
	text := "load-" + strconv.FormatInt(c.next, 10)
	more := ""
	var headers map[string]string
	if c.target.Era == "modern" {
		more = meta
		headers = map[string]string{"Mcp-Method": "tools/call", "Mcp-Name": c.target.Tool}
	}
	_, body, err := c.post(`{"jsonrpc":"2.0","id":`+strconv.FormatInt(c.next, 10)+`,"method":"tools/call","params":{"name":"`+
		c.target.Tool+`","arguments":{"text":"`+text+`"}`+more+`}}`, headers)
	if err != nil {
		return err
	}
	return check(body, c.next, text)
}

func check(body []byte, id int64, text string) error {
	var answer struct {
		ID     int64           `json:"id"`
		Error  json.RawMessage `json:"error"`
		Result struct {
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
			IsError bool `json:"isError"`
		} `json:"result"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return fmt.Errorf("no JSON: %.200s", body)
	}
	if answer.ID != id || answer.Result.IsError || len(answer.Result.Content) == 0 || answer.Result.Content[0].Text != text {
		return fmt.Errorf("wrong answer: %.300s", body)
	}
	return nil
}

func (c *caller) post(body string, headers map[string]string) (http.Header, []byte, error) {
	var out strings.Builder
	out.WriteString("POST " + c.path + " HTTP/1.1\r\nHost: " + c.address +
		"\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n")
	line := func(name, value string) { out.WriteString(name + ": " + value + "\r\n") }
	if c.target.Era == "modern" {
		line("MCP-Protocol-Version", modern)
	} else if c.session != "" {
		line("MCP-Protocol-Version", legacy)
		line("Mcp-Session-Id", c.session)
	}
	for name, value := range c.target.Headers {
		line(name, value)
	}
	for name, value := range headers {
		line(name, value)
	}
	line("Content-Length", strconv.Itoa(len(body)))
	out.WriteString("\r\n" + body)
	c.conn.SetDeadline(time.Now().Add(callTimeout))
	if _, err := io.WriteString(c.conn, out.String()); err != nil {
		return nil, nil, err
	}
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return nil, nil, err
	}
	content, err := read(response)
	if err != nil {
		return nil, nil, err
	}
	if response.StatusCode/100 != 2 {
		return nil, nil, fmt.Errorf("status %d: %.300s", response.StatusCode, content)
	}
	if response.Close {
		c.conn.Close()
		if err := c.connect(); err != nil {
			return nil, nil, err
		}
	}
	return response.Header, content, nil
}

var errNoEvent = errors.New("the stream ended without an answer")

// read returns the body; of an event stream the first message that is an answer.
func read(response *http.Response) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil || !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		return content, err
	}
	for _, line := range bytes.Split(content, []byte("\n")) {
		if data, found := bytes.CutPrefix(line, []byte("data:")); found && bytes.Contains(data, []byte(`"result"`)) {
			return bytes.TrimSpace(data), nil
		}
	}
	return nil, errNoEvent
}

// A round is what one target did with a number of callers for a while.
type round struct {
	rate      float64
	p50, p99  float64 // milliseconds
	processor float64 // microseconds of a call
}

func runRound(t *target, callers int, duration time.Duration, first int64) (round, error) {
	type outcome struct {
		took []time.Duration
		err  error
	}
	open := make([]*caller, callers)
	for i := range open {
		c, err := newCaller(t, first+int64(i)*10_000_000)
		if err != nil {
			return round{}, err
		}
		defer c.close()
		open[i] = c
	}
	before := processorTime(t.PIDs)
	start := time.Now()
	results := make(chan outcome, callers)
	for _, c := range open {
		go func() {
			var took []time.Duration
			for time.Since(start) < duration {
				began := time.Now()
				if err := c.call(); err != nil {
					results <- outcome{err: err}
					return
				}
				took = append(took, time.Since(began))
			}
			results <- outcome{took: took}
		}()
	}
	var all []time.Duration
	var failed error
	for range open {
		result := <-results
		if result.err != nil {
			failed = result.err
		}
		all = append(all, result.took...)
	}
	seconds := time.Since(start).Seconds()
	used := processorTime(t.PIDs) - before
	if failed != nil {
		return round{}, failed
	}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	at := func(share float64) float64 {
		return float64(all[min(len(all)-1, int(share*float64(len(all))))].Microseconds()) / 1000
	}
	return round{
		rate: float64(len(all)) / seconds, p50: at(0.5), p99: at(0.99),
		processor: float64(used.Microseconds()) / float64(len(all)),
	}, nil
}
