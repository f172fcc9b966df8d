// Preloaded into a process and its threads: its monotonic clock is off by CLOCK_SHIFT_MS, and goes CLOCK_DRIFT_PPM too fast since CLOCK_ORIGIN_NS.
const { bigint } = process.hrtime
const { CLOCK_SHIFT_MS = '0', CLOCK_DRIFT_PPM = '0', CLOCK_ORIGIN_NS = '0' } = process.env
const shiftNs = BigInt(Math.round(Number(CLOCK_SHIFT_MS) * 1e6))
const [drift, originNs] = [BigInt(CLOCK_DRIFT_PPM), BigInt(CLOCK_ORIGIN_NS)]

process.hrtime.bigint = () => {
  const ns = bigint()
  return ns + shiftNs + ((ns - originNs) * drift) / 1_000_000n
}
