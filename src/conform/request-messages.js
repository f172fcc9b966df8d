import { MessageType } from '../protocol/status.js'
import { encodeFields } from './encode-fields.js'

/**
 * @typedef {import('./encode-fields.js').Fields} Fields
 *
 * @typedef {{ ns?: string, limit?: number | bigint, cookie?: Uint8Array }} Query
 */

/** discoverMessage is a DISCOVER. @param {Query} query @param {Fields} [more] */
export const discoverMessage = ({ ns, limit, cookie }, more = []) =>
  encodeFields([
    [1, MessageType.DISCOVER],
    [5, [[1, ns === '' ? undefined : ns], [2, limit], [3, cookie], ...more]],
    ...more
  ])

/** unregisterMessage is an UNREGISTER. @param {string} ns @param {Uint8Array} [id] - the deprecated field */
export const unregisterMessage = (ns, id) =>
  encodeFields([
    [1, MessageType.UNREGISTER],
    [
      4,
      [
        [1, ns],
        [2, id]
      ]
    ]
  ])
