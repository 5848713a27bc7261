# SPDX-License-Identifier: Apache-2.0
"""Reads the streams in Fixtures/llm with the official libraries: read_streams.py MOCKSERVER"""

import json
import re
import subprocess
import sys
import time

import anthropic
import openai

PROMPT = [{"role": "user", "content": "Which atlas shows the towers?"}]
SENTENCE = "The Lighthouse Atlas shows forty towers, from the cape in the south to the skerries in the north."
TOOL_CALLS = [("find_book", {"title": "The Lighthouse Atlas"}), ("check_stock", {"book": "b-17", "shop": "Harbour Street"})]
THOUGHT = "Twelve copies came in, and nine were sold. That leaves three."


class Server:
    """A mock server on a free port."""

    def __init__(self, binary, *arguments):
        command = [binary, "Fixtures/", "Tests/SDKs/retries.stub.json", "--port", "0", "--quiet", *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        found = re.search(r"http://[0-9.]+:[0-9]+", self.process.stdout.readline())
        if not found:
            raise RuntimeError(f"{' '.join(command)} did not start")
        self.url = found.group()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class Messages:
    """Streams of named events, which end with message_stop."""

    statuses = {429: anthropic.RateLimitError, 529: anthropic.InternalServerError}
    error_in_stream = anthropic.APIStatusError

    def __init__(self, url):
        self.url = url

    def client(self, case, retries=0):
        return anthropic.Anthropic(api_key="none", base_url=f"{self.url}/llm/{case}", max_retries=retries, timeout=30)

    def read(self, case, retries=0, texts=None):
        """Returns the answer that the library puts together. Appends each text that arrives to `texts`."""
        stream = self.client(case, retries).messages.stream(model="shelf-1", max_tokens=100, messages=PROMPT)
        with stream as events:
            for text in events.text_stream:
                if texts is not None:
                    texts.append(text)
            message = events.get_final_message()
        blocks = message.content
        return {
            "text": "".join(block.text for block in blocks if block.type == "text"),
            "thought": "".join(block.thinking for block in blocks if block.type == "thinking"),
            "calls": [(block.name, block.input) for block in blocks if block.type == "tool_use"],
            "reason": message.stop_reason,
            "tokens": message.usage.output_tokens,
            "cached": message.usage.cache_read_input_tokens,
        }

    reasons = {"text": "end_turn", "tools": "tool_use", "length": "max_tokens"}


class Completions:
    """Streams of data lines, which end with [DONE]."""

    statuses = {429: openai.RateLimitError, 529: openai.InternalServerError}
    error_in_stream = openai.APIError

    def __init__(self, url):
        self.url = url

    def client(self, case, retries=0):
        return openai.OpenAI(api_key="none", base_url=f"{self.url}/llm/{case}/v1", max_retries=retries, timeout=30)

    def read(self, case, retries=0, texts=None):
        """Returns the answer that the library reads. Appends each text that arrives to `texts`."""
        stream = self.client(case, retries).chat.completions.create(model="shelf-1", messages=PROMPT, stream=True)
        answer = {"text": "", "thought": "", "calls": [], "reason": None, "tokens": None, "cached": None}
        calls = {}
        with stream:
            for chunk in stream:
                for choice in chunk.choices:
                    if choice.delta.content:
                        answer["text"] += choice.delta.content
                        if texts is not None:
                            texts.append(choice.delta.content)
                    answer["thought"] += getattr(choice.delta, "reasoning_content", None) or ""
                    for call in choice.delta.tool_calls or []:
                        name, arguments = calls.get(call.index, ("", ""))
                        calls[call.index] = (name + (call.function.name or ""), arguments + call.function.arguments)
                    answer["reason"] = choice.finish_reason or answer["reason"]
                if chunk.usage:
                    answer["tokens"] = chunk.usage.completion_tokens
                    answer["cached"] = chunk.usage.prompt_tokens_details.cached_tokens
        answer["calls"] = [(name, json.loads(arguments)) for name, arguments in calls.values()]
        return answer

    reasons = {"text": "stop", "tools": "tool_calls", "length": "length"}


def expect(found, expected):
    if found != expected:
        raise AssertionError(f"expected {expected!r}, found {found!r}")


def raised(kinds, body):
    """Runs `body` and returns the error that it raises, which must be of one of `kinds`."""
    try:
        result = body()
    except kinds as error:
        return error
    raise AssertionError(f"expected an error, found {result!r}")


def read_answers(api):
    answer = api.read("plain-text")
    expect((answer["text"], answer["reason"]), (SENTENCE, api.reasons["text"]))
    answer = api.read("tool-without-arguments")
    expect((answer["calls"], answer["reason"]), ([("list_shelves", {})], api.reasons["tools"]))
    answer = api.read("parallel-tools")
    expect((answer["calls"], answer["reason"]), (TOOL_CALLS, api.reasons["tools"]))
    answer = api.read("reasoning")
    expect((answer["thought"], answer["text"]), (THOUGHT, "Three copies are left."))
    answer = api.read("usage")
    expect((answer["tokens"], answer["cached"], answer["reason"]), (8, 2048, api.reasons["length"]))


def read_failures(api):
    texts = []
    error = raised(api.error_in_stream, lambda: api.read("error-in-stream", texts=texts))
    expect("".join(texts), "The Lighthouse Atlas")
    print(f"    error in the stream: {type(error).__module__}.{type(error).__name__}")
    for case, status in [("rate-limited", 429), ("overloaded", 529)]:
        error = raised(api.statuses[status], lambda: api.read(case))
        expect((error.status_code, error.response.headers["retry-after"]), (status, "2"))
        print(f"    {status}: {type(error).__module__}.{type(error).__name__}")
    # A part of the answer must not look like the whole.
    error = raised(Exception, lambda: api.read("cut-off"))
    print(f"    broken connection: {type(error).__module__}.{type(error).__name__}")


def read_after_retries(api):
    start = time.monotonic()
    expect(api.read("rate-limited-twice", retries=2)["text"], SENTENCE)
    # Both answers with 429 say to wait for a second.
    waited = time.monotonic() - start
    if waited < 2:
        raise AssertionError(f"expected to wait for two seconds between the attempts, waited {waited:.1f} s")


def main(binary):
    for arguments in [["--latency", "recorded"], ["--pace", "instant", "--bend", ": rechunk 7"], ["--pace", "instant", "--bend", ": rechunk 1"]]:
        print(" ".join(arguments))
        with Server(binary, *arguments) as server:
            for api in [Messages(server.url), Completions(server.url)]:
                print(f"  {type(api).__name__}")
                read_answers(api)
                read_failures(api)
                if "rechunk" not in str(arguments):
                    read_after_retries(api)
    print("every stream was read as expected")


main(sys.argv[1])
