/**
 * PERF_LIMITS are the bounds of a perf server: what it reads is thrown away, so that a request costs it time alone.
 *
 * @typedef {{ readonly [name in keyof typeof PERF_LIMITS]: number }} PerfLimits
 */
export const PERF_LIMITS = {
  /** in either direction of a request; the specification lets a client ask for 2^64 − 1 and close when it has seen enough */
  maxPerfBytes: 64 * 2 ** 30,
  /** of a request, from its first byte to its end */
  perfTimeoutMs: 600_000,
  /** without a byte in either direction */
  perfStallMs: 30_000,
  /** requests under way, in all */
  maxPerfStreams: 1024,
  /** and on one connection */
  maxStreams: 256
}
