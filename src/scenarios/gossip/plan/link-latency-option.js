import { unknownKey } from '../../../kit/problem-words.js'
import { readTextSync, unreadable } from '../../../kit/text-file.js'
import { LatencyMatrixError, parseLatencyMatrix } from '../../../network/links/parse-latency-matrix.js'
import { milliseconds } from '../../../plan/values.js'
import { isMapping } from '../../../plan/yaml-file.js'

/**
 * @typedef {import('../../../network/links/link-latencies.js').LatencySpec} LatencySpec
 * @typedef {(path: string) => string} ReadText - throws when there is no such file
 * @typedef {{ value: LatencySpec } | { allowed: string }} Read
 */

const MOST_MS = 10_000
const RANGE = 'from 0 to 10s'
const FORMS =
  'must be a latency with its unit such as 50ms, or uniform:40ms-60ms, normal:50ms,10ms (mean and standard deviation), lognormal:50ms,20ms or file:<matrix>'

/** @param {string} text @returns {number} ms, NaN for what is no latency */
function latency(text) {
  const ms = milliseconds(text.trim())
  return ms >= 0 && ms <= MOST_MS ? ms : Number.NaN
}

/** What a mapping of YAML holds, by its kind. @type {Readonly<Record<string, readonly string[]>>} */
const KEYS = {
  constant: ['latency'],
  uniform: ['min', 'max'],
  normal: ['mean', 'sd'],
  lognormal: ['mean', 'sd'],
  file: ['path']
}

/** @param {unknown} value - as typed, or as a mapping of YAML: `{ kind: normal, mean: 50ms, sd: 10ms }` */
function asText(value) {
  if (value === null || typeof value !== 'object') return String(value).trim()
  const { kind, path, latency: constant, mean, sd, min, max } = /** @type {Record<string, unknown>} */ (value)
  if (kind === 'constant') return String(constant)
  const given = kind === 'uniform' ? `${min}-${max}` : `${mean},${sd}`
  return `${kind}:${path ?? given}`
}

/** @param {string} path @param {ReadText} readText @returns {Read} */
function readMatrix(path, readText) {
  if (path === '') return { allowed: 'must name a file after the colon, such as file:latencies.csv' }
  try {
    return { value: { ...parseLatencyMatrix(readText(path)), path } }
  } catch (error) {
    if (error instanceof LatencyMatrixError) return { allowed: `is no matrix of latencies: ${error.message}` }
    return { allowed: unreadable(error) }
  }
}

/** @param {string} text @returns {Read} */
function readUniform(text) {
  const [minMs, maxMs, ...more] = text.split('-').map(latency)
  return more.length === 0 && minMs <= maxMs
    ? { value: { kind: 'uniform', minMs, maxMs } }
    : { allowed: `must have two latencies ${RANGE}, the smaller one first, such as uniform:40ms-60ms` }
}

/** @param {'normal' | 'lognormal'} kind @param {string} text @returns {Read} */
function readBell(kind, text) {
  const [meanMs, sdMs, ...more] = text.split(',').map(latency)
  return more.length === 0 && meanMs > 0 && sdMs >= 0
    ? { value: { kind, meanMs, sdMs } }
    : {
        allowed: `must have a mean above 0 and a standard deviation, both up to 10s, such as ${kind}:50ms,10ms`
      }
}

/** @param {unknown} value @param {ReadText} readText @returns {Read} */
function read(value, readText) {
  const stranger = isMapping(value) && unknownKey(value, ['kind', ...(KEYS[String(value.kind)] ?? [])])
  if (stranger) return { allowed: stranger }
  const text = asText(value)
  const [, kind, given = ''] = /^([a-z]+)\s*:\s*(.*)$/s.exec(text) ?? []
  if (kind === 'file') return readMatrix(given, readText)
  if (kind === 'uniform') return readUniform(given)
  if (kind === 'normal' || kind === 'lognormal') return readBell(kind, given)
  const ms = latency(kind === 'constant' ? given : text)
  return ms >= 0 ? { value: { kind: 'constant', ms } } : { allowed: `${FORMS}, each ${RANGE}` }
}

/** @param {LatencySpec} spec */
function write(spec) {
  switch (spec.kind) {
    case 'constant':
      return `${spec.ms}ms`
    case 'uniform':
      return `uniform:${spec.minMs}ms-${spec.maxMs}ms`
    case 'matrix':
      return `file:${spec.path}`
    default:
      return `${spec.kind}:${spec.meanMs}ms,${spec.sdMs}ms`
  }
}

/**
 * linkLatency is the kind of --linkLatency where each link can have its own. A file is read here, so that a plan holds all that its run
 * needs.
 *
 * @param {ReadText} [readText]
 * @returns {import('../../../plan/values.js').Kind & { write: (spec: LatencySpec) => string }}
 */
export const linkLatency = (readText = readTextSync) => ({
  allowed: FORMS,
  read: value => read(value, readText),
  schema: z =>
    z.preprocess(
      value => {
        const spec = typeof value === 'string' ? read(value, readText) : { value }
        return 'value' in spec ? spec.value : undefined
      },
      // a plan has the latency alone where all links have the same
      z.union([z.looseObject({ kind: z.string() }), z.number().min(0)])
    ),
  write
})
