// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// Keys in Azure connection strings: storage account keys and shared access keys.
    static let azure = spelled(
        #"AccountKey=[A-Za-z0-9+/]{40,}=*"#,
        #"SharedAccessKey=[A-Za-z0-9+/]{40,}=*"#
    )
}
