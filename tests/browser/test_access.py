"""Tokens: asked for once, kept while they are good, renewed before they end."""

import pytest

from tests.browser.page import ConsolePage

ASK_TWICE = """
const [expiresIn, done] = arguments;
const real = window.fetch;
let asked = 0;
window.fetch = async () => new Response(JSON.stringify({ accessToken: `t${++asked}`, expiresIn }));
async function run() {
  const { Access } = await import("./static/access.js");
  const access = new Access();
  const first = await Promise.all([access.token(), access.token()]);
  return [...first, await access.token()];
}
run().then(done, (error) => done(String(error))).finally(() => (window.fetch = real));
"""


@pytest.mark.parametrize(
    ("expires_in", "tokens"), [(900, ["t1", "t1", "t1"]), (20, ["t1", "t1", "t2"])]
)
def test_a_token_serves_until_shortly_before_its_end(
    page: ConsolePage, expires_in: int, tokens: list[str]
) -> None:
    """Two requests at once share one answer of the issuer."""
    assert page.driver.execute_async_script(ASK_TWICE, expires_in) == tokens
