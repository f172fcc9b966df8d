import { milliseconds } from '../../../plan/values.js'

/**
 * @typedef {'pause' | 'kill' | 'restart' | 'cpu'} FaultKind
 *
 * @typedef {object} Fault - what is done to our server while it is under load
 * @property {FaultKind} kind
 * @property {number} atMs - since the measurement began
 * @property {number | null} forMs - how long; null: it is not undone
 * @property {number | null} cpus - cores that are left to it; null unless `cpu`
 * @property {number} [server] - of several, from 1
 *
 * @typedef {{ value: Fault } | { allowed: string }} Read
 */

const SHAPE =
  'must say when and what, such as "at=10s pause=2s", "at=10s restart=1s", "at=10s kill" or "at=10s cpu=0.5 for=5s"'

/** @type {readonly FaultKind[]} */
const KINDS = ['pause', 'kill', 'restart', 'cpu']

/** @param {unknown} raw @returns {Record<string, string> | null} */
function partsOf(raw) {
  if (raw !== null && typeof raw === 'object')
    return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, String(value)]))
  if (typeof raw !== 'string') return null
  const words = raw.replace(/\s*=\s*/g, '=').split(/[\s,]+/)
  return Object.fromEntries(words.filter(word => word !== '').map(word => pair(word)))
}

/** @param {string} word @returns {[string, string]} */
function pair(word) {
  const [name, ...value] = word.split('=')
  return [name, value.length === 0 ? 'true' : value.join('=')]
}

/** @param {string | undefined} text @param {number} least @returns {number | null} ms; null: no time that is allowed */
function timeIn(text, least) {
  const ms = milliseconds(text ?? '')
  return ms >= least && ms <= 24 * 24 * 3_600_000 ? ms : null
}

/**
 * @param {FaultKind} kind
 * @param {Record<string, string>} parts
 * @returns {{ value: Pick<Fault, 'forMs' | 'cpus'> } | { allowed: string }}
 */
function readDeed(kind, parts) {
  if (kind === 'kill')
    return parts.kill === 'true'
      ? { value: { forMs: null, cpus: null } }
      : { allowed: 'has a kill, which takes no value: restart=1s starts the server again' }
  if (kind === 'cpu') return readCpu(parts)
  const forMs = timeIn(parts[kind], 1)
  if (forMs === null) return { allowed: `has a ${kind} that needs a time with its unit, such as ${kind}=2s` }
  return { value: { forMs, cpus: null } }
}

/** @param {Record<string, string>} parts @returns {ReturnType<typeof readDeed>} */
function readCpu({ cpu, for: time }) {
  const cpus = /^\d*\.?\d+$/.test(cpu) ? Number(cpu) : 0
  if (cpus < 0.01 || cpus > 1024)
    return { allowed: 'has a cpu that must be a number of cores from 0.01, such as cpu=0.5' }
  const forMs = time === undefined ? null : timeIn(time, 1)
  if (time !== undefined && forMs === null)
    return { allowed: 'has a for that needs a time with its unit, such as for=5s' }
  return { value: { forMs, cpus } }
}

/**
 * readFault reads a fault as it is typed, or as a mapping of YAML.
 *
 * @param {unknown} raw - `at=10s pause=2s`, or `{ at: '10s', pause: '2s' }`
 * @returns {Read}
 */
export function readFault(raw) {
  const parts = partsOf(raw)
  const kinds = KINDS.filter(kind => parts !== null && kind in parts)
  if (parts === null || kinds.length !== 1) return { allowed: SHAPE }
  const [kind] = kinds
  const stranger = Object.keys(parts).find(
    name => !['at', 'server', kind].includes(name) && !(name === 'for' && kind === 'cpu')
  )
  if (stranger !== undefined) return { allowed: `may not have ${stranger} with ${kind}: ${SHAPE}` }
  const atMs = timeIn(parts.at, 0)
  if (atMs === null) return { allowed: 'needs the time it comes at, with its unit, such as at=10s' }
  if (!/^([1-9]\d*)?$/.test(parts.server ?? ''))
    return { allowed: 'has a server that must be its number, from 1, such as server=2' }
  const server = parts.server === undefined ? {} : { server: Number(parts.server) }
  const deed = readDeed(kind, parts)
  return 'allowed' in deed ? deed : { value: Object.freeze({ kind, atMs, ...deed.value, ...server }) }
}

/**
 * writeFault gives a fault as it is typed.
 *
 * @param {Fault} fault
 */
export function writeFault({ kind, atMs, forMs, cpus, server }) {
  const at = `${server === undefined ? '' : `server=${server} `}at=${atMs}ms`
  if (kind === 'kill') return `${at} kill`
  if (kind === 'cpu') return `${at} cpu=${cpus}${forMs === null ? '' : ` for=${forMs}ms`}`
  return `${at} ${kind}=${forMs}ms`
}

/**
 * faults is the kind of --fault, which can be given several times.
 *
 * @returns {import('../../../plan/values.js').Kind & { write: (fault: Fault) => string }}
 */
export const faults = () => ({
  allowed: SHAPE,
  item: readFault,
  write: writeFault,
  schema: z =>
    z.array(
      z.object({
        kind: z.enum(['pause', 'kill', 'restart', 'cpu']),
        atMs: z.number(),
        forMs: z.number().nullable(),
        cpus: z.number().nullable(),
        server: z.int().optional().describe('of several, from 1')
      })
    )
})

/**
 * inOrder puts faults in the order they come in.
 *
 * @param {readonly Fault[]} faults
 * @returns {readonly Fault[]}
 */
export const inOrder = faults => Object.freeze(faults.toSorted((a, b) => a.atMs - b.atMs))
