// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// Keys of Postman, Linear, Figma, Notion, Airtable, Atlassian, Asana, Dropbox, Contentful, and others.
    static let workplace = spelled(
        #"PMAK-[a-f0-9-]{50,}"#,
        #"lin_api_[A-Za-z0-9]{32,}"#,
        #"figd_[\w-]{30,}"#,
        #"ntn_[A-Za-z0-9]{30,}"#,
        #"secret_[A-Za-z0-9]{43}"#,
        #"lin_oauth_[A-Za-z0-9]{32,}"#,
        #"figo_[\w-]{30,}"#,
        #"figu_[\w-]{30,}"#,
        #"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"#,
        #"ATATT3[\w=-]{60,}"#,
        #"ATOATT3[\w=-]{60,}"#,
        #"sl\.[\w-]{100,}"#,
        #"CFPAT-[\w-]{40,}"#,
        #"phx_[A-Za-z0-9]{40,}"#,
        #"LTAI[A-Za-z0-9]{12,24}"#,
        #"AKID[A-Za-z0-9]{32,}"#,
        #"pat-na1-[a-f0-9-]{36}"#,
        #"pat-eu1-[a-f0-9-]{36}"#,
        #"EAACEdEose0cBA[A-Za-z0-9]+"#,
        #"EAAG[A-Za-z0-9]{80,}"#,
        #"IGQV[\w-]{80,}"#,
        #"AAAA[\w-]{7}:[\w-]{130,}"#
    )
}
