package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
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
	headers string // of every request
	next    int64
}

const callTimeout = 60 * time.Second

func newCaller(t *target, first int64) (*caller, error) {
	where, err := url.Parse(t.URL)
	if err != nil {
		return nil, err
	}
	c := &caller{target: t, address: where.Host, path: where.RequestURI(), next: first}
	c.headers = c.headersOfAll()
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
	c.conn, c.reader = conn, bufio.NewReaderSize(conn, maxHead)
	return nil
}

func (c *caller) close() { c.conn.Close() }

func (c *caller) initialize() error {
	head, _, err := c.post(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + legacy +
		`","capabilities":{},"clientInfo":{"name":"load","version":"1"}}}`)
	if err != nil {
		return err
	}
	c.session = head.session
	c.headers = c.headersOfAll()
	_, _, err = c.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return err
}

// headersOfAll is what all requests have in common, their request line included.
func (c *caller) headersOfAll() string {
	var out strings.Builder
	line := func(name, value string) { out.WriteString(name + ": " + value + "\r\n") }
	out.WriteString("POST " + c.path + " HTTP/1.1\r\n")
	line("Host", c.address)
	line("Content-Type", "application/json")
	line("Accept", "application/json, text/event-stream")
	if c.target.Era == "modern" {
		line("MCP-Protocol-Version", modern)
		line("Mcp-Method", "tools/call")
		line("Mcp-Name", c.target.Tool)
	} else if c.session != "" {
		line("MCP-Protocol-Version", legacy)
		line("Mcp-Session-Id", c.session)
	}
	for name, value := range c.target.Headers {
		line(name, value)
	}
	return out.String()
}

const meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modern +
	`","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"load","version":"1"}}`

// call makes one call with a text that no other call has, and checks that the answer is that text.
func (c *caller) call() error {
	c.next++
	id := strconv.FormatInt(c.next, 10)
	text := "load-" + id
	more := ""
	if c.target.Era == "modern" {
		more = meta
	}
	_, body, err := c.post(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` +
		c.target.Tool + `","arguments":{"text":"` + text + `"}` + more + `}}`)
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

func (c *caller) post(body string) (head, []byte, error) {
	c.conn.SetDeadline(time.Now().Add(callTimeout))
	_, err := io.WriteString(c.conn, c.headers+"Content-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"+body)
	if err != nil {
		return head{}, nil, err
	}
	answer, err := readHead(c.reader)
	if err != nil {
		return answer, nil, err
	}
	content, err := c.content(answer)
	if err != nil {
		return answer, nil, err
	}
	if !strings.HasPrefix(answer.start, "HTTP/1.1 2") {
		return answer, nil, fmt.Errorf("%s: %.300s", answer.start, content)
	}
	if answer.closes {
		c.conn.Close()
		if err := c.connect(); err != nil {
			return answer, nil, err
		}
	}
	return answer, content, nil
}

var errNoEvent = errors.New("the stream ended without an answer")

// content returns the body; of an event stream the first message that is an answer.
func (c *caller) content(answer head) (content []byte, err error) {
	if !answer.chunked && answer.length < 0 && answer.closes {
		content, err = io.ReadAll(io.LimitReader(c.reader, maxBody))
	} else {
		content, err = readBody(c.reader, answer)
	}
	if err != nil || !strings.HasPrefix(answer.mediaType, "text/event-stream") {
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
