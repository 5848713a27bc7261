// SPDX-License-Identifier: Apache-2.0
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** A request by one of Java's clients: java Client.java client|connection URL */
class Client {
    public static void main(String[] arguments) throws Exception {
        URI uri = URI.create(arguments[1] + "/java");
        String body;
        if (arguments[0].equals("client")) {
            HttpRequest request = HttpRequest.newBuilder(uri).build();
            body = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
        } else {
            HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
            body = new String(connection.getInputStream().readAllBytes());
        }
        System.out.println(System.getProperty("java.version") + " " + body);
    }
}
