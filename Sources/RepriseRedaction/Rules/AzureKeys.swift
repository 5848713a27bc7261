// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// Keys in the connection strings of Azure: of a storage account, and of shared access.
    static let azure = spelled(
        #"AccountKey=[A-Za-z0-9+/]{40,}=*"#,
        #"SharedAccessKey=[A-Za-z0-9+/]{40,}=*"#
    )
}
