// The option --churn, which says which nodes or peers leave and return: its syntax and its rules.
import { formatWhole } from '../kit/numbers.js'
import { milliseconds } from './values.js'

/**
 * @typedef {import('../load/churn.js').ChurnSpec} ChurnSpec
 * @typedef {import('./options.js').Rule} Rule
 *
 * @typedef {object} ChurnForm - what a scenario takes
 * @property {boolean} [gossip] - new nodes dial some nodes, and take time to settle
 */

/** SETTLE_MS is the default of `settleMs`. */
export const SETTLE_MS = 5000

const AWAY_MS = { random: 30_000, group: 5_000 }
const DIALS = 6
const MIN_EVERY_MS = 100
/** Each new peer is a peer of its own: the number of a node has 16 bits, the identity of a peer is made before the run begins. */
const MAX_LIVES = 10_000

/**
 * countDepartures is how many departures a plan has, on average.
 *
 * @param {ChurnSpec} churn
 * @param {{ nodes: number, durationMs: number }} plan
 */
export const countDepartures = (churn, { nodes, durationMs }) =>
  durationMs / ('peers' in churn ? churn.everyMs : churn.perMs / churn.share / nodes)

/** @type {Readonly<Record<string, number>>} */
const UNIT_MS = { s: 1000, min: 60_000, h: 3_600_000 }

/** @param {unknown} value - as typed, or as a mapping of YAML: `{ leave: 5%/min, away: 30s }` */
function asText(value) {
  if (value === null || typeof value !== 'object') return String(value).trim()
  const { leave, ...more } = /** @type {Record<string, unknown>} */ (value)
  return [leave, ...Object.entries(more).map(([key, one]) => `${key}=${one}`)].join(',')
}

/** @param {string} text - `10`, or `5%/min` @returns {{ peers: number } | { share: number, perMs: number } | undefined} */
function readWho(text) {
  if (/^[1-9]\d{0,4}$/.test(text)) return { peers: Number(text) }
  const [, percent, unit] = /^(\d*\.?\d+) ?% ?\/ ?(s|min|h)$/.exec(text) ?? []
  const share = Number((Number(percent) / 100).toPrecision(12))
  return share > 0 && share <= 1 ? { share, perMs: UNIT_MS[unit] } : undefined
}

/** @param {string | undefined} text @param {number} missing */
const timeOf = (text, missing) => (text === undefined ? missing : milliseconds(text))

/** @param {unknown} value @param {ChurnForm} form @returns {ChurnSpec | undefined} */
function read(value, { gossip = false }) {
  const [first, ...words] = asText(value)
    .split(',')
    .map(word => word.trim())
  const who = readWho(first)
  const pairs = words.map(word => word.split('=').map(part => part.trim()))
  const settings = Object.fromEntries(pairs)
  const isGroup = who !== undefined && 'peers' in who
  const asNew = (settings.as ?? (isGroup ? 'new' : 'itself')) === 'new'
  const allowed = [
    ...['away', 'as'],
    ...(isGroup ? ['every', 'order'] : []),
    ...(gossip && asNew ? ['dials', 'settle'] : [])
  ]
  const isKnown = pairs.every(([key, text]) => allowed.includes(key) && text)
  const isOnce = pairs.length === Object.keys(settings).length
  if (who === undefined || !isKnown || !isOnce) return undefined
  if (!['itself', 'new', undefined].includes(settings.as)) return undefined
  if (!['turn', 'random', undefined].includes(settings.order)) return undefined
  const everyMs = milliseconds(settings.every ?? '')
  const awayMs = timeOf(settings.away, isGroup ? AWAY_MS.group : AWAY_MS.random)
  const dials = settings.dials === undefined ? DIALS : Number(settings.dials)
  const settleMs = timeOf(settings.settle, SETTLE_MS)
  const isInRange =
    awayMs > 0 &&
    settleMs > 0 &&
    Number.isInteger(dials) &&
    dials >= 1 &&
    (!isGroup || everyMs >= MIN_EVERY_MS)
  if (!isInRange) return undefined
  return /** @type {ChurnSpec} */ ({
    ...who,
    ...(isGroup && { everyMs, atRandom: settings.order === 'random' }),
    awayMs,
    ...(asNew && { asNew: true }),
    ...(gossip && asNew && { dials, settleMs })
  })
}

