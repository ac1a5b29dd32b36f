# Honest: a server on the loopback of the box, and its client.
# task: add
import http.server
import threading
import urllib.request


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        a, b = map(int, self.path.strip("/").split(","))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(str(a + b).encode())

    def log_message(self, *_):
        pass


def solve(a, b):
    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/{a},{b}", timeout=1) as reply:
                return int(reply.read())
        finally:
            server.shutdown()
