// gopher-parse-sitemap: sitemap.Parse over the bytes, every field of each entry taken. Speaks the same lines as
// ../worker.py.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"runtime/debug"
	"syscall"
	"time"

	sitemap "github.com/oxffaa/gopher-parse-sitemap"
)

func read(data []byte) int {
	entries := 0
	err := sitemap.Parse(bytes.NewReader(data), func(entry sitemap.Entry) error {
		_, _, _, _ = entry.GetLocation(), entry.GetLastModified(), entry.GetChangeFrequency(), entry.GetPriority()
		entries++
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	return entries
}

func busy() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		log.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func answer(value any) {
	line, err := json.Marshal(value)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(line))
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == "github.com/oxffaa/gopher-parse-sitemap" {
				return module.Version
			}
		}
	}
	return "unknown version"
}

func main() {
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	answer(map[string]any{"versions": map[string]string{"gopher-parse-sitemap": version()}})
	turns := bufio.NewScanner(os.Stdin)
	for turns.Scan() {
		// As in ../worker.py: a turn lasts at least a second, and the mean of its reads counts.
		used, start := busy(), time.Now()
		reads, entries := 0, 0
		for ; reads == 0 || time.Since(start) < time.Second; reads++ {
			entries = read(data)
		}
		answer(map[string]any{
			"seconds":     time.Since(start).Seconds() / float64(reads),
			"cpu_seconds": (busy() - used).Seconds() / float64(reads),
			"entries":     entries,
		})
	}
}
