/** Waiting for something gently: often at first, then seldom, and never in a hidden tab. */

const WAITS_S = [1, 1, 2, 3, 5, 8, 13, 20]; // the last one repeats
const PATIENCE_S = 240; // a memory is made two minutes after the last word, or with the next one

/**
 * Calls `look` until it resolves to true. Resolves to whether it ever did.
 * @param {() => Promise<boolean>} look may throw: the next look may do better
 * @param {AbortSignal} signal ends the waiting
 */
export async function watch(look, signal) {
  const until = Date.now() + PATIENCE_S * 1000;
  for (let i = 0; Date.now() < until; i += 1) {
    await pause(WAITS_S[Math.min(i, WAITS_S.length - 1)] * 1000, signal);
    if (signal.aborted) return false;
    if (!document.hidden && (await look().catch(() => false))) return true;
  }
  return false;
}

/** Resolves after `ms`, or at once when `signal` is aborted. */
export function pause(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
