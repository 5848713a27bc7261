// SPDX-License-Identifier: Apache-2.0

internal import Reprise

/// Sends requests through the transport of a test's cassette, which is opened for the first request.
struct CassetteTransport: TimekeepingTransport {
    let cassette: TestCassette

    var enforcesTimeout: Bool {
        // A cassette that cannot be opened fails immediately.
        (try? cassette.open())?.enforcesTimeout ?? true
    }

    func enforcesTimeout(on clock: any Clock<Duration>) -> Bool {
        guard let transport = try? cassette.open() else { return true }
        return (transport as? any TimekeepingTransport)?.enforcesTimeout(on: clock) ?? false
    }

    func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        let number = cassette.log.begin(request)
        cassette.noteRequest()
        do throws(TransportError) {
            let response = try await cassette.open().send(request, body: body, options: options)
            cassette.log.end(number, "\(response.status)")
            return response
        } catch {
            cassette.log.end(number, "\(error.code)")
            throw error
        }
    }
}
