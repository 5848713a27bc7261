// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseReplay
import RepriseText

extension CorpusRun {
    /// The number of a client that was not recorded. Clients of a pair of users are recorded as 1 and 2.
    private static let firstNewClient = 3

    /// Plays the recordings to clients with other secrets.
    mutating func replay() async {
        guard example.again != false else { return }
        var recorded = CorpusTemplate(example, client: 1)
        var other = CorpusTemplate(example, client: Self.firstNewClient)
        outcome.isAgain = example.exchanges.contains { exchange in
            FilledExchange(exchange, &recorded, mark: "").sent != FilledExchange(exchange, &other, mark: "").sent
        }
        do {
            let transport = try ReplayingTransport(paths: [folder.cassette], configuration: .init(afterLast: .repeat))
            if example.users == true {
                await playToUsers(transport)
            } else {
                var client = CorpusTemplate(example, client: Self.firstNewClient)
                for number in example.exchanges.indices {
                    await play(number, to: &client, as: [1], "another client", transport)
                }
            }
        } catch {
            report(.failure, "\(error)".split(separator: "\n").joined(separator: " "))
        }
    }

    /// Plays the recordings of two users to two new users, the first of whom is the recorded first.
    private mutating func playToUsers(_ transport: ReplayingTransport) async {
        var first = CorpusTemplate(example, client: Self.firstNewClient)
        var second = CorpusTemplate(example, client: Self.firstNewClient + 1)
        for number in example.exchanges.indices {
            await play(number, to: &first, as: [1], "the first user", transport)
            await play(number, to: &second, as: [2], "the second user", transport)
        }
        // A sequence repeats its last answer, so each user gets the same as before.
        for number in example.exchanges.indices {
            await play(number, to: &second, as: [2], "the second user, once more", transport)
            await play(number, to: &first, as: [1], "the first user, once more", transport)
        }
        var third = CorpusTemplate(example, client: Self.firstNewClient + 2)
        for number in example.exchanges.indices {
            await play(number, to: &third, as: [1, 2], "a third user", transport)
        }
    }

    /// Sends a client's request, and checks that it gets the answer that was recorded for one of `users`.
    private mutating func play(
        _ number: Int,
        to client: inout CorpusTemplate,
        as users: [Int],
        _ who: String,
        _ transport: ReplayingTransport
    ) async {
        outcome.replays += 1
        let exchange = example.exchanges[number]
        let filled = FilledExchange(exchange, &client, mark: "")
        let place = "exchange \(number + 1) for \(who)"
        do {
            let body = filled.requestBody.isEmpty ? nil : Body(filled.requestBody)
            // A redirect is the answer. Where it leads was not requested in the recording.
            let options = RequestOptions(redirects: .dontFollow)
            let response = try await transport.send(filled.request(), body: body, options: options)
            let mark = response.headers[HTTPField.Name("X-Example")!] ?? "no mark"
            if !users.contains(where: { Self.mark($0, number) == mark }) {
                return report(.wrong, "\(place) got the answer \(mark)")
            }
            let head = response.headers.map { "\($0.name.rawName): \($0.value)\n" }.joined()
            let bytes = CorpusViews.plain(try await response.body.collect())
            let text = head + String(decoding: bytes, as: UTF8.self)
            let original = String(decoding: Array(filled.pieces.joined()), as: UTF8.self)
            for part in (example.plays ?? []).map({ client.fill($0) }) where original.contains(part) {
                if !text.contains(part) { report(.wrong, "\(place): expected \(part), found \(text)") }
            }
            take(exchange.take ?? [:], from: text, to: &client)
        } catch let error as TransportError where error.code == .noFixture {
            report(.miss, "\(place): \(filled.method) \(filled.url)")
        } catch {
            report(.failure, "\(place): \(error)".split(separator: "\n").joined(separator: " "))
        }
    }

    private mutating func take(
        _ wanted: [String: CorpusExchange.Taken],
        from text: String,
        to client: inout CorpusTemplate
    ) {
        for (name, taken) in wanted.sorted(by: { $0.key < $1.key }) {
            guard let start = text.range(of: taken.after), let end = text[start.upperBound...].range(of: taken.before)
            else {
                report(.shape, "\(name) is not between \(taken.after) and \(taken.before)")
                continue
            }
            let value = String(text[start.upperBound..<end.lowerBound])
            if let shape = taken.shape, !CorpusShape.hasShape(value, shape, of: client.value(name)) {
                report(.shape, "\(name): expected \(shape), found \(value)")
            }
            client.set(name, value)
        }
    }
}

extension FilledExchange {
    func request() throws -> HTTPRequest {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        var fields = HTTPFields()
        for line in requestHeaders {
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else {
                continue
            }
            fields.append(HTTPField(name: name, value: line[colon...].dropFirst().trimmingCharacters(in: .whitespaces)))
        }
        return HTTPRequest(
            method: HTTPRequest.Method(method)!,
            scheme: String(parts[0].dropLast()),
            authority: String(parts[2]),
            path: "/" + (parts.count > 3 ? parts[3] : ""),
            headerFields: fields
        )
    }
}

/// What clients expect of a value that they decode.
enum CorpusShape {
    /// Whether a value can be decoded as the recorded one could.
    static func hasShape(_ value: String, _ shape: String, of recorded: String) -> Bool {
        switch shape {
        case "jwt": return isToken(value)
        case "uuid": return UUID(uuidString: value) != nil
        case "hex": return value.count == recorded.count && value.allSatisfy(\.isHexDigit)
        case "digits": return value.count == recorded.count && value.allSatisfy { $0.isASCII && $0.isNumber }
        case "base64": return Data(base64Encoded: value) != nil
        default: fatalError("expected a shape, found \(shape)")
        }
    }

    /// Whether a value is a JSON Web Token (RFC 7519) that does not expire in the next ten years.
    private static func isToken(_ value: String) -> Bool {
        let parts = value.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, object(parts[0])?["alg"] != nil, let claims = object(parts[1]) else { return false }
        guard let expiry = (claims["exp"] as? NSNumber)?.doubleValue else { return false }
        return expiry > 2_100_000_000 && CorpusViews.base64url(parts[2]) != nil
    }

    private static func object(_ part: Substring) -> [String: Any]? {
        CorpusViews.base64url(part).flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] }
    }
}
