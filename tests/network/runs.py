"""What urlset is made to do in that world: every command that fetches, and what may come of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.network.world import AUTH, FLIPPED, NAMES, OWN, PRIVATE_HOST, SECRET, SITE

SECRETS = ("--header", f"X-Secret: {SECRET}", "--auth", AUTH)
USUAL = (
    "--no-cache",
    "--no-config",
    "--retries",
    "0",
    "--timeout",
    "20",
    "--concurrency",
    "32",
    "--ca-bundle",
    "ca.pem",
)

HOSTS_R = [f"http://{number}.r.test" for number in NAMES]
HOSTS_W = [f"http://{number}.w.test" for number in NAMES]
ROBOTS = ("http://public.test/robots.txt",)
INDEX = ("http://public.test/index.xml", "http://public.test/nested.xml", "http://public.test/list.xml")
REDIRECTS = tuple(f"http://public.test/redirect/{number}.xml" for number in NAMES)
HOPS = tuple(
    url
    for number in NAMES
    for url in (
        f"http://public.test/hop/{number}.xml",
        f"https://public.test/hop-tls/{number}.xml",
        f"http://public.test:8080/hop-port/{number}.xml",
    )
)
ROBOTS_REDIRECTS = tuple(f"http://{number}.r.test/robots.txt" for number in NAMES)
PAGES = tuple(f"http://public.test/{way}/{number}" for number in NAMES for way in ("page", "page-redirect"))
OTHERS = tuple(f"http://public.test/{name}" for name in ("feed.xml", "atom.xml", "list.txt", "outside.xml"))
IMAGES = tuple(f"http://public.test/image-redirect/{number}.jpg" for number in NAMES)
BUILT = tuple(f"http://public.test/build/{number}.xml" for number in NAMES)
BUILT_OWN = tuple(f"http://public.test/build-own/{number}" for number in range(len(OWN)))


@dataclass(frozen=True)
class Run:
    """Command lines of one process, and what may come of them.

    Attributes:
        commands: The command lines, without the usual options; `python` first for a script.
        lures: What public servers must have been asked for, or nothing was tried.
        trusted: The origins that the user names: they alone get the secrets, as `scheme://host:port`.
        told: Of those, what must have got them.
        own: Addresses of private networks that the user's own word allows.
        only_link: Whether no more is asked than that addresses of the link stay unreached.
        reaches: Places whose reachable targets must have been reached.
        files: Files in the folder that the commands run in.
        stdin: What stands in standard input.
    """

    commands: tuple[tuple[str, ...], ...]
    lures: tuple[str, ...]
    trusted: frozenset[str] = frozenset({SITE})
    told: tuple[str, ...] = ()
    own: frozenset[str] = frozenset()
    only_link: bool = False
    reaches: tuple[str, ...] = ()
    files: tuple[str, ...] = field(default=("local.xml", "web/pages.xml", "before.xml"))
    stdin: str = "http://build.secret/stdin\n"


SCRIPT = """
import urlset
fetch = {"cache": False, "retries": 0, "header": ["X-Secret: s3cr3t"], "auth": "bob:hunter2", "ca_bundle": "ca.pem"}
more = {**fetch, "discover": True, "expand": True}
urlset.validate("http://public.test", **more)
urlset.inspect("http://public.test", **more)
urlset.discover("http://public.test", **fetch)
urlset.check("http://public.test", **fetch)
urlset.read("http://public.test/list.xml", **fetch)
urlset.audit("http://public.test", store="api.duckdb", images=True, **fetch)
"""

RESUMED = """
import urlset
from urlset.cli.main import main
from urlset.pipeline import audit
probe = audit.probe
def stop(*_):
    raise KeyboardInterrupt
