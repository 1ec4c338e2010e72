# SPDX-License-Identifier: GPL-3.0-or-later
# Requests to `tetralab serve`, written byte by byte, as no browser would: what is in the folders of tests/test_serve.sh and
# may be read is there, and nothing else comes out, whatever the request looks like. The seed is fixed.
# Usage: requests.py PORT
import random
import socket
import sys

port = int(sys.argv[1])
failures = checks = 0


def is_whole(answer):
    """Is all of it there? A connection may stay open for another request."""
    head, end, body = answer.partition(b"\r\n\r\n")
    length = [line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return bool(end) and bool(length) and len(body) >= int(length[0])


def send(data):
    answer = b""
    with socket.create_connection(("127.0.0.1", port), 10) as connection:
        connection.settimeout(3)  # what is no whole request is not answered
        connection.sendall(data)
        try:
            connection.shutdown(socket.SHUT_WR)
            while not is_whole(answer) and (part := connection.recv(65536)):
                answer += part
        except OSError:
            pass
    return answer


def get(path, host=None, method="GET", more="", body=""):
    host = f"127.0.0.1:{port}" if host is None else host
    lines = f"{method} {path} HTTP/1.1\r\n" + (f"Host: {host}\r\n" if host else "") + f"Connection: close\r\n{more}\r\n{body}"
    answer = send(lines.encode("latin-1"))
    head, _, body = answer.partition(b"\r\n\r\n")
    return (int(head.split()[1]) if head.startswith(b"HTTP") else 0), body, head


def check(what, good, more=""):
    global failures, checks
    checks += 1
    if not good:
        failures += 1
        print("FAILED:", what, more)


# What may be read.
for path, wanted in [("/", b"<p>page</p>"), ("/index.html", b"<p>page</p>"), ("/app.js", b"let x"), ("/runs/0/run.json", b"plan"),
                     ("/runs/0/journal.jsonl", b'{"generation":1}\n{"generation":2}\n'), ("/runs/0/journal.jsonl?from=17", b'{"generation":2}\n'),
                     ("/runs/0/journal.jsonl?from=999999", b"")]:
    if path.startswith("/runs"):
        get("/runs.json")
    status, body, _ = get(path)
    check(path, status == 200 and (wanted in body if wanted else body == b""), (status, body))
status, body, head = get("/runs.json")
check("the two runs", status == 200 and b'"one"' in body and b'"two"' in body and b"three" not in body and b"nothing" not in body, body)
check("scripts have their type", b"text/javascript" in get("/app.js")[2])
check("nothing may be loaded from elsewhere", b"default-src 'none'" in head and b"nosniff" in head)
check("HEAD has no body", get("/", method="HEAD")[:2] == (200, b""))

# What may not.
ids = [run for run in (0, 1) if get(f"/runs/{run}/best.json")[0] == 200]
check("of the two best.json one is a link", len(ids) == 1, ids)
secrets = ["/../secret", "/..%2fsecret", "/%2e%2e/secret", "/%2e%2e%2fsecret", "/..%5csecret", "/....//secret", "/./../secret", "//secret",
           "/link.txt", "/.hidden", "/folder/inner", "/folder%2finner", "/folder", "/pipe", "/%00", "/index.html%00.png/../../secret",
           "/app.js/../../secret", "/runs/0/../../../secret", "/runs/0/..%2f..%2f..%2fsecret", "/runs/0/checkpoint-1.json",
           "/runs/0/./checkpoint-1.json", "/runs/0/run.json/../checkpoint-1.json", "/runs/..%2f0/run.json/", "/runs/-1/run.json", "/runs/2/run.json",
           "/runs/00000000000000000000000/run.json", "/runs/99999999999999999999/run.json", "/runs/0x0/run.json", "/runs/ 0/run.json",
           "/runs/three/run.json", "/runs/0//run.json", "/runs//run.json", "/runs/0", "/runs/", "/runs", "/runs/0/", "/runs.json/", "/etc/passwd",
           "//etc/passwd", "/proc/self/environ", "/runs/0/journal.jsonl?from=-1", "/runs/0/journal.jsonl?from=1e3", "/runs/0/journal.jsonl?from=",
           "/%c0%ae%c0%ae/secret", "/%252e%252e/secret", "/\\..\\secret", "/~root/x", "/INDEX.HTML", "/index.html/", "/index.html.", "/%69ndex.html/.."]
for path in secrets:
    status, body, _ = get(path)
    check(path, b"secret" not in body and b"root:" not in body and status in (0, 400, 404), (status, body[:80]))
check("an address in the request line", b"secret" not in get("http://127.0.0.1/../secret")[1])

# Others' names for this machine (DNS rebinding), and none.
for host in ["evil.example", f"evil.example:{port}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.1.evil.example:{port}", f"localhost.evil.example:{port}",
             f"127.0.0.1:{port}.evil.example", f"evil@127.0.0.1:{port}", f"[::1]:{port}", f"0.0.0.0:{port}", " ", "x" * 3000]:
    status, body, _ = get("/", host=host)
    check(f"Host: {host[:40]}", status in (0, 400, 403, 431) and b"page" not in body, (status, body[:80]))
check("no Host", get("/", host="")[0] in (0, 400, 403))
check("Host: localhost", get("/", host=f"localhost:{port}")[0] == 200)
for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "BREW"]:
    has_body = method in ("POST", "PUT")
    status, body, _ = get("/", None, method, "Content-Length: 3\r\n" if has_body else "", "a=b" if has_body else "")
    check(method, status in (0, 400, 405, 501) and b"<p>page" not in body, (status, body))

# Bytes that are no request, and requests that were damaged.
chance = random.Random(15)
whole = f"GET /runs/0/journal.jsonl?from=3 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode()
for _ in range(300):
    data = bytearray(whole)
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(data))
        if chance.random() < 0.4:
            data[at:at] = chance.choice([b"../", b"%2f", b"%2e%2e", b"\0", b"//", b"%00", b"A" * 200, b"\r\n", b"?from=", b"\xff"])
        else:
            data[at] = chance.randrange(256)
    check("a damaged request", b"secret" not in send(bytes(data)), bytes(data))
check("it still serves", get("/")[0] == 200)
print(f"{checks} requests looked at, {failures} failed.")
sys.exit(failures > 0)
