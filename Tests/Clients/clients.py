# SPDX-License-Identifier: Apache-2.0
"""Requests by one of Python's clients, as a program makes them that knows nothing of a proxy: clients.py NAME URL"""
import sys


def requests(url):
    import requests
    return requests.__version__, requests.get(url + "/requests", timeout=20).text


def httpx(url):
    import httpx
    return httpx.__version__, httpx.get(url + "/httpx", timeout=20).text


def urllib(url):
    import urllib.request
    return sys.version.split()[0], urllib.request.urlopen(url + "/urllib", timeout=20).read().decode()


def aiohttp(url):
    import aiohttp
    import asyncio

    async def get():
        async with aiohttp.ClientSession(trust_env=True) as session:
            async with session.get(url + "/aiohttp") as response:
                return await response.text()
    return aiohttp.__version__, asyncio.run(get())


def openai(url):
    import openai
    client = openai.OpenAI(api_key="sk-none", base_url=url + "/v1", max_retries=0, timeout=20)
    chat = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}])
    return openai.__version__, chat.choices[0].message.content


def anthropic(url):
    import anthropic
    client = anthropic.Anthropic(api_key="sk-none", base_url=url, max_retries=0, timeout=20)
    message = client.messages.create(model="m", max_tokens=9, messages=[{"role": "user", "content": "hi"}])
    return anthropic.__version__, message.content[0].text


def boto3(url):
    import boto3
    client = boto3.client("s3", endpoint_url=url, region_name="us-east-1", aws_access_key_id="AKIANONE",
                          aws_secret_access_key="none")
    return boto3.__version__, client.list_buckets()["Buckets"][0]["Name"]


if __name__ == "__main__":
    try:
        version, body = globals()[sys.argv[1]](sys.argv[2])
    except ModuleNotFoundError:
        sys.exit(77)
    print(version, body)
