/** STORE_BYTES is little enough to be filled. */
const STORE_BYTES = '48MiB'

/** SERVER_SETTINGS are what our own server has otherwise than its defaults here, and why. */
export const SERVER_SETTINGS = Object.freeze({
  unlimitedFrom: {
    value: '',
    why: 'no limit is lifted for anybody: elsewhere loopback has none for an address, and here all are there'
  },
  maxStoreBytes: { value: STORE_BYTES, why: 'what registrations take is bounded within a short run' }
})

/**
 * serverFlags are the same as it is started with.
 *
 * @param {{ stock: boolean }} plan
 * @returns {Record<string, string | boolean>}
 */
export const serverFlags = ({ stock }) => ({
  ...Object.fromEntries(Object.entries(SERVER_SETTINGS).map(([name, { value }]) => [name, value])),
  ...(stock && { stock: true })
})
