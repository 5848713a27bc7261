// SPDX-License-Identifier: Apache-2.0
// A request by one of Node's clients: node client.mjs fetch|request|agent|undici|axios|got URL
import http from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';

const [, , kind, url] = process.argv;

function request(options) {
    const module = url.startsWith('https:') ? https : http;
    const agent = options.hasOwnAgent ? new module.Agent({ keepAlive: true }) : undefined;
    return new Promise((resolve, reject) => {
        module.get(`${url}/${kind}`, { agent, timeout: 20000 }, (response) => {
            let text = '';
            response.on('data', (data) => { text += data; });
            response.on('end', () => { agent?.destroy(); resolve(text); });
        }).on('error', reject);
    });
}

// Packages are found in NODE_PATH.
function load(name) {
    try { return createRequire(import.meta.url)(name); } catch { process.exit(77); }
}

const clients = {
    fetch: async () => (await fetch(`${url}/fetch`)).text(),
    request: () => request({ hasOwnAgent: false }),
    agent: () => request({ hasOwnAgent: true }),
    undici: async () => (await load('undici').request(`${url}/undici`)).body.text(),
    axios: async () => (await load('axios').get(`${url}/axios`)).data.message,
    got: async () => (await load('got')(`${url}/got`)).body,
};
console.log(process.version, await clients[kind]());
