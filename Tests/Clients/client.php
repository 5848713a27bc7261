<?php
// SPDX-License-Identifier: Apache-2.0
// A request by PHP's extension curl: php client.php URL
if (!function_exists('curl_init')) exit(77);
$request = curl_init("$argv[1]/php");
curl_setopt($request, CURLOPT_RETURNTRANSFER, true);
$body = curl_exec($request);
if ($body === false) fwrite(STDERR, curl_error($request) . "\n");
echo PHP_VERSION, ' ', $body;
