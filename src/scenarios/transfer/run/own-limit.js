import { TokenBucket } from '../../../line/token-bucket.js'

/** @typedef {import('./ways/way.js').NodeSettings} NodeSettings */

/**
 * withOwnLimit has all connections of this side share what it can send, as those of a host do.
 *
 * @param {NodeSettings} settings
 * @returns {NodeSettings}
 */
export function withOwnLimit(settings) {
  const { line } = settings
  if (line === null || line.bytesPerSecond === null) return settings
  const bucket = new TokenBucket({ bytesPerSecond: line.bytesPerSecond })
  return { ...settings, line: { ...line, bucket } }
}
