import { milliseconds } from '../../../plan/values.js'

/** @typedef {import('../../../load/absences.js').ChurnSpec} ChurnSpec */

const AWAY_MS = 30_000

/** @type {Readonly<Record<string, number>>} */
const UNIT_MS = { s: 1000, min: 60_000, h: 3_600_000 }

/** @param {unknown} value - as typed, or as a mapping of YAML: `{ leave: 5%/min, away: 30s }` */
function asText(value) {
  if (value === null || typeof value !== 'object') return String(value).trim()
  const { leave, away, ...strangers } = /** @type {Record<string, unknown>} */ (value)
  if (Object.keys(strangers).length > 0) return ''
  return away === undefined ? String(leave) : `${leave},away=${away}`
}

/** @param {unknown} value @returns {ChurnSpec | undefined} */
function read(value) {
  const form = /^(\d*\.?\d+) ?% ?\/ ?(s|min|h)(?:\s*,\s*away\s*=\s*(\S.*))?$/
  const [, percent, unit, away] = form.exec(asText(value)) ?? []
  const share = Number((Number(percent) / 100).toPrecision(12))
  const awayMs = away === undefined ? AWAY_MS : milliseconds(away)
  if (!(share > 0 && share <= 1 && awayMs > 0)) return undefined
  return { share, perMs: UNIT_MS[unit], awayMs }
}

/**
 * churn is the kind of --churn: how many nodes leave, and for how long.
 *
 * @returns {import('../../../plan/values.js').Kind & { write: (spec: ChurnSpec) => string }}
 */
export const churn = () => ({
  allowed:
    'must be a percentage of the nodes above 0% per s, min or h, with the time they stay away (30s when left out), such as 5%/min or 5%/min,away=10s',
  schema: z =>
    z.preprocess(
      value => (value !== null && typeof value === 'object' && 'share' in value ? value : read(value)),
      z.object({
        share: z.number().positive().max(1),
        perMs: z.number().positive(),
        awayMs: z.number().positive()
      })
    ),
  write: ({ share, perMs, awayMs }) => {
    const unit = Object.keys(UNIT_MS).find(name => UNIT_MS[name] === perMs)
    return `${Number((share * 100).toPrecision(12))}%/${unit},away=${awayMs}ms`
  }
})
