"""Check the documentation in headless Chromium and save screenshots to a folder.

    $ apt-get install chromium chromium-driver && pip install '.[site]' selenium
    $ python .ci/browser.py /tmp/pictures

`.ci/run` calls this script if chromedriver is installed. The documentation is served locally and opened at desktop and
phone width, in light and dark mode and without scripts, and its search is used. Every link is checked.
"""

import itertools
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

_ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--window-size=1200,1400",
)
_BUTTONS = (By.CSS_SELECTOR, "button.md-clipboard, .md-code__button")


def browser(scheme: str, *, scripts: bool) -> webdriver.Chrome:
    options = webdriver.ChromeOptions()
    for argument in (*_ARGUMENTS, f"--user-data-dir={tempfile.mkdtemp()}"):
        options.add_argument(argument)
    if not scripts:
        blocked = {"profile.managed_default_content_settings.javascript": 2}
        options.add_experimental_option("prefs", blocked)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    # Search for the driver here. Otherwise selenium would download one.
    driver = webdriver.Chrome(options, Service(shutil.which("chromedriver")))
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    return driver


class _Ends(HTMLParser):
    """Collect the link targets of a page, and the ids on it."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Record the links and ids of a start tag."""
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name == "id" and value:
                self.places.add(value)


def try_links(site: Path, prefixes: tuple[str, ...] = ()) -> None:
    """Check that every link leads to an existing file and anchor, or starts with one of the prefixes."""
    ends = {page.resolve(): _Ends(page) for page in site.rglob("*.html")}
    count = 0
    for page, end in ends.items():
        for link in end.links:
            if link.startswith(("data:", *prefixes)):
                continue
            parts = urlsplit(link)
            assert not parts.scheme + parts.netloc, f"{page}: {link}"
            # The 404 page can be shown for any address, so its links start at the root.
            above = site if parts.path.startswith("/") else page.parent
            target = (above / unquote(parts.path).lstrip("/")).resolve() if parts.path else page
            target = target / "index.html" if target.is_dir() else target
            assert target.is_file(), f"{page}: {link}"
            if parts.fragment and target in ends:
                assert unquote(parts.fragment) in ends[target].places, f"{page}: {link}"
            count += 1
    assert count
    print(f"followed {count} links of {len(ends)} pages")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Do not log requests."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder over HTTP on this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def try_documentation(pictures: Path) -> None:
    """Check that every page fits its window, has the expected elements and logs no error."""
    site = Path(tempfile.mkdtemp(), "site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", f"--site-dir={site}"]
    subprocess.run(command, check=True)
    try_links(site, prefixes=("https://",))
    # There are many short pages about diagnostics.
    pages = [
        Path(),
        Path("overview"),
        *sorted(path.relative_to(site).parent for path in site.rglob("docs/**/index.html")),
    ]
    with served(site) as address:
        for width, scheme in itertools.product((1440, 360), ("light", "dark")):
            driver = browser(scheme, scripts=True)
            try_pages(driver, address, pages, width, pictures, scheme)
            driver.get(address)
            # A script adds these elements after the page has loaded.
            WebDriverWait(driver, 20).until(lambda page: page.find_elements(*_BUTTONS))
            scheme_shown = "return document.body.getAttribute('data-md-color-scheme')"
            assert (
                driver.execute_script(scheme_shown) == {"light": "default", "dark": "slate"}[scheme]
            )
            find_in_documentation(driver, pictures / f"search-{width}-{scheme}.png")
            if (site / "docs/playground/compiler.zip").exists():
                try_playground(driver, address, str(pictures / f"playground-{width}-{scheme}"))
            assert driver.get_log("browser") == []
            driver.quit()
        driver = browser("light", scripts=False)
        try_pages(driver, address, pages, 360, pictures, "without-scripts")
        driver.quit()
    print(f"tested {len(pages)} pages of the documentation")


