package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"
)

// A target is something that offers the tool: the server itself, or a gateway before it.
type target struct {
	Name    string            `json:"name"`
	Era     string            `json:"era"`
	URL     string            `json:"url"`
	Tool    string            `json:"tool"`
	Headers map[string]string `json:"headers"`
	PIDs    []int             `json:"pids"`    // processes whose time counts, with their descendants
	Seconds float64           `json:"seconds"` // of a round, if not that of the plan
	Ours    bool              `json:"ours"`
	Bar     float64           `json:"bar"` // how many times as many calls ours shall make
}

type plan struct {
	Rounds  int       `json:"rounds"`
	Seconds float64   `json:"seconds"`
	WarmUp  float64   `json:"warmUpSeconds"`
	Callers []int     `json:"callers"`
	Targets []*target `json:"targets"`
}

// measure calls the targets in turn, so that other load on the machine affects all of them equally.
func measure(file string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var p plan
	if err := json.Unmarshal(content, &p); err != nil {
		return err
	}
	first := int64(0)
	fresh := func() int64 { first += 1_000_000_000; return first }
	for _, t := range p.Targets {
		// One caller makes too few calls for a compiler at run time, so many warm all of them up.
		if _, err := runRound(t, p.Callers[len(p.Callers)-1], seconds(p.WarmUp), fresh()); err != nil {
			return fmt.Errorf("%s (%s): %w", t.Name, t.Era, err)
		}
	}
	for _, callers := range p.Callers {
		rounds := make(map[*target][]round)
		for range p.Rounds {
			for _, t := range p.Targets {
				length := p.Seconds
				if t.Seconds > 0 {
					length = t.Seconds
				}
				done, err := runRound(t, callers, seconds(length), fresh())
				if err != nil {
					return fmt.Errorf("%s (%s) with %d callers: %w", t.Name, t.Era, callers, err)
				}
				rounds[t] = append(rounds[t], done)
			}
		}
		report(p, callers, rounds)
	}
	return nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func report(p plan, callers int, rounds map[*target][]round) {
	load, _ := os.ReadFile("/proc/loadavg")
	fmt.Printf("\n%d callers, medians of %d rounds (load average %s)\n", callers, p.Rounds, strings.Fields(string(load) + " -")[0])
	fmt.Printf("  %-34s %-7s %10s %9s %9s %14s   %s\n", "", "era", "a second", "p50 ms", "p99 ms", "processor us", "ours/theirs")
	for _, t := range p.Targets {
		all := rounds[t]
		ratio := ""
		if ours := oursIn(p, t.Era); !t.Ours && t.Bar > 0 && len(ours) > 0 {
			var each []string
			for _, own := range ours {
				each = append(each, fmt.Sprintf("%.1f x", ratioOf(rounds[own], all)))
			}
			ratio = strings.Join(each, ", ")
			if callers > 1 {
				ratio += fmt.Sprintf(" (bar: %g)", t.Bar)
			}
		}
		fmt.Printf("  %-34s %-7s %10.1f %9.2f %9.2f %14.0f   %s\n", t.Name, t.Era,
			median(all, func(r round) float64 { return r.rate }), median(all, func(r round) float64 { return r.p50 }),
			median(all, func(r round) float64 { return r.p99 }), median(all, func(r round) float64 { return r.processor }), ratio)
	}
	if callers == 1 {
		for _, t := range p.Targets {
			if direct := directIn(p, t.Era); t.Ours && direct != nil {
				p50 := func(r round) float64 { return r.p50 }
				fmt.Printf("  added by %s, %s: %.2f ms in the median (bar: under 1 ms on a quiet machine)\n", t.Name, t.Era,
					median(rounds[t], p50)-median(rounds[direct], p50))
			}
		}
	}
}

// Gateways of one era are compared with each of ours in that era.
func oursIn(p plan, era string) (ours []*target) {
	for _, t := range p.Targets {
		if t.Ours && t.Era == era {
			ours = append(ours, t)
		}
	}
	return ours
}

func directIn(p plan, era string) *target {
	for _, t := range p.Targets {
		if len(t.PIDs) == 0 && t.Era == era {
			return t
		}
	}
	return nil
}

// The median of the ratios of each round, because the machine was the same for both in it.
func ratioOf(ours, theirs []round) float64 {
	ratios := make([]float64, len(ours))
	for i := range ours {
		ratios[i] = ours[i].rate / theirs[i].rate
	}
	sort.Float64s(ratios)
	return ratios[len(ratios)/2]
}

func median(rounds []round, value func(round) float64) float64 {
	values := make([]float64, len(rounds))
	for i, r := range rounds {
		values[i] = value(r)
	}
	sort.Float64s(values)
	return values[len(values)/2]
}

const ticksPerSecond = 100

// processorTime is that of processes and all their descendants that are alive.
func processorTime(pids []int) time.Duration {
	if len(pids) == 0 {
		return 0
	}
	type process struct {
		parent int
		ticks  int64
	}
	all := make(map[int]process)
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		pid, _ := strconv.Atoi(strings.Split(file, "/")[2])
		fields := strings.Fields(string(content[strings.LastIndexByte(string(content), ')')+1:]))
		parent, _ := strconv.Atoi(fields[1])
		user, _ := strconv.ParseInt(fields[11], 10, 64)
		system, _ := strconv.ParseInt(fields[12], 10, 64)
		all[pid] = process{parent, user + system}
	}
	var ticks int64
	for pid, p := range all {
		for at, depth := pid, 0; at > 1 && depth < 64; at, depth = all[at].parent, depth+1 {
			if contains(pids, at) {
				ticks += p.ticks
				break
			}
		}
	}
	return time.Duration(ticks) * time.Second / ticksPerSecond
}

func contains(pids []int, pid int) bool {
	for _, each := range pids {
		if each == pid {
			return true
		}
	}
	return false
}
