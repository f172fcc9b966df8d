/**
 * @typedef {import('./file-run.js').Place} Place
 * @typedef {import('./sides.js').Moved} Moved
 * @typedef {Moved['fetchings'][number]} Fetching
 *
 * @typedef {{ name: string, atNs: bigint, attributes?: Record<string, string | number> }} SpanEvent
 *
 * @typedef {object} SpanRecord - what a process did, on the clock of the host
 * @property {string} process - that did it
 * @property {string} name
 * @property {bigint} startNs
 * @property {bigint} endNs
 * @property {Record<string, string | number>} attributes
 * @property {SpanEvent[]} events
 * @property {string | null} error
 * @property {SpanRecord[]} children
 */

/** @param {bigint} startNs @param {number} ms */
const after = (startNs, ms) => startNs + BigInt(Math.round(ms * 1e6))

/** @param {readonly { transfer: string, cid: string, event: string, atNs: bigint }[]} events @param {string} transfer @returns {SpanEvent[]} */
const blocksOf = (events, transfer) =>
  events
    .filter(each => each.transfer === transfer)
    .map(({ cid, event, atNs }) => ({ name: `block ${event}`, atNs, attributes: { 'block.cid': cid } }))

/** @param {Moved['provision']} provision @param {string} transfer @returns {SpanRecord[]} what the provider did for it */
const servedOf = ({ served, blockEvents }, transfer) =>
  served
    .filter(each => each.transfer === transfer)
    .map(({ askedNs, endNs, waitMs }) => ({
      process: 'provider',
      name: 'serve',
      startNs: askedNs,
      endNs,
      attributes: { 'transfer.wait_ms': waitMs },
      events: [{ name: 'its turn', atNs: after(askedNs, waitMs) }, ...blocksOf(blockEvents, transfer)],
      error: null,
      children: []
    }))

/** @param {Fetching} fetching @param {{ requestor: number, files: readonly { root: string }[], provision: Moved['provision'] }} of @returns {SpanRecord[]} a span for each file */
const fetchesOf = ({ fetched, blockEvents }, { requestor, files, provision }) =>
  fetched.map(({ transfer, askedNs, endNs, firstByteMs, outcome, error, blocks, storedBytes }, file) => ({
    process: `requestor ${requestor}`,
    name: 'fetch',
    startNs: askedNs,
    endNs,
    attributes: {
      'transfer.file': file,
      'transfer.root': files[file].root,
      'transfer.outcome': outcome,
      'transfer.blocks': blocks,
      'transfer.bytes': storedBytes
    },
    events: [
      { name: 'request', atNs: askedNs },
      ...(firstByteMs === null ? [] : [{ name: 'first byte', atNs: after(askedNs, firstByteMs) }]),
      ...blocksOf(blockEvents, transfer)
    ],
    error,
    children: servedOf(provision, transfer)
  }))

/**
 * transferSpans says what happened in a repeat of a way: a span of the run, with one for each transfer at its requestor, and in these
 * what the provider did for it.
 *
 * @param {Place} place
 * @param {Moved} moved
 * @param {readonly { root: string }[]} files
 * @returns {SpanRecord}
 */
export function transferSpans({ way, latencyMs, bytesPerSecond, repeat }, { provision, fetchings }, files) {
  const fetches = fetchings.flatMap((fetching, requestor) =>
    fetchesOf(fetching, { requestor, files, provision })
  )
  const ends = fetches.map(({ endNs }) => endNs)
  return {
    process: 'libp2p-loadtest',
    name: `move by ${way}`,
    startNs: provision.beganNs,
    endNs: ends.reduce((last, end) => (end > last ? end : last), provision.beganNs),
    attributes: {
      'transfer.way': way,
      'transfer.repeat': repeat,
      'line.latency_ms': latencyMs,
      ...(bytesPerSecond === null ? {} : { 'line.bytes_per_second': bytesPerSecond })
    },
    events: [],
    error: fetches.find(({ error }) => error !== null)?.error ?? null,
    children: fetches
  }
}
