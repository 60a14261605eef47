// Command load measures MCP gateways side by side. It needs nothing but the standard library.
//
//	load upstream ADDRESS          a fast MCP server with one tool, which gives back its text
//	load issuer ADDRESS AUDIENCE   an OpenID issuer; GET /token gives a signed token
//	load measure TARGETS.json      calls every target in turn and prints a table
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "upstream":
		return serveUpstream(args[1])
	case len(args) == 3 && args[0] == "issuer":
		return serveIssuer(args[1], args[2])
	case len(args) == 2 && args[0] == "measure":
		return measure(args[1])
	default:
		return fmt.Errorf("use: upstream ADDRESS, issuer ADDRESS AUDIENCE, or measure TARGETS.json")
	}
}
