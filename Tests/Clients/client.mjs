// SPDX-License-Identifier: Apache-2.0
// A request by one of Node's clients: node client.mjs fetch|request|agent URL
import http from 'node:http';
import https from 'node:https';

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

const text = kind === 'fetch'
    ? await (await fetch(`${url}/fetch`)).text() : await request({ hasOwnAgent: kind === 'agent' });
console.log(process.version, text);
