// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// Keys of language model services.
    static let languageModels =
        spelled(
            // OpenAI, Anthropic, OpenRouter and others with the same key format.
            #"sk-[A-Za-z0-9]{16,}[\w-]*"#,
            #"sk-ant-[\w-]{16,}"#,
            #"sk-proj-[\w-]{16,}"#,
            // The client secrets of realtime sessions.
            #"ek_[A-Za-z0-9]{24,}"#,
            // Groq, xAI, Perplexity, Replicate, Hugging Face.
            #"gsk_\w{40,}"#,
            #"xai-\w{40,}"#,
            #"pplx-\w{40,}"#,
            #"r8_\w{37,}"#,
            #"hf_[A-Za-z0-9]{30,}"#,
            #"api_org_[A-Za-z0-9]{30,}"#,
            // LangSmith, Tavily, Pinecone, Weights and Biases, Jina, Fireworks, Cerebras.
            #"lsv2_[\w]{40,}"#,
            #"tvly-[\w-]{20,}"#,
            #"pcsk_[\w]{40,}"#,
            #"jina_[\w-]{40,}"#,
            #"fw_[A-Za-z0-9]{22,}"#,
            #"csk-[a-z0-9]{40,}"#
        )
        // Keys that consist of words. A digit distinguishes them from names.
        + spelled(#"sk-[\w-]{12,}"#) { $0.needsDigit = true }
}
