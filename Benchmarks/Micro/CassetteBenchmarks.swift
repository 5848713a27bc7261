// SPDX-License-Identifier: Apache-2.0

import Benchmark
import RepriseAnswers
import RepriseCassettes
import RepriseFixtures
import RepriseMatching
import RepriseText

/// Reading a cassette from bytes. Each sample reads about one megabyte, so the throughput is in megabytes per second.
func cassetteBenchmarks() {
    for (name, exchange) in [("small replies", smallReply), ("16 KiB of JSON each", largeReply)] {
        var text = #"{"reprise": 1, "exchanges": ["#
        var number = 0
        while text.utf8.count < 1_000_000 {
            text += (number == 0 ? "\n" : ",\n") + exchange(number)
            number += 1
        }
        text += "\n]}\n"
        let bytes = Array(text.utf8)
        let size = bytes.count / 1000
        Benchmark(
            "CassetteReader, \(name), \(size) kB",
            configuration: .init(scalingFactor: .one, maxDuration: .seconds(3))
        ) { benchmark in
            for _ in benchmark.scaledIterations {
                blackHole(try CassetteReader.read(bytes, file: "a.cassette.json", bodies: .inMemory([:])))
            }
        }
    }
}

private func smallReply(_ number: Int) -> String {
    exchange(number, json: #"{"id":"\#(number)","name":"A small reply, as static fixtures give it","ok":true}"#)
}

/// A typical list of an API, formatted over several lines as in a cassette that is easy to diff.
private func largeReply(_ number: Int) -> String {
    let items = (0..<128).map { item in
        #"""
                {
                  "id": \#(number * 128 + item),
                  "name": "Item \#(item), \"quoted\" and café",
                  "price": \#(item).50,
                  "tags": ["new", "sale"]
                }
        """#
    }
    return exchange(number, json: "{\n      \"items\": [\n" + items.joined(separator: ",\n") + "\n      ]\n    }")
}

private func exchange(_ number: Int, json: String) -> String {
    #"""
        {
          "request": {
            "method": "GET",
            "url": "https://api.example.com/api/v1/items/\#(number)",
            "headers": ["Accept: application/json"]
          },
          "response": {
            "status": "200 OK",
            "headers": [
              "Server: shelf/3.2",
              "Date: Sat, 21 Nov 2026 09:00:00 GMT",
              "Content-Type: application/json",
              "Connection: keep-alive"
            ],
            "body": {"json": \#(json)}
          }
        }
    """#
}
