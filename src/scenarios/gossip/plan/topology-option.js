import { unknownKey } from '../../../kit/problem-words.js'
import { readTextSync, unreadable } from '../../../kit/text-file.js'
import { parseTopologyFile, TopologyFileError } from '../../../network/topology/parse-topology-file.js'
import { readTopology } from '../../../network/topology/read-topology.js'
import { isMapping } from '../../../plan/yaml-file.js'

/**
 * @typedef {import('./gossip-plan.js').TopologySpec} TopologySpec
 * @typedef {(path: string) => string} ReadText - throws when there is no such file
 */

/** @param {unknown} value - as typed, or as a mapping of YAML: `{ kind: 'regular', k: 4 }` */
function asText(value) {
  if (value === null || typeof value !== 'object') return String(value)
  const { kind, path, ...parameters } = /** @type {Record<string, unknown>} */ (value)
  const given = Object.entries(parameters).map(([name, each]) => `${name}=${each}`)
  return `${kind}:${path ?? given.join(',')}`
}

/**
 * @param {string} path
 * @param {ReadText} readText
 * @returns {{ value: TopologySpec } | { allowed: string }}
 */
function readFrom(path, readText) {
  try {
    const { names, repeated, ...spec } = parseTopologyFile(readText(path), path)
    return { value: spec }
  } catch (error) {
    const { code, message } = /** @type {Error & { code?: string }} */ (error)
    return { allowed: code === 'INVALID_TOPOLOGY_FILE' ? `is no topology: ${message}` : unreadable(error) }
  }
}

/**
 * @param {unknown} value
 * @param {ReadText} readText
 * @returns {{ value: TopologySpec } | { allowed: string }}
 */
function read(value, readText) {
  const stranger = isMapping(value) && 'path' in value && unknownKey(value, ['kind', 'path'])
  if (stranger) return { allowed: stranger }
  const spec = readTopology(asText(value))
  if ('allowed' in spec) return spec
  return spec.kind === 'file' ? readFrom(spec.path, readText) : { value: spec }
}

/** @param {TopologySpec} spec */
function write(spec) {
  if (spec.kind === 'file') return `file:${spec.path}`
  const { kind, ...parameters } = spec
  const given = Object.entries(parameters).filter(([, value]) => value !== null)
  return given.length === 0 ? kind : `${kind}:${given.map(([name, value]) => `${name}=${value}`).join(',')}`
}

/**
 * topology is the kind of --topology. A file is read here, so that a plan holds all that its run needs.
 *
 * @param {ReadText} [readText]
 * @returns {import('../../../plan/values.js').Kind & { write: (spec: TopologySpec) => string }}
 */
export const topology = (readText = readTextSync) => ({
  allowed: 'must name a topology',
  read: value => read(value, readText),
  schema: z =>
    z.preprocess(
      value => {
        const spec = typeof value === 'string' ? read(value, readText) : { value }
        return 'value' in spec ? spec.value : undefined
      },
      z.looseObject({ kind: z.string() })
    ),
  write
})
