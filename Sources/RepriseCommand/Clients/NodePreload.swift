// SPDX-License-Identifier: Apache-2.0

/// The script that makes Node.js use the proxy in `https_proxy`, because Node 20 reads no proxy from the environment.
///
/// It tunnels what every agent of `http` and `https` connects to, including agents that a program makes itself, and
/// replaces the dispatcher of `fetch`, which undici shares.
enum NodePreload {
    /// The variable that names another one, such as `JEST_WORKER_ID`, whose value becomes the user of the proxy.
    static let workerVariable = "REPRISE_WORKER_VAR"

    static let text = #"""
        'use strict';
        const http = require('http');
        const https = require('https');
        const net = require('net');
        const tls = require('tls');

        // Without a proxy, Node stays as it is.
        let proxy;
        try { proxy = new URL(process.env.https_proxy); } catch { return; }
        const proxyHost = proxy.hostname.replace(/^\[|\]$/g, '');

        // Some runners give a worker its name long after its start.
        function authorization() {
            const worker = process.env[process.env.REPRISE_WORKER_VAR];
            if (worker) [proxy.username, proxy.password] = [worker, 'x'];
            const credentials = decodeURIComponent(proxy.username) + ':' + decodeURIComponent(proxy.password);
            return credentials === ':'
                ? {} : { 'Proxy-Authorization': 'Basic ' + Buffer.from(credentials).toString('base64') };
        }

        // For libraries and child processes that read the variables themselves.
        if (authorization()['Proxy-Authorization']) {
            for (const name of ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY']) {
                process.env[name] = proxy.href;
            }
        }

        const directly = http.Agent.prototype.createConnection;

        // Calls back with a socket that leads through the proxy to a host.
        function tunnel(host, port, callback) {
            const target = (net.isIPv6(host) ? `[${host}]` : host) + ':' + port;
            const request = http.request({
                host: proxyHost, port: proxy.port || 80, method: 'CONNECT', path: target,
                headers: { Host: target, ...authorization() }, createConnection: directly,
            });
            request.once('error', callback);
            request.once('connect', (response, socket, head) => {
                if (response.statusCode !== 200) {
                    socket.destroy();
                    return callback(new Error(`the proxy answered CONNECT ${target} with ${response.statusCode}`));
                }
                if (head.length > 0) socket.unshift(head);
                callback(null, socket);
            });
            request.end();
        }

        function isDirect(options) {
            if (options.socketPath || options.socket) return true;
            return options.host === proxyHost && String(options.port) === (proxy.port || '80');
        }

        for (const [module, isSecure] of [[http, false], [https, true]]) {
            const connect = module.Agent.prototype.createConnection;
            module.Agent.prototype.createConnection = function (options, callback) {
                if (isDirect(options) || !callback) return connect.apply(this, arguments);
                tunnel(options.host || 'localhost', options.port, (error, socket) => {
                    if (error) return callback(error);
                    callback(null, isSecure ? connect.call(this, { ...options, socket }) : socket);
                });
            };
        }

        // The class of fetch's dispatcher can only be reached through the dispatcher, which the first call creates.
        if (typeof fetch === 'function') fetch('data:,').catch(() => {});
        const [current, former] = [2, 1].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));
        const key = globalThis[current] ? current : former;
        if (globalThis[key]) {
            globalThis[key] = new globalThis[key].constructor({
                connect(options, callback) {
                    const isSecure = options.protocol === 'https:';
                    const host = options.hostname.replace(/^\[|\]$/g, '');
                    tunnel(host, options.port || (isSecure ? 443 : 80), (error, socket) => {
                        if (error) return callback(error, null);
                        if (!isSecure) return callback(null, socket);
                        const servername = options.servername || (net.isIP(host) ? '' : host);
                        const secured = tls.connect({ socket, servername, ALPNProtocols: ['http/1.1'] });
                        secured.once('error', (error) => callback(error, null));
                        secured.once('secureConnect', () => callback(null, secured));
                    });
                },
            });
            // Since Node 26, packages with an older undici get the same dispatcher, wrapped.
            if (key === current) globalThis[former] = new globalThis[former].constructor(globalThis[current]);
        }

        """#
}
