package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A head is what this program needs to know of the head of a request or a response.
type head struct {
	start     string // the request line or status line
	mediaType string
	session   string
	length    int64 // of the body; negative if it is not known
	chunked   bool
	closes    bool // the connection ends after this message
}

const (
	maxHead = 16 << 10
	maxBody = 1 << 20
)

// readHead and readBody know just enough of HTTP/1.1. The library knows more, and takes half of the time that a call
// spends in this program, which shares the processors with the gateway that is measured.
func readHead(in *bufio.Reader) (head, error) {
	h := head{length: -1}
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return h, err
		}
		line = bytes.TrimRight(line, "\r\n")
		switch name, value, found := bytes.Cut(line, []byte(":")); {
		case h.start == "":
			h.start = string(line)
			h.closes = !strings.Contains(h.start, "HTTP/1.1")
		case len(line) == 0:
			return h, nil
		case !found:
			return h, fmt.Errorf("no header: %.100s", line)
		default:
			if err := h.read(name, bytes.TrimSpace(value)); err != nil {
				return h, err
			}
		}
	}
}

func (h *head) read(name, value []byte) (err error) {
	is := func(known string) bool { return len(name) == len(known) && strings.EqualFold(string(name), known) }
	switch {
	case is("Content-Length"):
		h.length, err = strconv.ParseInt(string(value), 10, 64)
	case is("Transfer-Encoding"):
		h.chunked = strings.EqualFold(string(value), "chunked")
	case is("Content-Type"):
		h.mediaType = string(value)
	case is("Connection"):
		h.closes = h.closes || strings.EqualFold(string(value), "close")
	case is("Mcp-Session-Id"):
		h.session = string(value)
	}
	return err
}

// readBody reads a body whose end is known.
func readBody(in *bufio.Reader, h head) ([]byte, error) {
	if !h.chunked {
		return readExactly(in, max(h.length, 0))
	}
	var body []byte
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		size, _, _ := strings.Cut(strings.TrimSpace(string(line)), ";")
		length, err := strconv.ParseInt(size, 16, 64)
		if err != nil {
			return nil, err
		}
		chunk, err := readExactly(in, length)
		if err != nil {
			return nil, err
		}
		if body = append(body, chunk...); len(body) > maxBody {
			return nil, errTooLarge
		}
		if _, err := in.ReadSlice('\n'); err != nil || length == 0 {
			return body, err
		}
	}
}

var errTooLarge = fmt.Errorf("the body has more than %d bytes", maxBody)

func readExactly(in *bufio.Reader, length int64) ([]byte, error) {
	if length < 0 || length > maxBody {
		return nil, errTooLarge
	}
	body := make([]byte, length)
	_, err := io.ReadFull(in, body)
	return body, err
}
