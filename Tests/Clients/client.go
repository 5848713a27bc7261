// SPDX-License-Identifier: Apache-2.0

// A request by Go's client: go run client.go URL
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
)

func main() {
	response, err := http.Get(os.Args[1] + "/go")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	body, _ := io.ReadAll(response.Body)
	fmt.Println(runtime.Version(), string(body))
}
