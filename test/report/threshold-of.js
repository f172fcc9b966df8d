import assert from 'node:assert/strict'
import { readThreshold } from '../scenarios.js'

/**
 * thresholdOf reads a threshold that must be right.
 *
 * @param {string} text
 */
export function thresholdOf(text) {
  const read = readThreshold(text)
  assert.ok('value' in read, JSON.stringify(read))
  return read.value
}
