// SPDX-License-Identifier: Apache-2.0

internal import Foundation
private import RepriseText

/// A description of your program for the User-Agent field of a client's requests (RFC 9110 section 10.1.5).
///
/// ```swift
/// configuration.userAgent = UserAgent(name: "Atlas", version: "2.1")
/// ```
///
/// The field has the form `Atlas/2.1 (com.example.atlas; build:42; iOS 18.1.0) Reprise/0.1`. Properties that are nil
/// or empty are left out. In names and versions, characters that are not allowed are replaced with a hyphen. A
/// property can neither end the field nor start another one.
public struct UserAgent: Sendable, Hashable, CustomStringConvertible {
    /// The name of the program.
    public var name: String?
    /// The version of the program.
    public var version: String?
    /// The identifier of the program's bundle.
    public var bundle: String?
    /// The build number of the program.
    public var build: String?
    /// The platform, such as `iOS` or `Linux`.
    public var platform: String?
    /// The version of the platform.
    public var platformVersion: String?
    /// The name of the library.
    public var library: String?
    /// The version of the library.
    public var libraryVersion: String?

    /// Creates a User-Agent.
    ///
    /// - Parameters:
    ///   - name: The name of the program. If nil, the main bundle's name is used, or the process name if there is no
    ///     bundle.
    ///   - version: The version of the program. If nil, the main bundle's is used.
    ///   - bundle: The identifier of the bundle. If nil, the main bundle's is used.
    ///   - build: The build number. If nil, the main bundle's is used.
    ///   - platform: The platform. If nil, the current one is used.
    ///   - platformVersion: The version of the platform. If nil, the current one is used.
    ///   - library: The name of the library. If nil, `Reprise` is used.
    ///   - libraryVersion: The version of the library. If nil, Reprise's version is used.
    public init(
        name: String? = nil,
        version: String? = nil,
        bundle: String? = nil,
        build: String? = nil,
        platform: String? = nil,
        platformVersion: String? = nil,
        library: String? = nil,
        libraryVersion: String? = nil
    ) {
        self.init(bundle: Bundle.main.infoDictionary ?? [:])
        self.name = name ?? self.name
        self.version = version ?? self.version
        self.bundle = bundle ?? self.bundle
        self.build = build ?? self.build
        self.platform = platform ?? self.platform
        self.platformVersion = platformVersion ?? self.platformVersion
        self.library = library ?? self.library
        self.libraryVersion = libraryVersion ?? self.libraryVersion
    }

    init(bundle information: [String: Any]) {
        let system = ProcessInfo.processInfo.operatingSystemVersion
        name = information["CFBundleName"] as? String ?? ProcessInfo.processInfo.processName
        version = information["CFBundleShortVersionString"] as? String
        bundle = information["CFBundleIdentifier"] as? String
        build = information["CFBundleVersion"] as? String
        platform = Self.ownPlatform
        platformVersion = "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)"
        library = "Reprise"
        libraryVersion = "0.1"
    }

    /// The value of the field. Empty if all properties are nil or empty.
    public var description: String {
        let system = [platform, platformVersion].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
        let comments = [bundle, build.flatMap { $0.isEmpty ? nil : "build:\($0)" }, system]
            .compactMap(\.self).filter { !$0.isEmpty }.map(Self.comment)
        return [
            Self.product(name, version),
            comments.isEmpty ? nil : "(\(comments.joined(separator: "; ")))",
            Self.product(library, libraryVersion),
        ]
        .compactMap(\.self).joined(separator: " ")
    }

    private static func product(_ name: String?, _ version: String?) -> String? {
        guard let name = name.map(token), !name.isEmpty else { return nil }
        guard let version = version.map(token), !version.isEmpty else { return name }
        return "\(name)/\(version)"
    }

    /// Returns the text as a token (RFC 9110 section 5.6.2). Each run of characters that are not allowed becomes one
    /// hyphen.
    private static func token(_ text: String) -> String {
        text.utf8.split { !isTokenByte($0) }.map { String(decoding: $0, as: UTF8.self) }
            .joined(separator: "-")
    }

    /// Escapes the text for a comment (RFC 9110 section 5.6.5). Control characters become spaces.
    private static func comment(_ text: String) -> String {
        var comment: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0..<0x20, 0x7F: comment.append(UInt8(ascii: " "))
            case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\\"): comment += [UInt8(ascii: "\\"), byte]
            default: comment.append(byte)
            }
        }
        return String(decoding: comment, as: UTF8.self)
    }

    private static var ownPlatform: String {
        #if os(macOS)
            "macOS"
        #elseif os(iOS)
            "iOS"
        #elseif os(tvOS)
            "tvOS"
        #elseif os(watchOS)
            "watchOS"
        #elseif os(visionOS)
            "visionOS"
        #elseif os(Linux)
            "Linux"
        #else
            "unknown"
        #endif
    }
}
