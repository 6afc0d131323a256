// Reads SQL statements, one JSON string a line, and answers a line each: empty where TiDB's own parser accepts the
// statement, otherwise what it says. It is TiDB's grammar and nothing behind it: names, types and rights are not checked.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/pingcap/tidb/pkg/parser"
	_ "github.com/pingcap/tidb/pkg/parser/test_driver"
)

func main() {
	statements := bufio.NewScanner(os.Stdin)
	statements.Buffer(make([]byte, 1<<20), 1<<28)
	answers := bufio.NewWriter(os.Stdout)
	defer answers.Flush()
	judge := parser.New()
	for statements.Scan() {
		var sql string
		if err := json.Unmarshal(statements.Bytes(), &sql); err != nil {
			fmt.Fprintf(os.Stderr, "not a JSON string: %v\n", err)
			os.Exit(2)
		}
		answer := ""
		if _, _, err := judge.Parse(sql, "", ""); err != nil {
			answer = strings.ReplaceAll(err.Error(), "\n", " ")
		}
		fmt.Fprintln(answers, answer)
	}
	if err := statements.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
