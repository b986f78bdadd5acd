"""Uses the operators' console in Chromium beside a running demo, as an operator would.

Checks every page at three widths, dark and light: no error in the browser's console, no sideways scrolling, no finding
of axe-core. Then a match is followed until a wicket, held and released, and the audit log is read.
Screenshots are written to a folder.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import time

from axe_core_python.sync_playwright import Axe
from playwright.sync_api import Page, sync_playwright

PAGES = {
    "overview": "/admin",
    "matches": "/admin/matches",
    "match": "/admin/matches/demo",
    "revision": "/admin/matches/demo/revisions/8",
    "feeds": "/admin/feeds",
    "push": "/admin/push",
    "activities": "/admin/activities",
    "audit": "/admin/audit",
}
WIDTHS = {390: 844, 1280: 900, 1920: 1080}


class Findings:
    """What a browser or a check complained about."""

    def __init__(self) -> None:
        self.all: list[str] = []

    def check(self, holds: bool, text: str) -> None:
        print("ok  " if holds else "FAIL", text, flush=True)
        if not holds:
            self.all.append(text)


def listen(page: Page, findings: Findings) -> None:
    """Takes errors of the page for findings; a refused policy is one of them."""
    page.on("pageerror", lambda error: findings.check(False, f"script: {error}"))
    page.on("console", lambda line: line.type == "error" and findings.check(False, f"console: {line.text}"))


def look(browser, base: str, folder: pathlib.Path, findings: Findings) -> None:
    """Opens every page at every width, dark and light."""
    for width, height in WIDTHS.items():
        for scheme in ("light", "dark"):
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            page = context.new_page()
            listen(page, findings)
            for name, path in PAGES.items():
                page.goto(base + path)
                page.wait_for_selector("main")
                page.wait_for_timeout(300)
                wide = page.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth")
                findings.check(wide <= 0, f"{name} at {width} px, {scheme}: no sideways scrolling ({wide} px)")
                page.screenshot(path=folder / f"{name}-{width}-{scheme}.png")
                if width == 1280:
                    result = Axe().run(page)
                    ids = [f"{v['id']} ({v['nodes'][0]['html'][:90]})" for v in result["violations"]]
                    findings.check(not ids, f"{name}, {scheme}: accessible {'; '.join(ids)}")
            context.close()


def follow(browser, base: str, folder: pathlib.Path, findings: Findings) -> None:
    """Follows the match until a wicket, and measures how long after its publication the page shows it."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    listen(page, findings)
    page.goto(base + "/admin/matches/demo")
    age = page.evaluate(
        """() => new Promise((resolve) => {
            let seen = new Set([...document.querySelectorAll('.timeline li')].map((li) => li.id));
            new MutationObserver(() => {
                for (const line of document.querySelectorAll('.timeline li')) {
                    if (seen.has(line.id)) continue;
                    seen.add(line.id);
                    if (line.querySelector('.wicket')) {
                        resolve(Date.now() - Date.parse(line.querySelector('time').dateTime));
                    }
                }
            }).observe(document.querySelector('main'), { subtree: true, childList: true, characterData: true });
            setTimeout(() => resolve(null), 120000);
        })"""
    )
    findings.check(age is not None and age < 1000, f"a wicket is on the page {age} ms after its revision was written")
    page.screenshot(path=folder / "wicket.png")
    page.close()


def operate(browser, base: str, folder: pathlib.Path, findings: Findings) -> None:
    """Holds the match, releases it, and reads both acts in the audit log."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    listen(page, findings)
    page.goto(base + "/admin/matches/demo")
    for act, word in (("Hold", "held"), ("Release", "live")):
        page.get_by_role("button", name=act, exact=True).click()
        page.get_by_text("Would affect 1.").wait_for()
        page.screenshot(path=folder / f"{act.lower()}.png")
        page.get_by_label("Reason").fill(f"{act} by the check of the console")
        page.get_by_role("button", name="Do it").click()
        button = "Release" if act == "Hold" else "Hold"
        page.get_by_role("button", name=button, exact=True).wait_for(timeout=5000)
        findings.check(True, f"{act}: the page shows the match as {word}")
    page.keyboard.press("g")
    page.keyboard.press("l")
    page.wait_for_url("**/admin/audit")
    text = page.inner_text("main")
    findings.check("match.hold" in text and "match.release" in text, "the audit log has both acts")
    page.close()


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--lab", required=True, help="the executable score-lab")
    options.add_argument("--out", default=".console-check", help="the folder for screenshots")
    options.add_argument("--browser", default="/usr/bin/chromium")
    given = options.parse_args()
    folder = pathlib.Path(given.out)
    folder.mkdir(parents=True, exist_ok=True)
    findings = Findings()
    demo = subprocess.Popen(
        [given.lab, "demo", "--speed", "30", "--followers", "60"], stdout=subprocess.PIPE, text=True
    )
    try:
        base = None
        for line in demo.stdout:
            if found := re.match(r"Console: (http://[^/]+)", line):
                base = found.group(1)
            if "play begins" in line:
                break
        assert base, "the demo did not start"
        time.sleep(20)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=given.browser, args=["--no-sandbox"])
            follow(browser, base, folder, findings)
            operate(browser, base, folder, findings)
            look(browser, base, folder, findings)
            browser.close()
    finally:
        demo.terminate()
        demo.wait(timeout=30)
    print(f"{len(findings.all)} findings; screenshots in {folder}")
    return 1 if findings.all else 0


if __name__ == "__main__":
    sys.exit(main())
