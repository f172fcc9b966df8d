/**
 * @typedef {object} Target - the server under test
 * @property {'process' | 'address'} kind
 * @property {string} multiaddr - with its peer id
 * @property {number | null} pid
 * @property {Record<string, unknown>} settings - changed from the server's defaults
 * @property {import('./server-control.js').ServerControl | null} control - of our own server
 * @property {(() => Promise<import('../measure/resource-series.js').Reading>) | null} reading - null: cannot be sampled
 * @property {() => Promise<void>} stop
 */

export {}