def try_pages(
    driver: webdriver.Chrome,
    address: str,
    pages: Iterable[Path],
    width: int,
    pictures: Path,
    variant: str,
) -> None:
    """Check that pages have text and fit a window, and save a screenshot of each."""
    size = {"width": width, "height": 1400, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    for page in pages:
        driver.get(f"{address}{page.as_posix()}/")
        widths = "return [document.documentElement.scrollWidth, window.innerWidth]"
        needed, given = driver.execute_script(widths)
        assert needed <= given, f"{page} is {needed} wide"
        assert len(driver.find_element(By.TAG_NAME, "article").text) > 200, page
        name = page.as_posix().replace("/", "_").strip(".")
        assert driver.save_screenshot(str(pictures / f"docs_{name}-{width}-{variant}.png"))


def try_playground(driver: webdriver.Chrome, address: str, picture: str) -> None:
    """Load the playground, make a mistake, read its page, correct it, and open a shared link."""

    def part(name: str) -> WebElement:
        return driver.find_element(By.CSS_SELECTOR, f"#compiler [data-part={name}]")

    def type_instead(old: str, new: str) -> None:
        """Replace a text of the schema, and wait until the result of the last keystroke is shown."""
        change = (
            "const [editor, old] = arguments; const at = editor.value.indexOf(old);"
            "editor.focus(); editor.setSelectionRange(at, at + old.length)"
        )
        driver.execute_script(change, part("editor"), old)
        # The method of the element would type at the end of the text.
        ActionChains(driver).send_keys(new).perform()
        schema = part("editor").get_property("value")
        assert isinstance(schema, str)
        assert new in schema
        wait.until(lambda _: " ms)" in part("status").text)

    wait = WebDriverWait(driver, 60)
    driver.get(f"{address}docs/playground/")
    # Without the compiler, the page shows the output of the first schema.
    wait.until(lambda _: "class Regression(" in part("output").text)
    start = time.monotonic()
    wait.until(lambda _: " ms)" in part("status").text)
    print(f"the playground loaded in {time.monotonic() - start:.1f} s")
    assert part("report").text == ""
    assert driver.save_screenshot(f"{picture}.png")
    type_instead("static[float] = 0.02", "static[floot] = 0.02")
    wait.until(lambda _: "error[UNKNOWN_NAME]: `floot`" in part("report").text)
    assert driver.find_element(By.CSS_SELECTOR, "#compiler .wrong").text == "floot"
    driver.find_element(By.CSS_SELECTOR, "#compiler summary").click()
    assert "# UNKNOWN_NAME" in part("report").text
    assert driver.save_screenshot(f"{picture}-error.png")
    type_instead("static[floot] = 0.02", "static[float] = 0.25")
    wait.until(lambda _: "learning_rate: float = 0.25" in part("output").text)
    assert part("report").text == ""
    share(driver, part("share"))
    link = driver.current_url
    assert "#running:" in link
    driver.get("about:blank")
    driver.get(link)
    wait.until(lambda _: "learning_rate: float = 0.25" in part("output").text)
    Select(part("example")).select_by_value("heat")
    wait.until(lambda _: "class Plate(" in part("output").text)
    assert part("report").text == ""


def share(driver: webdriver.Chrome, button: WebElement) -> None:
    """Click the button that writes the schema into the address, and copies it."""
    origin = "/".join(driver.current_url.split("/", 3)[:3])
    allowed = {"origin": origin, "permissions": ["clipboardSanitizedWrite", "clipboardReadWrite"]}
    driver.execute_cdp_cmd("Browser.grantPermissions", allowed)
    words = button.text
    button.click()
    WebDriverWait(driver, 10).until(lambda _: button.text == "Copied")
    WebDriverWait(driver, 10).until(lambda _: button.text == words)


def find_in_documentation(driver: webdriver.Chrome, picture: Path) -> None:
    """Type a query into the search box, and open the section that it finds."""
    wait = WebDriverWait(driver, 30)
    # On narrow screens the search box is hidden until its icon is clicked.
    (lens,) = driver.find_elements(By.CSS_SELECTOR, "label.md-header__button[for=__search]")
    if lens.is_displayed():
        lens.click()
    box = driver.find_element(By.CSS_SELECTOR, "input[data-md-component=search-query]")
    wait.until(lambda _: box.is_displayed() and box.is_enabled())
    box.click()
    # As one input: the search library warns about "merge d", which it cannot look up.
    driver.execute_script("arguments[0].value = 'merge drive'", box)
    box.send_keys("r")
    found = "a.md-search-result__link"
    wait.until(lambda _: driver.find_elements(By.CSS_SELECTOR, found))
    assert driver.save_screenshot(str(picture))
    # The page comes first, and its sections follow.
    page, section = driver.find_elements(By.CSS_SELECTOR, found)[:2]
    assert "command line" in page.text, page.text
    assert "Merging" in section.text, section.text
    wait.until(lambda _: section.is_displayed())
    section.click()
    wait.until(lambda _: "/docs/command-line/" in driver.current_url)
    wait.until(lambda _: driver.find_elements(By.CSS_SELECTOR, "article mark"))  # the query


def main() -> None:
    pictures = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
    pictures.mkdir(parents=True, exist_ok=True)
    try_documentation(pictures)


if __name__ == "__main__":
    main()
