const KEY = "midspan.token";

/**
 * The token that a server off this machine asks for: from the address (`#token=…`, a part that no
 * browser sends) or from an earlier visit in this tab. `null` when there is none.
 */
export function readToken(): string | null {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  try {
    if (given !== null) {
      sessionStorage.setItem(KEY, given);
      // Out of sight, and out of the history.
      history.replaceState(null, "", location.pathname + location.search);
    }
    return given ?? sessionStorage.getItem(KEY);
  } catch {
    return given;
  }
}
