// SPDX-License-Identifier: Apache-2.0
//
// Loads a forward proxy with GETs over TLS in tunnels, because wrk uses no proxy:
//
//     cc -O2 -pthread -D_GNU_SOURCE -o tunnels Benchmarks/tunnels.c -lssl -lcrypto
//     tunnels PROXY-PORT HOST:PORT PATH CONNECTIONS SECONDS keep|new
//
// PATH may contain one %ld, which is replaced by the number of the request. With `new`, each request has a tunnel and a
// TLS handshake of its own, without resumption. The certificate is not verified. Prints the number of requests and the
// seconds that they took, and exits with 1 at the first answer that is not a 200.

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int port, isKept;
static const char *host, *path;
static double end;
static SSL_CTX *context;
static atomic_long requests;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void fail(const char *what) {
    fprintf(stderr, "tunnels: %s\n", what);
    exit(1);
}

typedef struct {
    int descriptor;
    SSL *tls;
} Tunnel;

static Tunnel openTunnel(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    int descriptor = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    char text[1024];
    size_t size = 0;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address)) fail("cannot connect to the proxy");
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    dprintf(descriptor, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", host, host);
    do {
        ssize_t count = read(descriptor, text + size, sizeof text - 1 - size);
        if (count <= 0) fail("the proxy closed the connection after CONNECT");
        text[size += count] = 0;
    } while (!strstr(text, "\r\n\r\n"));
    if (!strstr(text, " 200 ")) fail(text);
    SSL *tls = SSL_new(context);
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(host, ":"), host);
    // An address is not a name.
    if (name[strspn(name, "0123456789.")]) SSL_set_tlsext_host_name(tls, name);
    SSL_set_fd(tls, descriptor);
    if (SSL_connect(tls) != 1) fail("the TLS handshake failed");
    return (Tunnel){descriptor, tls};
}

static void closeTunnel(Tunnel tunnel) {
    SSL_shutdown(tunnel.tls);
    SSL_free(tunnel.tls);
    close(tunnel.descriptor);
}

static void sendRequest(Tunnel tunnel, long number) {
    char text[8192], target[512], *head, *length;
    snprintf(target, sizeof target, path, number);
    int size = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", target, host);
    if (SSL_write(tunnel.tls, text, size) <= 0) fail("cannot send a request");
    size = 0;
    do {
        int count = SSL_read(tunnel.tls, text + size, sizeof text - 1 - size);
        if (count <= 0) fail("the proxy closed the connection before the answer");
        text[size += count] = 0;
        head = strstr(text, "\r\n\r\n");
        length = head ? strcasestr(text, "\r\ncontent-length:") : NULL;
    } while (!length || size < head + 4 - text + atoi(length + 17));
    if (strncmp(text, "HTTP/1.1 200 ", 13)) fail(text);
}

static void *load(void *_) {
    Tunnel tunnel = {0};
    while (now() < end) {
        if (!tunnel.tls) tunnel = openTunnel();
        sendRequest(tunnel, atomic_fetch_add(&requests, 1));
        if (isKept) continue;
        closeTunnel(tunnel);
        tunnel.tls = NULL;
    }
    return NULL;
}

int main(int count, char **arguments) {
    if (count != 7) fail("usage: tunnels PROXY-PORT HOST:PORT PATH CONNECTIONS SECONDS keep|new");
    port = atoi(arguments[1]), host = arguments[2], path = arguments[3];
    int connections = atoi(arguments[4]);
    isKept = !strcmp(arguments[6], "keep");
    context = SSL_CTX_new(TLS_client_method());
    double start = now();
    end = start + atof(arguments[5]);
    pthread_t threads[connections];
    for (int i = 0; i < connections; i++) pthread_create(&threads[i], NULL, load, NULL);
    for (int i = 0; i < connections; i++) pthread_join(threads[i], NULL);
    printf("%ld %.3f\n", requests, now() - start);
}