more = ["--no-cache", "--no-config", "--retries", "0", "--ca-bundle", "ca.pem", "--images"]
secrets = ["--header", "X-Secret: s3cr3t", "--auth", "bob:hunter2"]
audit.probe = stop
assert main(["audit", "http://public.test/list.xml", *more]) == 130
audit.probe = probe
assert main(["audit", "http://public.test/list.xml", "--resume", *more, *secrets]) in (0, 1)
"""

RUNS: dict[str, Run] = {
    "validate": Run(
        (("validate", SITE, "--discover", "--expand", *SECRETS),),
        (*ROBOTS, *INDEX, *REDIRECTS, *HOPS, *ROBOTS_REDIRECTS[:90], f"{SITE}/"),
        told=(*INDEX, *REDIRECTS),
    ),
    "validate without secrets": Run((("validate", f"{SITE}/index.xml", "--expand"),), (*INDEX, *REDIRECTS, *HOPS)),
    "inspect": Run(
        (
            ("inspect", SITE, "--discover", "--expand", *SECRETS),
            ("inspect", f"{SITE}/index.xml", "--expand", "--urls", *SECRETS),
        ),
        (*ROBOTS, *INDEX, *REDIRECTS, *HOPS),
        told=(*INDEX, *REDIRECTS),
    ),
    "audit": Run(
        (("audit", SITE, "--images", *SECRETS),),
        (*ROBOTS, *INDEX, *REDIRECTS, *HOPS, *PAGES, *IMAGES),
        told=(*INDEX, *PAGES),
    ),
    "lastmod": Run(
        (("lastmod", SITE, *SECRETS),),
        (*ROBOTS, *INDEX, *REDIRECTS, *HOPS, *PAGES),
        told=(*INDEX, *PAGES),
    ),
    "audit of what robots.txt forbids": Run(
        (("audit", f"{SITE}/list.xml", "--ask-forbidden", "--images", "--method", "get", *SECRETS),),
        (*PAGES, *IMAGES),
        told=PAGES,
    ),
    "audit, resumed": Run(
        (("python", "-c", RESUMED),),
        (*INDEX[2:], *PAGES),
        told=PAGES,
    ),
    "documents of other kinds": Run(
        (
            ("validate", *OTHERS, "--expand", "--xsd", "schema.xsd", *SECRETS),
            ("audit", *OTHERS, "--images", "--store", "others.duckdb", *SECRETS),
            ("fix", *OTHERS, "-o", "fixed-others", "--base-url", f"{SITE}/", *SECRETS),
            ("diff", f"{SITE}/list.txt", f"{SITE}/feed.xml", "--ask-removed", "5000", *SECRETS),
            ("sql", "select count(*) from urls", *OTHERS, "--expand", *SECRETS),
        ),
        OTHERS,
        told=OTHERS,
    ),
    "check": Run(
        (("check", SITE, *HOSTS_R, *HOSTS_W, *SECRETS),),
        (*ROBOTS, *ROBOTS_REDIRECTS, *(f"{host}/sitemap.xml" for host in HOSTS_W)),
        frozenset({SITE, *HOSTS_R, *HOSTS_W}),
        told=ROBOTS_REDIRECTS,
    ),
    "discover": Run(
        # It asks for more than `check` does; the rest of these hosts is there.
        (("discover", SITE, *HOSTS_R[::4], *HOSTS_W[::2], *SECRETS),),
        (*ROBOTS, f"{SITE}/", *ROBOTS_REDIRECTS[::4], *(f"{host}/" for host in HOSTS_W[::2])),
        frozenset({SITE, *HOSTS_R[::4], *HOSTS_W[::2]}),
        told=ROBOTS_REDIRECTS[::4],
    ),
    "robots": Run(
        (
            *(("robots", f"{host}/robots.txt", *SECRETS) for host in HOSTS_R),
            ("robots", SITE, "--urls-from", f"{SITE}/redirect/1.xml", *SECRETS),
            ("robots", f"{SITE}/page/1", *SECRETS),
        ),
        (*ROBOTS_REDIRECTS, *ROBOTS),
        frozenset({SITE, *HOSTS_R}),
        told=(*ROBOTS_REDIRECTS, *ROBOTS),
    ),
    "robots at a port": Run(
        (("robots", "http://public.test:8080/robots.txt", *SECRETS),),
        ("http://public.test:8080/robots.txt",),
        frozenset({"http://public.test:8080"}),
        told=("http://public.test:8080/robots.txt",),
    ),
    "robots by TLS": Run(
        (("robots", "https://public.test/down.txt", *SECRETS), ("validate", "https://public.test/down", *SECRETS)),
        ("https://public.test/down.txt", "http://public.test/list.xml"),
        frozenset({"https://public.test"}),
        told=("https://public.test/down",),
    ),
    "diff": Run(
        (
            ("diff", f"{SITE}/list.xml", f"{SITE}/few.xml", "--ask-removed", "5000", *SECRETS),
            ("diff", "before.xml", f"{SITE}/few.xml", "--ask-removed", "5000", *SECRETS),
            ("diff", f"{SITE}/index.xml", SITE, "--no-rules", *SECRETS),
        ),
        (*INDEX, *PAGES),
        told=(f"{SITE}/few.xml",),
    ),
    "diff with a redirect map": Run(
        (("diff", f"{SITE}/list.xml", f"{SITE}/few.xml", "--redirects", "map.csv", *SECRETS),),
        (f"{SITE}/list.xml", *PAGES),
        told=(f"{SITE}/few.xml",),
    ),
    "notify": Run(
        (
            ("notify", f"{SITE}/list.xml", f"{SITE}/few.xml", "--dry-run", "--all", "--store", "sent.duckdb", *SECRETS),
            ("notify", "before.xml", f"{SITE}/few.xml", "--dry-run", "--all", "--store", "own.duckdb", *SECRETS),
        ),
        (f"{SITE}/list.xml", *PAGES),
        told=(f"{SITE}/few.xml",),
    ),
    "audit with a crawl": Run(
        (("audit", f"{SITE}/list.xml", "--crawl", "--no-score", *SECRETS),),
        (f"{SITE}/list.xml", *PAGES),
        told=PAGES,
    ),
    "fix": Run(
        (("fix", *REDIRECTS, "-o", "fixed", *SECRETS), ("fix", f"{SITE}/index.xml", "-o", "fixed.xml", *SECRETS)),
        (*REDIRECTS, INDEX[0]),
        told=REDIRECTS,
    ),
    "build": Run(
        tuple(
            ("build", f"sitemaps:{url}", "--base-url", base, "-o", f"out/{number}", *SECRETS)
            for number, (url, base) in enumerate(
                (
                    # What is read would be published under the host that it names.
                    *((url, "http://build.secret/") for url in BUILT_OWN),
                    *((url, f"{SITE}/") for url in (*BUILT, *REDIRECTS[::4], f"{SITE}/index.xml", f"{SITE}/elsewhere")),
                )
            )
        ),
        (*BUILT, *BUILT_OWN, *REDIRECTS[::4], INDEX[0], "http://other.test/list.xml"),
        told=(*BUILT, *BUILT_OWN),
    ),
    "sql": Run(
        (
            ("sql", "select count(*) from urls", SITE, "--discover", "--expand", *SECRETS),
            ("sql", "select * from 'http://10.0.0.5/v/sql/file.csv'", f"{SITE}/few.xml"),
            ("sql", "select * from read_csv('http://10.0.0.5/v/sql/read.csv')", f"{SITE}/few.xml"),
            ("sql", "--allow-files", "select * from read_csv('http://10.0.0.5/v/sql/allowed.csv')", f"{SITE}/few.xml"),
        ),
        (*ROBOTS, *INDEX, *REDIRECTS, *HOPS),
        told=INDEX,
    ),
    "api": Run((("python", "-c", SCRIPT),), (*ROBOTS, *INDEX, *REDIRECTS, *PAGES), told=INDEX),
    "local index": Run(
        (("validate", "local.xml", "--expand", *SECRETS), ("inspect", "local.xml", "--expand", *SECRETS)),
        (*REDIRECTS, *HOPS),
        frozenset(),
    ),
    "local path like a host": Run(
        (
            ("audit", "web/pages.xml", "--images", *SECRETS),
            ("audit", "local.xml", "--images", "--store", "b.duckdb", *SECRETS),
        ),
        PAGES[:2],
        frozenset(),
    ),
    "local and private": Run(
        (("validate", "local.xml", f"http://{PRIVATE_HOST}/own.xml", "--expand", *SECRETS),),
        REDIRECTS,
        frozenset({f"http://{PRIVATE_HOST}"}),
        told=(f"http://{PRIVATE_HOST}/own.xml at {PRIVATE_HOST}",),
        own=frozenset({f"{PRIVATE_HOST}: http://{PRIVATE_HOST}/own.xml"}),
    ),
    "public and private": Run(
        (
            ("validate", f"{SITE}/index.xml", f"http://{PRIVATE_HOST}/own.xml", "--expand", *SECRETS),
            ("audit", f"{SITE}/list.xml", f"http://{PRIVATE_HOST}/own.xml", "--images", *SECRETS),
        ),
        (*INDEX, *REDIRECTS, *PAGES),
        frozenset({SITE, f"http://{PRIVATE_HOST}"}),
        told=(*INDEX, f"http://{PRIVATE_HOST}/own.xml at {PRIVATE_HOST}"),
        own=frozenset(
            f"{PRIVATE_HOST}: http://{PRIVATE_HOST}{path}" for path in ("/own.xml", "/page/own", "/robots.txt")
        ),
    ),
    "private": Run(
        (("validate", f"http://{PRIVATE_HOST}/index.xml", "--expand"),),
        (),
        only_link=True,
    ),
    "a name that turns public": Run(
        (("check", "flip.test", *SECRETS),),
        ("http://flip.test/robots.txt",),
        frozenset({"http://flip.test", "https://flip.test"}),
        own=frozenset({FLIPPED}),
    ),
    "a name that turns public, followed": Run(
        (("validate", "flip.test", "--discover", "--expand"),),
        ("http://flip.test/robots.txt",),
        frozenset({"http://flip.test", "https://flip.test"}),
        own=frozenset({FLIPPED}),
    ),
    "a name that turns private": Run(
        (("check", "http://flop.test", *SECRETS),),
        ("http://flop.test/robots.txt",),
        frozenset({"http://flop.test"}),
    ),
    "a name that turns private, followed": Run(
        (("validate", "http://flop.test", "--discover", "--expand"),),
        # What robots.txt names is refused: by then the name leads into the private network.
        ("http://flop.test/robots.txt",),
        frozenset({"http://flop.test"}),
    ),
    "allowed": Run(
        (("validate", f"{SITE}/index.xml", "--expand", "--allow-private", *SECRETS),),
        INDEX,
        told=INDEX,
        reaches=("child", "redirect", "hop", "nested"),
    ),
    "allowed pages": Run(
        (("audit", f"{SITE}/list.xml", "--images", "--allow-private", *SECRETS),),
        PAGES,
        told=PAGES,
        reaches=("listed", "page-redirect", "image", "image-redirect", "thumbnail"),
    ),
}
