// SPDX-License-Identifier: Apache-2.0

import Reprise

/// A photo of a journey.
public struct Photo: Codable, Sendable, Hashable, Identifiable {
    /// Its number.
    public var id: String
    /// What it shows.
    public var caption: String
}

/// What a friend says.
public struct Message: Codable, Sendable, Hashable {
    /// Who says it.
    public var author: String
    /// What is said.
    public var text: String
}

/// What the journal does not do, and why.
public enum TravelogError: Error, Hashable {
    case wrongPassword, signedOut, noSuchPhoto
    /// Anything else, with what its support asks for.
    case refused(BusinessError)
}

struct Page: Decodable {
    var photos: [Photo]
    var next: String?
}

/// What the API puts around all it says.
struct Reply: Envelope {
    let code: BusinessCode
    let message: String?
    let requestID: String?

    enum CodingKeys: String, CodingKey { case code, message, requestID = "request_id" }

    static var statusCodes: Set<Int> { [200, 201] }

    static func error(for failure: BusinessError) -> (any Error)? {
        switch failure.code {
        case 40101: TravelogError.wrongPassword
        case 40102: TravelogError.signedOut
        case 40401: TravelogError.noSuchPhoto
        default: TravelogError.refused(failure)
        }
    }
}