/**
 * churnKind is the kind of --churn: which peers leave, how often, for how long, and whether they return or are replaced.
 *
 * @param {ChurnForm} [form]
 * @returns {import('./values.js').OptionValueKind & { write: (spec: ChurnSpec) => string }}
 */
export const churnKind = (form = {}) => ({
  allowed: `must be a percentage of all peers per s, min or h, such as 5%/min,away=30s, or a number of ephemeral peers, one of which leaves at a time, such as 10,every=15s,away=5s; further order=turn or random, as=itself or new${form.gossip ? ', and of new ones dials=6, settle=5s' : ''}`,
  schema: z => {
    const number = z.number().positive()
    const returning = {
      awayMs: number,
      asNew: z.literal(true).optional(),
      ...(form.gossip && { dials: z.int().positive().optional(), settleMs: number.optional() })
    }
    return z.preprocess(
      value => (value !== null && typeof value === 'object' && 'awayMs' in value ? value : read(value, form)),
      z.union([
        z.object({ share: number.max(1), perMs: number, ...returning }),
        z.object({ peers: z.int().positive(), everyMs: number, atRandom: z.boolean(), ...returning })
      ])
    )
  },
  write: formatChurn
})

/** formatChurn writes churn as it is typed. @param {ChurnSpec} spec */
export function formatChurn(spec) {
  const { awayMs, asNew = false, dials, settleMs } = spec
  const isGroup = 'peers' in spec
  const words = isGroup
    ? [String(spec.peers), `every=${spec.everyMs}ms`]
    : [`${Number((spec.share * 100).toPrecision(12))}%/${unitOf(spec.perMs)}`]
  words.push(`away=${awayMs}ms`)
  if (isGroup && spec.atRandom) words.push('order=random')
  if (asNew !== isGroup) words.push(`as=${asNew ? 'new' : 'itself'}`)
  if (dials !== undefined) words.push(`dials=${dials}`)
  if (settleMs !== undefined) words.push(`settle=${settleMs}ms`)
  return words.join(',')
}

/** @param {number} perMs */
const unitOf = perMs => Object.keys(UNIT_MS).find(name => UNIT_MS[name] === perMs)

/** @param {number} ms */
const inSeconds = ms => `${ms / 1000}s`

/**
 * makeChurnRules are what churn needs of the rest of a plan.
 *
 * @param {string} amount - option that says how many peers there are
 * @param {object} how
 * @param {number} how.minStable - so many must stay where only a group leaves
 * @param {number} [how.durationMs] - of a run without --duration; absent: it is not limited by time
 * @returns {Rule[]}
 */
export const makeChurnRules = (amount, { minStable, durationMs }) => [
  {
    flag: 'churn',
    needs: [amount],
    refuse: values =>
      values.churn !== undefined &&
      'peers' in values.churn &&
      values[amount] - values.churn.peers < minStable &&
      `must leave at least ${minStable} stable of --${amount} ${formatWhole(values[amount])}: at most ${formatWhole(Math.max(0, values[amount] - minStable))} are ephemeral`
  },
  {
    flag: 'churn',
    refuse: ({ churn: spec }) =>
      spec !== undefined &&
      'peers' in spec &&
      !spec.atRandom &&
      spec.awayMs + (spec.settleMs ?? 0) >= spec.everyMs * spec.peers &&
      `must have away${spec.settleMs === undefined ? '' : ' and settle'} below every × ${formatWhole(spec.peers)}, ${inSeconds(spec.everyMs * spec.peers)}: a peer would leave again before it is back`
  },
  {
    flag: 'churn',
    needs: ['duration'],
    refuse: ({ churn: spec, duration = durationMs }) =>
      spec !== undefined &&
      'peers' in spec &&
      duration !== undefined &&
      spec.everyMs >= duration &&
      `must have every below --duration ${inSeconds(duration)}: nobody would leave`
  },
  {
    flag: 'churn',
    needs: ['duration', amount],
    refuse: values => {
      const { churn: spec, duration = durationMs } = values
      if (!spec?.asNew) return false
      if (duration === undefined)
        return 'with new peers needs --duration: their identities are made before the run'
      const lives = countDepartures(spec, { nodes: values[amount], durationMs: duration })
      return (
        lives > MAX_LIVES &&
        `starts ${formatWhole(Math.round(lives))} new peers in --duration ${inSeconds(duration)}: at most ${formatWhole(MAX_LIVES)} are started`
      )
    }
  }
]
