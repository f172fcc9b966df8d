import { createInterface } from 'node:readline'

const KEPT = 20

/**
 * lastLines keeps the end of a log.
 *
 * @param {import('node:stream').Readable} stream
 * @returns {{ words: () => string }} `words`: to be put behind a sentence
 */
export function lastLines(stream) {
  /** @type {string[]} */
  const lines = []
  createInterface({ input: stream }).on('line', line => {
    lines.push(line)
    if (lines.length > KEPT) lines.shift()
  })
  return { words: () => (lines.length > 0 ? `; its last words:\n${lines.join('\n')}` : '') }
}
