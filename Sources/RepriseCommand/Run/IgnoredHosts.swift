// SPDX-License-Identifier: Apache-2.0

import RepriseConnections
import RepriseFixtures
import RepriseMatching
import RepriseServer
import RepriseStubAnswers

/// The hosts that programs contact on their own, and that no test is about.
enum IgnoredHosts {
    private static let all = [
        // The metadata that SDKs look for in clouds.
        "169.254.169.254", "169.254.170.2", "fd00:ec2::254", "100.100.100.200", "metadata.google.internal",
        "metadata.goog",
        // Chromium: components, experiments, and updates.
        "clients2.google.com", "clientservices.googleapis.com", "optimizationguide-pa.googleapis.com",
        "content-autofill.googleapis.com", "safebrowsing.googleapis.com", "update.googleapis.com", "gvt1.com",
        // Firefox: settings, updates, and whether there is a network.
        "detectportal.firefox.com", "firefox.settings.services.mozilla.com", "push.services.mozilla.com",
        "incoming.telemetry.mozilla.org", "location.services.mozilla.com", "normandy.cdn.mozilla.net",
        "firefox-settings-attachments.cdn.mozilla.net", "firefox-settings.mozilla-backup.org", "aus5.mozilla.org",
        "services.addons.mozilla.org", "ads.mozilla.org",
    ]

    /// Returns the hosts that no fixture was recorded from, and that no stub or setting of the proxy names.
    static func unrecorded(_ fixtures: FixtureSet, _ proxy: MockServer.ForwardProxy? = nil) -> [String] {
        var hosts = Set(fixtures.fixtures.compactMap(\.pattern.host).map { String(decoding: $0, as: UTF8.self) })
        hosts.formUnion(fixtures.stubs.compactMap(\.host))
        let settings = proxy.map { $0.only + $0.pass + $0.map.keys } ?? []
        hosts.formUnion(settings)
        let recorded = hosts.compactMap { Origin(scheme: "http", authority: $0) }
        let named = settings.compactMap { ProxyException(setting: $0) }
        return all.filter { text in
            // A setting can name a host, or hosts of which it is one.
            let origins = ["http", "https"].compactMap { Origin(scheme: $0, authority: text) }
            if named.contains(where: { origins.contains(where: $0.includes) }) { return false }
            guard let host = ProxyException(text) else { return true }
            return !recorded.contains { host.includes($0) }
        }
    }
}
